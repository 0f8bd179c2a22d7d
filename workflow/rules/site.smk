# Pages to look through results: `snakemake --cores 2 site` shows what is on disk, at any time; it runs no study.


rule site:
    log:
        "results/logs/site.log",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        folder="results/site",
    message:
        "Build results/site/index.html from what is in results."
    script:
        "../scripts/site.py"


# Pages show a study as it was planned when it ran. The description is written first, so that a run can be watched.
rule describe:
    output:
        local(f"{RESULTS}/study.json"),
    log:
        "results/logs/describe/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/describe/{study}/{scale}.tsv"
    priority: 100
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=500,
        runtime=10,
    params:
        spec=lambda wc: pages.describe(PLAN, study_of(wc)),
    message:
        "Record what {wildcards.study} is."
    script:
        "../scripts/describe.py"


# The same pages once a study has finished, with a sheet of what its results come from.
rule publish:
    input:
        lambda wc: keep_local(
            [
                path
                for name in with_parts(wc.study)
                for path in [
                    f"results/{name}/{wc.scale}/study.json",
                    *artefact_specs.paths(or_exit(PLAN.study, name, wc.scale)),
                ]
            ]
        ),
        lambda wc: keep_local(
            [
                f"results/{wc.study}/{wc.scale}/report.html",
                *artefact_specs.paths(study_of(wc)),
            ]
        ),
    output:
        sheet=local(f"{RESULTS}/provenance.json"),
    log:
        "results/logs/publish/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/publish/{study}/{scale}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        folder="results/site",
        code=code_of_job("site"),
    message:
        "Show {wildcards.study} in results/site/index.html."
    script:
        "../scripts/publish.py"
