"""Gather the result rows of a study."""

import json

from ironbark.pipeline.jobs import collect, reporting

with reporting(snakemake.log[0]):
    collect.run(json.loads(snakemake.params.spec), list(snakemake.input), snakemake.output[0])
