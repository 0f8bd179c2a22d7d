"""Print what the studies will cost."""

from ironbark.pipeline.log import reporting

with reporting(snakemake.log[0]):
    print("\n".join(snakemake.params.lines))
