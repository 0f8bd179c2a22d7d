"""Noise in which the rarest class loses labels."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.selection import flip, others, reaching


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
