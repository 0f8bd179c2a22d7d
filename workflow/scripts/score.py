"""Score the fits of a study and gather its result rows."""

import json
from pathlib import Path

from ironbark.pipeline.job_specs import Score
from ironbark.pipeline.jobs import score
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    labels, prepared = Path(snakemake.input.labels[0]).parents[1], Path(snakemake.input.prepared[0]).parent
    spec, fits = Score(**json.loads(snakemake.params.spec)), list(snakemake.input.fits)
    score.run(spec, fits, labels, prepared, "results/store", snakemake.output[0])
