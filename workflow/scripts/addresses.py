"""Ask the addresses of the data sets."""

import json

from ironbark.pipeline.jobs import addresses
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    print(addresses.run(json.loads(snakemake.params.spec), "results/datasets/addresses.md"))
