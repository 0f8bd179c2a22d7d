"""Impurity of the nodes of a grown tree, in the units of its criterion."""

import numpy as np

from ironbark.criteria import build
from ironbark.criteria.base import ceiling, impurity, unit
from ironbark.jit import kernel


def node_impurities(name, parameters, counts):
    """Impurity of each node by the criterion, or Gini impurity if the criterion is no impurity.

    Parameters
    ----------
    name : str
        Of a criterion.
    parameters : dict
        Value of the criterion's parameter, if it has one, by name.
    counts : ndarray of shape (node_count, n_classes), int32, int64 or float64
        Class weights; row 0 is the root.

    Returns
    -------
    ndarray of shape (node_count,), float64
    """
    real, n_classes = counts.dtype.kind == "f", max(2, counts.shape[1])
    n_root = 1 if real else int(counts[0].sum())
    criterion = build(name, n_root, n_classes, parameters)
    if not criterion.weighted:  # twoing, credal and pairwise gain judge pairs of children
        return 1.0 - np.square(counts / counts.sum(axis=1, keepdims=True)).sum(axis=1)
    result = np.empty(len(counts))
    if real:
        fill_real(criterion, counts, result)
    else:
        fill(criterion, counts.astype(np.int64, copy=False), n_root, result)  # criteria square them
    return result


@kernel
def fill(criterion, counts, n_root, result):
    """The gain of a split into pure children is the impurity times the node's share, and the ceiling of gains."""
    for row in range(counts.shape[0]):
        n, largest = 0, 0
        for k in range(counts.shape[1]):
            n += counts[row, k]
            largest = max(largest, counts[row, k])
        gain = ceiling(criterion, counts[row], n) / unit(criterion, n, n_root)
        result[row] = 0.0 if n == largest else max(0.0, gain * n_root / n)


@kernel
def fill_real(criterion, counts, result):
    """Impurities of nodes whose weights are no integers."""
    for row in range(counts.shape[0]):
        n = 0.0
        for k in range(counts.shape[1]):
            n += counts[row, k]
        result[row] = impurity(criterion, counts[row], n) / n
