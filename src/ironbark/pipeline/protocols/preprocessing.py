"""Transformations of the features of each sample, independent of other samples.

Importing this module loads no numpy, so that the planner can check names.
"""

from ironbark.errors import InputError

CATEGORIES = "categories"


def zscore_rows(X):
    """Each sample minus the mean of its features, over their standard deviation (divisor d); 0 where that is 0."""
    # As the Python demo of the RMBoost paper does. It changes trees, which a scaling of features does not.
    import numpy as np

    X = np.asarray(X, dtype=np.float64)
    centred = X - X.mean(axis=1, keepdims=True)
    deviation = centred.std(axis=1, keepdims=True)
    return np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0)


def categories(X):
    """The same features: those that were text or categories are marked before, for trees to part them by levels."""
    return X


#: Name -> function of an array of shape (n_samples, n_features) that returns one of the same shape.
PREPROCESSING = {"zscore-rows": zscore_rows, CATEGORIES: categories}


def check(name):
    """Raise InputError unless the name, or None, is known."""
    if name is not None and name not in PREPROCESSING:
        raise InputError(f"unknown preprocessing {name!r}; choose one of {', '.join(PREPROCESSING)}, or leave it out")


def apply(name, X):
    """Features after the preprocessing of that name; unchanged for None."""
    return X if name is None else PREPROCESSING[name](X)
