"""Print what the studies will cost."""

import json

from ironbark.pipeline.jobs import estimate
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    print("\n".join(estimate.run(json.loads(snakemake.params.spec))))
