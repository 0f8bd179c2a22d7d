"""Train and score a batch of fits."""

import json

from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import shard
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import reporting
from ironbark.pipeline.plan.keys import refuse_edited

with reporting(snakemake.log[0]):
    samples = Samples(snakemake.input.prepared, snakemake.input.labels)
    spec = Shard.of(json.loads(snakemake.params.spec))
    refuse_edited(spec.methods)
    shard.run(spec, samples, "results/store", snakemake.output[0])
