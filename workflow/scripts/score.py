"""Score the fits of a study and gather its result rows."""

import json
from pathlib import Path

from ironbark.pipeline.jobs import reporting, score

with reporting(snakemake.log[0]):
    labels, prepared = Path(snakemake.output[0]).with_name("labels"), "data/prepared"
    spec, fits = json.loads(snakemake.params.spec), list(snakemake.input.fits)
    score.run(spec, fits, labels, prepared, "results/store", snakemake.output[0])
