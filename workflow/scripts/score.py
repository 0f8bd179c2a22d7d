"""Score the fits of a study and gather its result rows."""

import json

from ironbark.pipeline.job_specs import Score
from ironbark.pipeline.jobs import score
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    samples = Samples(snakemake.input.prepared, snakemake.input.labels)
    spec, fits = Score(**json.loads(snakemake.params.spec)), list(snakemake.input.fits)
    score.run(spec, fits, samples, "results/store", snakemake.output[0])
