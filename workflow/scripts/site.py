"""Build the results site from what is on disk."""

from ironbark.pipeline.jobs import site
from ironbark.pipeline.log import reporting
from ironbark.pipeline.site import numbers

with reporting(snakemake.log[0]):
    site.run(numbers.studies(), snakemake.params.folder)
