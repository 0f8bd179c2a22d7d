"""The reproduction pipeline: data, plan, jobs, results, analysis, figures and site. Needs the extra `pipeline`."""
