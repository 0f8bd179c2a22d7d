# Takes any name that no study and no rule has, so that the run ends with a suggestion.
rule unknown:
    input:
        lambda wc: refuse(wc.target),
    output:
        "{target}",
    wildcard_constraints:
        target="[^/.]+",


rule report:
    input:
        lambda wc: keep_local(artefact_specs.paths(study_of(wc))),
    output:
        local(f"{RESULTS}/report.html"),
    log:
        "results/logs/report/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/report/{study}/{scale}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        python=sys.executable,
        settings=lambda wc: [
            f"{key}={value}"
            for key, value in specs.overrides(
                PLAN.settings, wc.scale, workflow.config_settings.overwrite_config
            )
        ],
    message:
        "Bind the report of {wildcards.study}."
    shell:
        "{params.python:q} -m snakemake {input} --nolock --config {params.settings:q} --report {output} &> {log}"


# A target for each study: `snakemake --cores 2 quickstart`.
for study in PLAN.config["studies"]:
    if workflow.is_rule(study):
        sys.exit(
            f"ironbark: config/studies/{study}.yaml: {study!r} is a rule of the workflow; rename the file"
        )

    rule:
        name:
            study
        input:
            lambda wc, study=study: targets_of(study),
