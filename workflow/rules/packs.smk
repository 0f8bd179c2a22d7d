# Stored fits in one file: `snakemake --cores 2 pack` writes a pack, `--config packs=FILE` has a run import one.
from ironbark.pipeline.plan import packs

try:
    PACKS = packs.opened(PLAN.settings.get("packs"))  # digest -> file
except InputError as error:
    sys.exit(f"ironbark: {error}")


# Without outputs, it runs each time.
rule pack:
    input:
        unpack(lambda wc: packs.inputs(PLAN, packed_studies(), SCALE)),
        licence=local(f"{workflow.basedir}/LICENSE"),
    log:
        "results/logs/pack.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: packs.spec(PLAN, packed_studies(), SCALE),
        out=lambda wc: packs.path(list(map(PLAN.part, PLAN.settings["studies"])), SCALE),
    message:
        "Pack the stored fits of {config[studies]} into {params.out}."
    script:
        "../scripts/pack.py"


# The spec is no parameter: a pack is checked and imported once, and not again when the study gets another method.
rule import_pack:
    input:
        unpack(lambda wc: packs.inputs(PLAN, [wc.study], wc.scale)),
        pack=lambda wc: ancient(local(PACKS[wc.digest])),
    output:
        f"{RESULTS}/packs/{{digest}}.json",
    log:
        "results/logs/import_pack/{study}/{scale}/{digest}.log",
    benchmark:
        "results/benchmarks/import_pack/{study}/{scale}/{digest}.tsv"
    wildcard_constraints:
        digest="|".join(PACKS) or "none",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda wc, attempt: asked_by_import(wc, attempt)["mem_mb"],
        runtime=lambda wc, attempt: asked_by_import(wc, attempt)["runtime"],
    message:
        "Import the fits of {wildcards.study} from {input.pack}."
    script:
        "../scripts/import_pack.py"
