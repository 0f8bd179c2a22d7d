"""Make the tables or the figures of a study."""

import json

from ironbark.pipeline.jobs import artefacts
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    artefacts.make(json.loads(snakemake.params.spec), snakemake.input.items(), snakemake.output[0])
