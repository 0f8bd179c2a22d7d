"""Theorems of the papers, checked against the estimators: definitions in plain numpy, one function per statement."""
