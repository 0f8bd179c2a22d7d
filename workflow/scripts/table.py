"""Write a table as CSV, Markdown, LaTeX and HTML."""

import json

from ironbark.jobs import reporting, table

with reporting(snakemake.log[0]):
    table.run(json.loads(snakemake.params.spec), snakemake.input[0], snakemake.output.csv.removesuffix(".csv"))
