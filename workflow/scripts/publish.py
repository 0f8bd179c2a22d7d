"""Build the results site, and describe a finished study as a Workflow Run RO-Crate."""

from ironbark.pipeline.jobs import reporting
from ironbark.pipeline.jobs.artefacts import site
from ironbark.pipeline.site.data import studies

with reporting(snakemake.log[0]):
    params, outputs = snakemake.params, list(snakemake.input.outputs)
    site.publish(studies.read("results"), params.folder, snakemake.output.sheet, outputs, params.settings)
