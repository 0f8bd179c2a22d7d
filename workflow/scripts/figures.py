"""Draw the figures of a study as PNG, SVG and PDF."""

import json

from ironbark.pipeline.jobs import artefacts
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    artefacts.make(artefacts.figure, json.loads(snakemake.params.spec), snakemake.input.items(), snakemake.output[0])
