# One published cell next to ours: `snakemake --cores 2 check --config cell='ane/table-2/mushrooms/uniform-0.4/dt-ane'`.


# Without outputs, it runs each time, and prints a result of before again.
rule check:
    input:
        lambda wc: local(checked_target()),
    log:
        "results/logs/check.log",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=100,
        runtime=5,
    message:
        "Print the published value and ours."
    shell:
        "cat {input:q} 2> {log:q}"


rule check_cell:
    input:
        unpack(lambda wc: keep_local(published_cell.inputs(PLAN, PLAN.checked))),
    output:
        json=local("results/check/{cell}.json"),
        md=local("results/check/{cell}.md"),
    log:
        "results/logs/check_cell/{cell}.log",
    benchmark:
        "results/benchmarks/check_cell/{cell}.tsv"
    wildcard_constraints:
        cell=PLAN.checked.name if PLAN.checked else "none",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: published_cell.spec(PLAN, PLAN.checked),
    message:
        "Set the published cell {wildcards.cell} next to ours."
    script:
        "../scripts/check_cell.py"
