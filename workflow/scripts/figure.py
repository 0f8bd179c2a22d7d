"""Draw a figure as PNG and SVG."""

import json

from ironbark.pipeline.jobs import artefacts
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    artefacts.figure(
        json.loads(snakemake.params.spec), dict(snakemake.input.items()), snakemake.output.png.removesuffix(".png")
    )
