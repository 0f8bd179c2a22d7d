"""Noise that looks at the label only: no noise, uniform, class-conditional and pair flip.

All functions take ``(X, y, n_classes, rate, rng, **params)``: X is ignored, y is an int64 array of codes 0..K-1, rng a
numpy Generator. They return a `Corruption`.
"""

import numpy as np

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
