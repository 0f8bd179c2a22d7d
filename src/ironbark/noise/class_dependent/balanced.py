"""Noise that leaves the class counts of an imbalanced binary problem as they are."""

import numpy as np

from ironbark.noise.base import Corruption, frequencies, pick, rounded


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
