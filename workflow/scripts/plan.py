"""Print what the studies will cost."""

import json

from ironbark.jobs import estimate, reporting, speed

with reporting(snakemake.log[0]):
    print("\n".join(estimate.run(json.loads(snakemake.params.spec), "results", speed.factor())))
