"""Thresholds of one feature: its samples in order of value, and the best place to part them."""
