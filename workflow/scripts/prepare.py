"""Turn the raw table of a data set into the arrays that fits read."""

import json

from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.log import reporting, say

with reporting(snakemake.log[0]):
    spec = json.loads(snakemake.params.spec)
    folder = prepare(spec["id"], spec["entry"], snakemake.input.table, snakemake.output[0])
    say("\n".join(load(folder).meta["warnings"]) or "no warnings")
