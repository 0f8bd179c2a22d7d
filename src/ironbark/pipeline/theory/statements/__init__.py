"""Theorems and statements of the papers, each checked numerically where it can fail."""
