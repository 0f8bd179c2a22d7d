"""From the entry of a study to its grids, batches, tables and figures."""
