"""Freeze the results of a study."""

import json

from ironbark.pipeline.jobs import reference
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    spec, files = json.loads(snakemake.params.spec), snakemake.input
    reference.run(spec, files.rows, list(files.labels), list(files.prepared), snakemake.output[0])
