"""Noise whose probabilities depend on the true class alone."""
