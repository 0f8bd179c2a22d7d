# What readers look at: tables, figures and the comparison with published values.


rule table:
    input:
        unpack(lambda wc: here(said(PLAN.table_inputs, wc.study, wc.scale, wc.name))),
    output:
        csv=local(f"{RESULTS}/tables/{{name}}.csv"),
        md=local(f"{RESULTS}/tables/{{name}}.md"),
        tex=local(f"{RESULTS}/tables/{{name}}.tex"),
        html=report(
            local(f"{RESULTS}/tables/{{name}}.html"),
            caption="../report/table.rst",
            category="{study}",
            subcategory="Tables",
            labels={"name": "{name}", "scale": "{scale}"},
        ),
    log:
        "results/logs/table/{study}/{scale}/{name}.log",
    benchmark:
        "results/benchmarks/table/{study}/{scale}/{name}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: PLAN.table(wc.study, wc.scale, wc.name),
        caption=lambda wc: PLAN.caption(wc.study, wc.scale, "tables", wc.name),
    message:
        "Write table {wildcards.name} of {wildcards.study}."
    script:
        "../scripts/table.py"


rule compare:
    input:
        rows=local(rules.score.output[0]),
        printed=lambda wc: local(said(PLAN.published, wc.study, wc.scale)),
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
        spec=lambda wc: PLAN.compare(wc.study, wc.scale),
    message:
        "Compare {wildcards.study} with the published values."
    script:
        "../scripts/compare.py"


rule figure:
    input:
        unpack(lambda wc: here(said(PLAN.figure_inputs, wc.study, wc.scale, wc.name))),
    output:
        png=report(
            local(f"{RESULTS}/figures/{{name}}.png"),
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels={"name": "{name}", "scale": "{scale}"},
        ),
        svg=local(f"{RESULTS}/figures/{{name}}.svg"),
        pdf=local(f"{RESULTS}/figures/{{name}}.pdf"),
    log:
        "results/logs/figure/{study}/{scale}/{name}.log",
    benchmark:
        "results/benchmarks/figure/{study}/{scale}/{name}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: PLAN.figure(wc.study, wc.scale, wc.name),
        caption=lambda wc: PLAN.caption(wc.study, wc.scale, "figures", wc.name),
    message:
        "Draw figure {wildcards.name} of {wildcards.study}."
    script:
        "../scripts/figure.py"
