"""Train and score a batch of fits."""

import json
from pathlib import Path

from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import shard
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    prepared = {Path(folder).name: folder for folder in snakemake.input.prepared}
    labels = {Path(path).with_suffix("").parts[-2:]: path for path in snakemake.input.labels}
    shard.run(Shard.of(json.loads(snakemake.params.spec)), prepared, labels, "results/store", snakemake.output[0])
