"""Comparison with the numbers and statements that papers publish."""
