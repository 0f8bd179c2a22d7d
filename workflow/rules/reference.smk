# Results that later runs are held against: `snakemake --cores 2 data/reference/quickstart.csv`.


rule reference:
    input:
        unpack(lambda wc: here(said(reference.inputs, PLAN, wc.study))),
    output:
        local("data/reference/{study}.csv"),
    log:
        "results/logs/reference/{study}.log",
    benchmark:
        "results/benchmarks/reference/{study}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: reference.spec(PLAN, wc.study),
    message:
        "Freeze the results of {wildcards.study}."
    script:
        "../scripts/reference.py"
