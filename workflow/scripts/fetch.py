"""Fetch the raw table of a data set."""

import json
from pathlib import Path

from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    spec = json.loads(snakemake.params.spec)
    fetch(spec["id"], spec["entry"], Path(snakemake.output[0]).parent, spec["mirror"])
