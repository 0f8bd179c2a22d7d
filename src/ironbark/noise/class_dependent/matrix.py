"""Noise of a transition matrix: one that is given, or a random one of given trace."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption, draw, pick


def matrix(X, y: np.ndarray, n_classes: int, rate, rng, *, matrix=None, exact: bool = False) -> Corruption:
    """Draw each label from the row of its true class in a matrix that is given.

    Parameters
    ----------
    matrix : array-like of shape (n_classes, n_classes)
        Entry (i, j) is the probability that true class i gets label j. Rows sum to one.
    exact : bool
        False: labels are drawn independently. True: of the n_i samples of class i, as many get label j as n_i times
        the entry (i, j) says, rounded by the largest remainder; which ones is drawn.

    Raises
    ------
    InputError
        If the matrix has another number of classes.
    """
    transition = np.array(matrix, np.float64)
    if len(transition) != n_classes:
        k = len(transition)
        raise InputError(
            f"noise 'matrix' has a {k} x {k} matrix, but there are {n_classes} classes; give one for them."
        )
    transition /= transition.sum(axis=1, keepdims=True)
    return Corruption((_apportioned if exact else draw)(transition, y, rng), transition)


def random_matrix(X, y, n_classes, rate, rng, *, spread=0.5, exact=False) -> Corruption:
    """Draw a matrix whose diagonal has the mean 1 - rate, then labels from its rows.

    Parameters
    ----------
    X, y, n_classes, rng, exact
        As for `matrix`.
    rate : float in [0, (K - 1) / K)
        Mean over the classes of the probability that a label changes; the trace is K (1 - rate).
    spread : float in [0, 1]
        How far the classes differ: 0 for the same rate in all of them, 1 for rates from 0 or up to 1.

    Notes
    -----
    With u_i drawn uniformly from [0, 1), v = u - mean(u) and s = spread min(rate, 1 - rate), class i changes with
    probability ``rate + s v_i / max |v|``. This mass is distributed over the other classes by a flat Dirichlet
    distribution, that is, uniformly on the simplex. A class may lose the majority of its labels to one other class.
    """
    u = rng.random(n_classes)
    deviation = u - u.mean()
    changed = rate + spread * min(rate, 1 - rate) * deviation / np.abs(deviation).max()
    transition = np.zeros((n_classes, n_classes))
    for true in range(n_classes):
        shares = rng.dirichlet(np.ones(n_classes - 1))
        transition[true, np.arange(n_classes) != true] = changed[true] * shares
    np.fill_diagonal(transition, 1 - transition.sum(axis=1))
    return matrix(X, y, n_classes, None, rng, matrix=transition, exact=exact)


def _apportioned(transition, y, rng):
    """Labels whose counts follow the rows, rounded by the largest remainder."""
    labels = y.copy()
    for true in np.unique(y):
        rows = np.flatnonzero(y == true)
        quotas = transition[true] * len(rows)
        counts = np.floor(quotas).astype(np.int64)
        largest = np.argsort(-(quotas - counts), kind="stable")
        counts[largest[: len(rows) - counts.sum()]] += 1
        labels[pick(rows, len(rows), rng)] = np.repeat(np.arange(len(counts)), counts)
    return labels
