"""Data of the results site: what its pages and scripts read."""
