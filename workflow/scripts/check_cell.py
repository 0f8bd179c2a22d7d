"""Judge one published cell."""

import json

from ironbark.pipeline.jobs import check_cell
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    files = snakemake.input
    stem = snakemake.output.json.removesuffix(".json")
    check_cell.run(json.loads(snakemake.params.spec), files.rows, files.printed, files.sizes, files.prepared, stem)
