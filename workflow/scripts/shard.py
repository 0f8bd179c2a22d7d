"""Train and score a batch of fits."""

import json
from pathlib import Path

from ironbark.jobs import reporting, shard

with reporting(snakemake.log[0]):
    labels = {Path(path).stem: path for path in snakemake.input.labels}
    prepared = Path(snakemake.input.prepared).parent
    shard.run(json.loads(snakemake.params.spec), prepared, labels, "results/store", snakemake.output[0])
