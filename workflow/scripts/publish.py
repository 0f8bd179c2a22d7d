"""Build the results site, and record what a finished study comes from."""

from ironbark.pipeline.jobs import reporting
from ironbark.pipeline.jobs.artefacts import site
from ironbark.pipeline.site import results

with reporting(snakemake.log[0]):
    site.publish(results.studies(), snakemake.params.folder, snakemake.output.sheet)
