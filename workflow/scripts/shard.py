"""Train and score a batch of fits."""

import json
from pathlib import Path

from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import shard
from ironbark.pipeline.log import reporting
from ironbark.pipeline.plan.keys import refuse_edited

with reporting(snakemake.log[0]):
    prepared = {Path(folder).name: folder for folder in snakemake.input.prepared}
    labels = {Path(path).with_suffix("").parts[-2:]: path for path in snakemake.input.labels}
    spec = Shard.of(json.loads(snakemake.params.spec))
    refuse_edited(spec.methods)
    shard.run(spec, prepared, labels, "results/store", snakemake.output[0])
