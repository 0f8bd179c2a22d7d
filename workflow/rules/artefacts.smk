# What readers look at: tables, figures and the comparison with published values.


rule tables:
    input:
        unpack(
            lambda wc: keep_local(
                artefact_specs.files_of_all(PLAN, study_of(wc), "table")
            )
        ),
    output:
        local(
            report(
                directory(f"{RESULTS}/tables"),
                patterns=["{name}.html"],
                caption="../report/artefact.rst",
                category="{study}",
                subcategory="Tables",
                labels={"name": "{name}", "scale": "{scale}"},
            )
        ),
    log:
        "results/logs/tables/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/tables/{study}/{scale}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        spec=lambda wc: artefact_specs.all_of(PLAN, study_of(wc), "table"),
        captions=lambda wc: artefact_specs.captions(PLAN, study_of(wc), "table"),
    message:
        "Write the tables of {wildcards.study}."
    script:
        "../scripts/artefacts.py"


rule compare:
    input:
        rows=local(rules.score.output[0]),
        printed=lambda wc: local(or_exit(artefact_specs.published, study_of(wc))),
    output:
        csv=local(f"{RESULTS}/comparison.csv"),
        md=local(f"{RESULTS}/comparison.md"),
    log:
        "results/logs/compare/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/compare/{study}/{scale}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: artefact_specs.compare(PLAN, study_of(wc)),
    message:
        "Compare {wildcards.study} with the published values."
    script:
        "../scripts/compare.py"


rule figures:
    input:
        unpack(
            lambda wc: keep_local(
                artefact_specs.files_of_all(PLAN, study_of(wc), "figure")
            )
        ),
    output:
        local(
            report(
                directory(f"{RESULTS}/figures"),
                patterns=["{name}.png"],
                caption="../report/artefact.rst",
                category="{study}",
                subcategory="Figures",
                labels={"name": "{name}", "scale": "{scale}"},
            )
        ),
    log:
        "results/logs/figures/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/figures/{study}/{scale}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        spec=lambda wc: artefact_specs.all_of(PLAN, study_of(wc), "figure"),
        captions=lambda wc: artefact_specs.captions(PLAN, study_of(wc), "figure"),
    message:
        "Draw the figures of {wildcards.study}."
    script:
        "../scripts/artefacts.py"
