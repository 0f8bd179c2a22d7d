"""What there is to do. Imports nothing heavy, so that a dry run starts in a second; knows nothing of Snakemake."""
