"""Noise of two classes by their sizes: rates of the smaller and the larger one, balanced swaps, a rare class."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.arrays import flip, others, reaching
from ironbark.noise.base import Corruption, frequencies, pick, rounded
from ironbark.noise.transition import class_conditional


def class_conditional_by_size(X, y: np.ndarray, n_classes: int, rate, rng):
    """Flip the smaller and the larger of two classes with a probability each, independently for each sample.

    Parameters
    ----------
    rate : tuple of two floats
        Of the smaller and of the larger class, with a sum below 1.

    Notes
    -----
    Yang, Gao and Li (2019) flip two classes at different rates and do not say which class has which. This is the
    reading in which one rule holds for all data sets, whatever their labels are called.
    """
    counts = np.bincount(y, minlength=2)
    rates = rate if counts[0] < counts[1] else rate[::-1]
    return class_conditional(X, y, n_classes, rates, rng)


def balanced(X, y: np.ndarray, n_classes: int, rate, rng) -> Corruption:
    """Swap labels between k samples of the minority class and k of the majority class, k = round(rate * n_minority).

    Parameters
    ----------
    rate : float in [0, 0.5)
        Fraction of wrong labels in the noisy minority class.

    Notes
    -----
    The majority samples are drawn among the original ones, so no sample is flipped twice. Only 2 k of the n labels
    change, which is little when the minority is small. This is the binary noise of the Robust-GBDT paper.
    """
    counts = np.bincount(y, minlength=2)
    minority = 1 if counts[1] <= counts[0] else 0
    k = rounded(rate, counts[minority])
    labels = y.copy()
    labels[pick(np.flatnonzero(y == minority), k, rng)] = 1 - minority
    labels[pick(np.flatnonzero(y == 1 - minority), k, rng)] = minority
    return Corruption(labels, frequencies(y, labels, n_classes))


def rare_class(X, y: np.ndarray, n_classes: int, rate, rng, *, exact: bool = False):
    """Change labels of the rarest class to other classes, in proportion to how frequent these are.

    Parameters
    ----------
    rate : float in [0, 1)
        Fraction of the labels of the rarest class.
    exact : bool
        False: each label of the class changes independently. True: round(rate * size of the class) labels change.

    Raises
    ------
    InputError
        If only one class occurs in y.
    """
    counts = np.bincount(y, minlength=n_classes)
    present = np.flatnonzero(counts)
    if len(present) < 2:
        raise InputError("noise 'rare_class' needs samples of at least 2 classes, but y holds only one.")
    rarest = present[counts[present] == counts[present].min()][-1]
    inside = y == rarest
    probabilities = np.zeros(len(y))
    probabilities[inside] = reaching("rare_class", np.ones(inside.sum()), rate, exact)
    return flip(y, probabilities, others(y, n_classes, counts), n_classes, rng, exact)
