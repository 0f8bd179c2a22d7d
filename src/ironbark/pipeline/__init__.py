"""The reproduction pipeline: data, plan, jobs, results, tables, figures and site. Needs the extra `pipeline`."""
