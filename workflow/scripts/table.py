"""Write a table as CSV, Markdown, LaTeX and HTML."""

import json

from ironbark.pipeline.jobs import artefacts
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    stem = snakemake.output.csv.removesuffix(".csv")
    artefacts.artefact(json.loads(snakemake.params.spec), dict(snakemake.input.items()), stem)
