"""Freeze the results of a study."""

import json

from ironbark.pipeline.jobs import reporting
from ironbark.pipeline.jobs.artefacts import reference

with reporting(snakemake.log[0]):
    spec, files = json.loads(snakemake.params.spec), snakemake.input
    reference.run(spec, files.rows, list(files.labels), list(files.prepared), snakemake.output[0])
