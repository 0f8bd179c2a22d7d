"""Slow, obvious twins of the criteria, written from the definitions alone.

Gains take class counts of shape (..., n_classes) of the left and the right child. Impurity gains are in fractions of
the training set, ``w phi(S) - w_L phi(L) - w_R phi(R)`` with ``w = n / n_root``; the others look at the node alone.
"""

import numpy as np
from scipy.special import xlogy

from ironbark.criteria import CRITERIA


def gini(p, _=None):
    return 1 - (p**2).sum(axis=-1)


def entropy(p, _=None):
    return -xlogy(p, p).sum(axis=-1)


def misclassification(p, _=None):
    return 1 - p.max(axis=-1)


def sqrt_gini(p, _=None):
    n_classes = p.shape[-1]
    return np.sqrt(np.maximum(0, (n_classes - 1) / n_classes * gini(p)))


def negative_exponential(p, lam):
    return sqrt_gini(p) if lam == 0 else np.minimum(misclassification(p), lam * sqrt_gini(p))


def generalized_cross_entropy(p, q):
    if q == 0:
        return entropy(p)
    if q >= 1:
        return misclassification(p)
    r, largest = 1 / (1 - q), p.max(axis=-1, keepdims=True)
    log_norm = np.log(largest[..., 0]) + np.log(((p / largest) ** r).sum(axis=-1)) / r
    return -np.expm1(log_norm) / q


IMPURITIES = {
    "gini": gini,
    "entropy": entropy,
    "misclassification": misclassification,
    "sqrt_gini": sqrt_gini,
    "negative_exponential": negative_exponential,
    "generalized_cross_entropy": generalized_cross_entropy,
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
