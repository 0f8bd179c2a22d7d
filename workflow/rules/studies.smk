# A target for each study: `snakemake --cores 2 quickstart`.


def report_of(study):
    try:
        PLAN.check(study)
        for arguments in PLAN.local_tables(study):
            from ironbark.jobs import preflight  # late: it loads pandas, which most plans do without

            preflight.check(*arguments)
    except InputError as error:
        sys.exit(f"ironbark: {error}")
    return f"results/{study}/{config['scale']}/report.html"


for study in PLAN.config["studies"]:

    rule:
        name:
            study
        input:
            lambda wc, study=study: report_of(study),


rule report:
    input:
        lambda wc: PLAN.artefacts(wc.study, wc.scale),
    output:
        f"{RESULTS}/report.html",
    log:
        "results/logs/report/{study}/{scale}.log",
    benchmark:
        "results/benchmarks/report/{study}/{scale}.tsv"
    params:
        settings=lambda wc: [f"{key}={value}" for key, value in PLAN.overrides(wc.scale)],
    resources:
        mem_mb=2000,
        runtime=30,
    conda:
        ENVIRONMENT
    message:
        "Bind the report of {wildcards.study}."
    shell:
        "{sys.executable} -m snakemake {input} --nolock --config {params.settings} --report {output} &> {log}"
