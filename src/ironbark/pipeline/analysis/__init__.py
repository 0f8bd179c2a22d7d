"""From result rows to tables, tests and the comparison with printed numbers. Import the modules by name."""
