"""Drawings of criteria, losses and weights, without a study's results."""
