"""Score the fits of a study and gather its result rows."""

import json
from pathlib import Path

from ironbark.pipeline.job_specs import Score
from ironbark.pipeline.jobs import score
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    prepared = {Path(folder).name: folder for folder in snakemake.input.prepared}
    labels = {Path(path).with_suffix("").parts[-2:]: path for path in snakemake.input.labels}
    spec, fits = Score(**json.loads(snakemake.params.spec)), list(snakemake.input.fits)
    score.run(spec, fits, prepared, labels, "results/store", snakemake.output[0])
