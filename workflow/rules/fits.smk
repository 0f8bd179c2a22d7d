# Noisy labels, and the fits on them.


rule corrupt:
    input:
        rules.prepare.output[0],
    output:
        f"{RESULTS}/labels/{{dataset}}/{{task}}.npz",
    log:
        "results/logs/corrupt/{study}/{scale}/{dataset}-{task}.log",
    benchmark:
        "results/benchmarks/corrupt/{study}/{scale}/{dataset}-{task}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda wc, attempt: asked_by_labels(wc, attempt)["mem_mb"],
        runtime=lambda wc, attempt: asked_by_labels(wc, attempt)["runtime"],
    params:
        spec=lambda wc: or_exit(
            fit_specs.corrupt, PLAN, study_of(wc), wc.dataset, wc.task
        ),
    message:
        "Corrupt the {wildcards.task} labels of {wildcards.dataset}."
    script:
        "../scripts/corrupt.py"


rule shard:
    input:
        unpack(lambda wc: or_exit(fit_specs.shard_inputs, study_of(wc), wc.batch)),
        packs=lambda wc: packs.imports(PACKS, wc.study, wc.scale),
    output:
        f"{RESULTS}/fits/{{batch}}.jsonl.gz",
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
        spec=lambda wc: fit_specs.shard(PLAN, study_of(wc), wc.batch),
    message:
        "Train {wildcards.batch} (cluster: {resources.mem_mb} MB, {resources.runtime} min)."
    script:
        "../scripts/shard.py"


rule score:
    input:
        unpack(lambda wc: fit_specs.score_inputs(study_of(wc))),
    output:
        local(f"{RESULTS}/rows.parquet"),
    log:
        "results/logs/score/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/score/{study}/{scale}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: fit_specs.score(PLAN, study_of(wc)),
        behind=lambda wc: fit_specs.behind_rows(PLAN, study_of(wc)),
    message:
        "Score the fits of {wildcards.study}."
    script:
        "../scripts/score.py"
