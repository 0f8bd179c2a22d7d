"""The plan of a run. Imports nothing heavy, so that a dry run starts in a second, and is independent of Snakemake."""
