"""Sparse matrices as features: distinct values of each column from the entries alone, with memory checked first."""

from collections.abc import Callable

import numpy as np

from ironbark.memory import require


def canonical(X, itemsize: Callable):
    """A csc matrix with one sorted entry for each place, after a check that its codes fit into memory."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    n_samples, n_features = X.shape
    n_levels = min(n_samples, 1 + int(np.diff(X.indptr).max()))
    require(
        2 * n_samples * n_features * itemsize(n_levels),  # trees of forests keep codes by columns and by rows
        f"a fit on a sparse X of shape {X.shape}, whose zeros are encoded too,",
        "select features, reduce them, e.g. by sklearn.decomposition.TruncatedSVD, or give fewer samples",
    )
    return X


def ranked_columns(X):
    """Distinct values and rank of each sample's value, for each column of a `canonical` matrix."""
    n_samples = X.shape[0]
    for first, last in zip(X.indptr, X.indptr[1:], strict=False):
        values = X.data[first:last]
        if last - first < n_samples:
            values = np.append(values, values.dtype.type(0))
        values, ranks = np.unique(values + 0.0 if values.dtype.kind == "f" else values, return_inverse=True)
        column = np.full(n_samples, ranks[-1])
        column[X.indices[first:last]] = ranks[: last - first]
        yield values, column


def dense(X):
    """An array as it is, and a sparse matrix as an array in C order."""
    if isinstance(X, np.ndarray):
        return X
    size = X.shape[0] * X.shape[1] * X.dtype.itemsize
    require(size, f"a sparse X of shape {X.shape} as an array", "predict fewer samples at a time")
    return X.toarray(order="C")
