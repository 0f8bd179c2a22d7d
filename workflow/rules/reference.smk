# Results that later runs are held against: `snakemake --cores 2 data/reference/quickstart.csv`.


# A run at another scale, or of what `only` keeps, leaves the other lines of the file as they are.
rule reference:
    input:
        unpack(
            lambda wc: keep_local(
                fit_specs.reference_inputs(
                    or_exit(PLAN.study, PLAN.part(wc.study), SCALE)
                )
            )
        ),
    output:
        update(local("data/reference/{study}.csv")),
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
        spec=lambda wc: fit_specs.reference(PLAN.study(PLAN.part(wc.study), SCALE)),
    message:
        "Freeze the results of {wildcards.study}."
    script:
        "../scripts/reference.py"
