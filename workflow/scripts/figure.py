"""Draw a figure as PNG and SVG."""

import json

from ironbark.pipeline.jobs import reporting
from ironbark.pipeline.jobs.artefacts import figure

with reporting(snakemake.log[0]):
    figure.run(
        json.loads(snakemake.params.spec), dict(snakemake.input.items()), snakemake.output.png.removesuffix(".png")
    )
