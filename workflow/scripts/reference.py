"""Freeze the results of a study."""

import json
from pathlib import Path

from ironbark.pipeline.jobs import reference
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    prepared = {Path(folder).name: folder for folder in snakemake.input.prepared}
    labels = {Path(path).with_suffix("").parts[-2:]: path for path in snakemake.input.labels}
    spec = json.loads(snakemake.params.spec)
    reference.run(spec, snakemake.input.rows, prepared, labels, snakemake.output[0])
