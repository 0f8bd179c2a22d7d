"""What fits and jobs cost: seconds, memory, disk."""
