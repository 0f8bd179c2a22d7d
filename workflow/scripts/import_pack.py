"""Check a pack and import its fits into the store."""

import json
from pathlib import Path

from ironbark.pipeline.jobs import pack
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import reporting
from ironbark.pipeline.plan import packs
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan

with reporting(snakemake.log[0]):
    base, wildcards = Path(snakemake.scriptdir).resolve().parents[1], snakemake.wildcards
    plan = Plan(read(base / "config", base / "workflow/schemas", snakemake.config))
    samples = Samples(snakemake.input.prepared, snakemake.input.labels)
    spec = json.loads(packs.spec(plan, [wildcards.study], wildcards.scale))
    places = "results/store", "results/packs", snakemake.output[0]
    pack.import_fits(spec, snakemake.input.pack, samples, *places)
