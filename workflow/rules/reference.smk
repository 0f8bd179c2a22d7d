# Results that later runs are held against: `snakemake --cores 2 data/reference/quickstart.csv`.


rule reference:
    input:
        unpack(
            lambda wc: keep_local(
                fit_specs.reference_inputs(
                    or_exit(PLAN.study, wc.study, config["scale"])
                )
            )
        ),
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
        spec=lambda wc: fit_specs.reference(PLAN.study(wc.study, config["scale"])),
    message:
        "Freeze the results of {wildcards.study}."
    script:
        "../scripts/reference.py"
