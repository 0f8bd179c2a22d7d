# One published cell next to ours: `snakemake --cores 2 check --config cell='ane table 2, mushrooms, dt, uniform 0.4, ane'`.
from ironbark.pipeline.plan.published_cell import checked_cell, matching

CHECKED = PLAN.checked


def asked_cell():
    """The result of the cell, after a look at its data and configuration."""
    try:
        if CHECKED is None:
            raise InputError(
                f"name a published cell: --config cell='{matching.EXAMPLE}'"
            )
        PLAN.check(CHECKED.study.id)
        remarks = PLAN.try_tables(CHECKED.study.id)
    except InputError as error:
        sys.exit(f"ironbark: {error}")
    for line in [*remarks, checked_cell.cost(PLAN, CHECKED)]:
        print(f"ironbark: {line}", file=sys.stderr)
    return f"results/check/{CHECKED.name}.md"


# Without outputs, it runs each time, and prints a result of before again.
rule check:
    input:
        lambda wc: asked_cell(),
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
        unpack(lambda wc: checked_cell.inputs(PLAN, CHECKED)),
    output:
        json="results/check/{cell}.json",
        md="results/check/{cell}.md",
    log:
        "results/logs/check_cell/{cell}.log",
    benchmark:
        "results/benchmarks/check_cell/{cell}.tsv"
    wildcard_constraints:
        cell=CHECKED.name if CHECKED else "none",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: checked_cell.spec(PLAN, CHECKED),
    message:
        "Set the published cell {wildcards.cell} next to ours."
    script:
        "../scripts/check_cell.py"
