"""Print what the studies will cost."""

import json

from ironbark.pipeline.jobs import estimate, reporting
from ironbark.pipeline.jobs.machine import cpu_dispatch

with reporting(snakemake.log[0]):
    print("\n".join(estimate.run(json.loads(snakemake.params.spec), "results", cpu_dispatch.factor())))
