"""Losses of gradient boosting: their definitions, kernels over the samples, and corrections for label noise."""
