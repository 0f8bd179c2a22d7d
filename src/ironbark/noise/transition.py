"""Noise that looks at the label only: no noise, uniform, class-conditional and pair flip.

All functions take ``(X, y, n_classes, rate, rng, **params)``: X is ignored, y is an int64 array of codes 0..K-1, rng a
numpy Generator. They return a `Corruption`.
"""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption, draw, pick, rounded


def clean(X, y, n_classes, rate, rng):
    """No noise at all."""
    return Corruption(y.copy(), np.eye(n_classes))


def uniform(X, y, n_classes, rate, rng, *, exact: bool = False):
    """Replace a label by one of the other K - 1 classes, all equally likely.

    Parameters
    ----------
    rate : float in [0, (K - 1) / K)
    exact : bool
        False: each label is replaced with probability `rate`, independently. True: round(rate * n) labels, drawn at
        random, are replaced.

    References
    ----------
    Wilton and Ye, "Robust Loss Functions for Training Decision Trees with Noisy Labels", AAAI 2024, section on
    experiments.
    """
    transition = np.full((n_classes, n_classes), rate / (n_classes - 1))
    np.fill_diagonal(transition, 1 - rate)
    if not exact:
        return Corruption(draw(transition, y, rng), transition)
    labels = y.copy()
    rows = pick(np.arange(len(y)), rounded(rate, len(y)), rng)
    labels[rows] = (y[rows] + rng.integers(1, n_classes, len(rows))) % n_classes
    return Corruption(labels, transition)


def class_conditional(X, y, n_classes, rate, rng):
    """Flip each of two classes with a probability of its own, independently for each sample.

    Parameters
    ----------
    rate : tuple of two floats
        P(0 -> 1) and P(1 -> 0), with a sum below 1. Class 1 is the larger label, the positive class.

    References
    ----------
    Yang, Gao and Li, "On the Robust Splitting Criterion of Random Forest", ICDM 2019: (tau-, tau+).
    """
    up, down = rate
    transition = np.array([[1 - up, up], [down, 1 - down]])
    return Corruption(draw(transition, y, rng), transition)


def pair_flip(X, y, n_classes, rate, rng, *, last: str = "wrap"):
    """Turn exactly round(rate * n_i) samples of each class i into the next class, i + 1.

    Parameters
    ----------
    rate : float in [0, 0.5)
    last : {"wrap", "keep"}
        Whether the last class turns into the first one or keeps its labels.

    Notes
    -----
    The published matrix of the Robust-GBDT paper gives the last row the sum 1 - rate; "wrap" is the usual completion.
    The result depends on the order of the classes.
    """
    n_flipping = n_classes if last == "wrap" else n_classes - 1
    labels, transition = y.copy(), np.eye(n_classes)
    for true in range(n_flipping):
        following = (true + 1) % n_classes
        transition[true, true], transition[true, following] = 1 - rate, rate
        rows = np.flatnonzero(y == true)
        labels[pick(rows, rounded(rate, len(rows)), rng)] = following
    return Corruption(labels, transition)


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
