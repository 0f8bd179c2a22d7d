"""The work behind the rules of the pipeline, one module per rule, independent of Snakemake."""
