# What the studies of `--config studies=ID` will cost here: `snakemake --cores 2 plan`. Without outputs, it runs each time.


rule plan:
    log:
        "results/logs/plan.log",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        lines=lambda wc: forecast.lines(PLAN, packed_studies(), workflow.cores),
    message:
        "Estimate what {config[studies]} costs."
    script:
        "../scripts/plan.py"
