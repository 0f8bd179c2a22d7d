"""Noise whose probabilities depend on the features of a sample."""
