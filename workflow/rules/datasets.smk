# The papers' tables of data sets, compared with the prepared data: `snakemake --cores 2 datasets`.

from ironbark.pipeline.published import DATASET_TABLES


rule datasets:
    input:
        keep_local(
            expand(
                "results/datasets/{printed}.{form}",
                printed=DATASET_TABLES,
                form=["csv", "md", "tex", "html"],
            )
        ),


rule dataset_table:
    input:
        unpack(
            lambda wc: keep_local(
                or_exit(dataset_specs.dataset_table_inputs, PLAN, wc.printed)
            )
        ),
    output:
        csv=local("results/datasets/{printed}.csv"),
        md=local("results/datasets/{printed}.md"),
        tex=local("results/datasets/{printed}.tex"),
        html=local("results/datasets/{printed}.html"),
    log:
        "results/logs/dataset_table/{printed}.log",
    benchmark:
        "results/benchmarks/dataset_table/{printed}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: dataset_specs.dataset_table(PLAN, wc.printed),
        behind=lambda wc: dataset_specs.behind_table(PLAN, wc.printed),
    message:
        "Compare the data sets of {wildcards.printed} with the published table."
    script:
        "../scripts/table.py"
