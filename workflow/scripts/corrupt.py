"""Corrupt the training labels of every repeat and fold."""

import json

from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    corrupt.run(Labels(**json.loads(snakemake.params.spec)), snakemake.input[0], snakemake.output[0])
