"""Build the results site, and record what a finished study comes from."""

import json

from ironbark.files import write_text
from ironbark.pipeline.jobs import site
from ironbark.pipeline.log import reporting
from ironbark.pipeline.site import numbers

with reporting(snakemake.log[0]):
    sheet = site.run(numbers.studies(), snakemake.params.folder)
    write_text(snakemake.output.sheet, json.dumps(sheet, indent=1, ensure_ascii=False) + "\n")
