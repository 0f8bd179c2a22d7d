"""Collections of data sets, each with a way to ask for one."""
