"""Class-conditional noise whose rates belong to the smaller and the larger of two classes."""

import numpy as np

from ironbark.noise.class_dependent.transition import class_conditional


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
