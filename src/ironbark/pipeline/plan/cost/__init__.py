"""Cost of fits and jobs: seconds, memory, disk."""
