"""Record what a study is, for the results site."""

import json

from ironbark.files import write_text
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    spec = json.loads(snakemake.params.spec)
    write_text(snakemake.output[0], json.dumps(spec, indent=1, ensure_ascii=False) + "\n")
