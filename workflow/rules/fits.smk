# Noisy labels, and the fits on them.


rule corrupt:
    input:
        rules.prepare.output[0],
    output:
        f"{RESULTS}/labels/{{dataset}}/{{task}}/{{noise}}.npz",
    log:
        "results/logs/corrupt/{study}/{scale}/{dataset}-{task}-{noise}.log",
    benchmark:
        "results/benchmarks/corrupt/{study}/{scale}/{dataset}-{task}-{noise}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda wc, attempt: asked_by_labels(wc, attempt)["mem_mb"],
        runtime=lambda wc, attempt: asked_by_labels(wc, attempt)["runtime"],
    params:
        spec=lambda wc: PLAN.corrupt(wc.study, wc.scale, wc.dataset, wc.task, wc.noise),
    message:
        "Corrupt the {wildcards.task} labels of {wildcards.dataset} by {wildcards.noise}."
    script:
        "../scripts/corrupt.py"


rule shard:
    input:
        unpack(lambda wc: PLAN.shard_inputs(wc.study, wc.scale, wc.batch)),
    output:
        f"{RESULTS}/shards/{{batch}}.parquet",
    log:
        "results/logs/shard/{study}/{scale}/{batch}.log",
    benchmark:
        "results/benchmarks/shard/{study}/{scale}/{batch}.tsv"
    conda:
        ENVIRONMENT
    threads: lambda wc: cores_of(wc.study, wc.scale)
    resources:
        mem_mb=lambda wc, attempt: asked_by_shard(wc, attempt)["mem_mb"],
        runtime=lambda wc, attempt: asked_by_shard(wc, attempt)["runtime"],
    params:
        spec=lambda wc: PLAN.shard(wc.study, wc.scale, wc.batch),
    message:
        "Train {wildcards.batch} (cluster: {resources.mem_mb} MB, {resources.runtime} min)."
    script:
        "../scripts/shard.py"


rule collect:
    input:
        lambda wc: [
            f"results/{wc.study}/{wc.scale}/shards/{batch.name}.parquet"
            for batch in PLAN.study(wc.study, wc.scale).batches
        ],
    output:
        f"{RESULTS}/rows.parquet",
    log:
        "results/logs/collect/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/collect/{study}/{scale}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: PLAN.collect(wc.study, wc.scale),
    message:
        "Gather the rows of {wildcards.study}."
    script:
        "../scripts/collect.py"
