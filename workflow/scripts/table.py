"""Write a table as CSV, Markdown, LaTeX and HTML."""

import json

from ironbark.pipeline.jobs import reporting
from ironbark.pipeline.jobs.artefacts import table

with reporting(snakemake.log[0]):
    table.run(
        json.loads(snakemake.params.spec), dict(snakemake.input.items()), snakemake.output.csv.removesuffix(".csv")
    )
