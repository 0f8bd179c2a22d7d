"""Check a pack and import its fits into the store."""

import json
from pathlib import Path

from ironbark.pipeline.jobs import pack
from ironbark.pipeline.log import reporting
from ironbark.pipeline.plan import packs
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan

with reporting(snakemake.log[0]):
    base, wildcards = Path(snakemake.scriptdir).resolve().parents[1], snakemake.wildcards
    plan = Plan(read(base / "config", base / "workflow/schemas", snakemake.config))
    prepared = {Path(folder).name: folder for folder in snakemake.input.prepared}
    labels = {Path(path).with_suffix("").parts[-2:]: path for path in snakemake.input.labels}
    spec = json.loads(packs.spec(plan, [wildcards.study], wildcards.scale))
    places = "results/store", "results/packs", snakemake.output[0]
    pack.import_fits(spec, snakemake.input.pack, prepared, labels, *places)
