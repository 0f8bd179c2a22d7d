"""Compare our means with the published values."""

import json

from ironbark.pipeline.jobs import reporting
from ironbark.pipeline.jobs.artefacts import compare

with reporting(snakemake.log[0]):
    stem = snakemake.output.csv.removesuffix(".csv")
    compare.run(json.loads(snakemake.params.spec), snakemake.input.rows, snakemake.input.printed, stem)
