"""Record what a study is, for the results site."""

import json

from ironbark.pipeline.jobs import reporting
from ironbark.pipeline.jobs.artefacts import describe

with reporting(snakemake.log[0]):
    describe.run(json.loads(snakemake.params.spec), snakemake.output[0])
