"""Freeze the results of a study."""

import json

from ironbark.pipeline.jobs import reference
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    samples = Samples(snakemake.input.prepared, snakemake.input.labels)
    spec = json.loads(snakemake.params.spec)
    reference.run(spec, snakemake.input.rows, samples, snakemake.output[0])
