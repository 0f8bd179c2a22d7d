"""Corrupt the training labels of every repeat and fold."""

import json
from pathlib import Path

from ironbark.pipeline.jobs import corrupt, reporting

with reporting(snakemake.log[0]):
    corrupt.run(json.loads(snakemake.params.spec), Path(snakemake.input[0]).parent, snakemake.output[0])
