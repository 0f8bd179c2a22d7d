"""Impurities and losses as the papers define them, in plain numpy.

Each impurity takes class shares along the last axis, p >= 0 with sum 1, and drops that axis.

References
----------
Wilton and Ye (2024), Robust Loss Functions for Training Decision Trees with Noisy Labels, AAAI: Theorem 1, Theorem 8.
"""

import numpy as np
from scipy.special import xlogy


def gini(p):
    """1 - sum p_k^2."""
    return 1 - np.sum(np.square(p), axis=-1)


def entropy(p):
    """- sum p_k ln p_k."""
    return -np.sum(xlogy(p, p), axis=-1)


def misclassification(p):
    """1 - max p_k."""
    return 1 - np.max(p, axis=-1)


def sqrt_gini(p):
    """sqrt((K - 1) / K gini(p))."""
    k = np.shape(p)[-1]
    return np.sqrt((k - 1) / k * np.maximum(gini(p), 0))


def negative_exponential(p, lam):
    """min{misclassification(p), lam sqrt_gini(p)}; its limit sqrt_gini for lam = 0."""
    return sqrt_gini(p) if lam == 0 else np.minimum(misclassification(p), lam * sqrt_gini(p))


def generalized_cross_entropy(p, q):
    """(1 - (sum p_k^r)^(1/r)) / q with r = 1 / (1 - q); entropy for q = 0, misclassification(p) / q from 1 on."""
    if q == 0:
        return entropy(p)
    if q >= 1:
        return misclassification(p) / q
    r, p = 1 / (1 - q), np.asarray(p)
    top = np.max(p, axis=-1)
    return (1 - top * np.sum((p / top[..., None]) ** r, axis=-1) ** (1 / r)) / q


def two_classes(p):
    """Shares of two classes from that of the second."""
    p = np.asarray(p, dtype=float)
    return np.stack([1 - p, p], axis=-1)


def risk_reduction(phi, parent, left, right):
    """Decrease of phi by a split of two classes, from the shares of class 1 in parent and children."""
    share = (right - parent) / (right - left)
    children = share * phi(two_classes(left)) + (1 - share) * phi(two_classes(right))
    return float(phi(two_classes(parent)) - children), float(share)


def negative_exponential_loss(margin, mu):
    """min{1, exp(-margin - mu)}."""
    return np.minimum(1, np.exp(-np.asarray(margin) - mu))
