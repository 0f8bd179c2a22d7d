"""Compare our means with the published values."""

import json

from ironbark.pipeline.jobs import artefacts
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    stem = snakemake.output.csv.removesuffix(".csv")
    artefacts.compare(json.loads(snakemake.params.spec), snakemake.input.rows, snakemake.input.printed, stem)
