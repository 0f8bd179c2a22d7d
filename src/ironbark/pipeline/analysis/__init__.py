"""From result rows to tables, tests and the comparison with published values. Import the modules by name."""
