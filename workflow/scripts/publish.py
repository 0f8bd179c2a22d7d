"""Build the results site, and record what a finished study comes from."""

from ironbark.pipeline.jobs import site
from ironbark.pipeline.log import reporting
from ironbark.pipeline.site import numbers

with reporting(snakemake.log[0]):
    site.publish(numbers.studies(), snakemake.params.folder, snakemake.output.sheet)
