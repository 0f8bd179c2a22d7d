"""Write the tables of a study as CSV, Markdown, LaTeX and HTML."""

import json

from ironbark.pipeline.jobs import artefacts
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    artefacts.make(artefacts.table, json.loads(snakemake.params.spec), snakemake.input.items(), snakemake.output[0])
