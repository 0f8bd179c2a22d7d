# From the source of a data set to the arrays that all fits read.
rule fetch:
    input:
        lambda wc: keep_local(or_exit(dataset_specs.fetch_inputs, PLAN, wc.dataset)),
    output:
        table="data/raw/{dataset}/table.parquet",
        facts="data/raw/{dataset}/fetch.json",
    log:
        "results/logs/fetch/{dataset}.log",
    benchmark:
        "results/benchmarks/fetch/{dataset}.tsv"
    conda:
        ENVIRONMENT
    threads: lambda wc: resources.fetch_threads(PLAN, wc.dataset)
    resources:
        **{name: connections_to(host) for name, host in SERVERS.items()},
        mem_mb=lambda wc, attempt: resources.fetch(PLAN, wc.dataset, attempt)["mem_mb"],
        runtime=lambda wc, attempt: resources.fetch(PLAN, wc.dataset, attempt)[
            "runtime"
        ],
    params:
        spec=lambda wc: dataset_specs.fetch(PLAN, wc.dataset),
    message:
        "Fetch {wildcards.dataset}."
    script:
        "../scripts/fetch.py"


rule prepare:
    input:
        table=rules.fetch.output.table,
        facts=rules.fetch.output.facts,
    output:
        directory("data/prepared/{dataset}"),
    log:
        "results/logs/prepare/{dataset}.log",
    benchmark:
        "results/benchmarks/prepare/{dataset}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda wc, attempt: resources.table(PLAN, wc.dataset, attempt)["mem_mb"],
        runtime=lambda wc, attempt: resources.table(PLAN, wc.dataset, attempt)[
            "runtime"
        ],
    params:
        spec=lambda wc: dataset_specs.prepare(PLAN, wc.dataset),
    message:
        "Prepare {wildcards.dataset}."
    script:
        "../scripts/prepare.py"
