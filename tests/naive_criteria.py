"""Slow, obvious twins of the criteria, written from the definitions alone; impurities are those of the figures.

Gains take class counts of shape (..., n_classes) of the left and the right child. Impurity gains are in fractions of
the training set, ``w phi(S) - w_L phi(L) - w_R phi(R)`` with ``w = n / n_root``; the others look at the node alone.
"""

import numpy as np

from ironbark.criteria import CRITERIA
from ironbark.pipeline.figures import impurities
from ironbark.pipeline.figures.impurities import entropy, generalized_cross_entropy

IMPURITIES = {
    "gini": lambda p, _=None: impurities.gini(p),
    "entropy": lambda p, _=None: entropy(p),
    "misclassification": lambda p, _=None: impurities.misclassification(p),
    "sqrt_gini": lambda p, _=None: impurities.sqrt_gini(p),
    "negative_exponential": impurities.negative_exponential,
    "generalized_cross_entropy": lambda p, q: generalized_cross_entropy(p, min(q, 1)),
}


def twoing(left, right):
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    distance = np.abs(left / n_left[..., None] - right / n_right[..., None]).sum(axis=-1)
    return n_left * n_right / (4 * (n_left + n_right) ** 2) * distance**2


def pairwise_gain(left, right):
    return 0.5 * np.abs(left[..., 0] * right[..., 1] - left[..., 1] * right[..., 0])


def upper_entropy(counts, s):
    """Entropy of (counts + mass) / (n + s), the mass s poured on the lowest counts like water.

    Water of level h over the j lowest counts takes j h - sum of them; the level is the smallest over all j.
    """
    ascending = np.sort(counts, axis=-1)
    level = ((s + np.cumsum(ascending, axis=-1)) / np.arange(1, counts.shape[-1] + 1)).min(axis=-1, keepdims=True)
    return entropy(np.maximum(counts, level) / (counts.sum(axis=-1, keepdims=True) + s))


def credal(left, right, s):
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    high_left, high_right = upper_entropy(left, s), upper_entropy(right, s)
    expected = n_left * high_left + n_right * high_right + s * np.maximum(high_left, high_right)
    return upper_entropy(left + right, s) - expected / (n_left + n_right + s)


def impurity_gain(phi, left, right, n_root, parameter):
    def weighted(counts):
        n = counts.sum(axis=-1, keepdims=True)
        return n[..., 0] / n_root * phi(counts / n, parameter)

    return weighted(left + right) - weighted(left) - weighted(right)


def gain(name, left, right, n_root, parameter=None):
    """Gain of splits by criterion `name`."""
    left, right = np.asarray(left, float), np.asarray(right, float)
    if name == "twoing":
        return twoing(left, right)
    if name == "pairwise_gain":
        return pairwise_gain(left, right)
    if name == "credal":
        return credal(left, right, parameter)
    return impurity_gain(IMPURITIES[name], left, right, n_root, parameter)


#: Criteria with values of their parameters, the ends of the ranges included.
SETTINGS = [
    *(("gini", None), ("entropy", None), ("misclassification", None), ("sqrt_gini", None)),
    *(("negative_exponential", lam) for lam in (0, 0.05, 0.5, 0.8, 1)),
    *(("generalized_cross_entropy", q) for q in (0, 0.3, 0.7, 1)),
    *(("credal", s) for s in (0.5, 1.0, 2.5)),
    *(("twoing", None), ("twoing_rdts", None), ("pairwise_gain", None)),
]


def settings(*class_counts):
    """(name, parameters of an estimator, number of classes) of every criterion that can have so many classes."""
    return [
        (name, {} if value is None else {CRITERIA[name].parameter: value}, n_classes)
        for name, value in SETTINGS
        for n_classes in class_counts
        if n_classes == 2 or "multiclass" in CRITERIA[name].tasks
    ]
