"""Entropy, also called cross-entropy or information gain: phi(p) = -sum_k p_k ln p_k.

Quinlan (1986); Wilton and Ye (2024), Table of losses, "CE".
"""

import math

import numpy as np

from ironbark.criteria.base import EPS, Criterion, fields, log_share


class Entropy(Criterion):
    """v = sum_k X(A_k) - X(n_A) + sum_k X(B_k) - X(n_B), X(c) = c ln c in fixed point.

    Integer sums are exact in any order, so equal splits tie exactly and nothing drifts.
    Fields: `integers` is round(X(c) * a) for c = 0..n_root, `a` the scale, `b` the largest error of a gain times a.
    """

    cheap = True

    @staticmethod
    def start(criterion, total, n):
        whole = np.int64(0)
        for k in range(total.shape[0]):
            whole += criterion.integers[total[k]]
        return np.int64(0), whole  # sum X(A_k), sum X(B_k)

    @staticmethod
    def move(criterion, state, a, t, m):
        x = criterion.integers
        moved, rest = state
        moved += x[np.uint64(a + m)] - x[np.uint64(a)]
        rest += x[np.uint64(t - a - m)] - x[np.uint64(t - a)]
        return moved, rest

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        x = criterion.integers
        return float(state[0] - x[np.uint64(n_moved)] + state[1] - x[np.uint64(n - n_moved)]), state

    @staticmethod
    def origin(criterion, total, n):
        whole = np.int64(0)
        for k in range(total.shape[0]):
            whole += criterion.integers[total[k]]
        return float(whole - criterion.integers[n])

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        x = criterion.integers
        n_rest = n - n_moved
        b1 = t1 - a1
        moved = x[np.uint64(a1)] + x[np.uint64(n_moved - a1)] - x[np.uint64(n_moved)]
        return float(moved + x[np.uint64(b1)] + x[np.uint64(n_rest - b1)] - x[np.uint64(n_rest)])

    @staticmethod
    def origin_two(criterion, t1, n):
        return float(criterion.integers[t1] + criterion.integers[n - t1] - criterion.integers[n])

    @staticmethod
    def ceiling(criterion, total, n):
        whole = criterion.integers[n]
        for k in range(total.shape[0]):
            whole -= criterion.integers[total[k]]
        return float(whole)

    @staticmethod
    def unit(criterion, n, n_root):
        return criterion.a * n_root

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        return max(criterion.b, 1e-12 * ceiling)

    @staticmethod
    def impurity(criterion, counts, n):
        result = 0.0
        for k in range(counts.shape[0]):
            if counts[k] > 0.0:
                result -= counts[k] * log_share(counts[k], n)
        return result


def build(n_root, n_classes):
    """Entropy for nodes of up to `n_root` samples."""
    table, scale = fixed_point_xlogx(n_root)
    return Entropy(*fields(table, a=scale, b=max(EPS * n_root * scale, n_classes + 2.0)))


def fixed_point_xlogx(n, mass=0.0):
    """Table of c ln c for c = 0..n in fixed point, on a scale that also holds that of n + `mass`.

    Returns
    -------
    table : ndarray of shape (n + 1,), int64
    scale : float
        The power of two that c ln c was multiplied by: 2**38, or less where sums would not fit 63 bits.
    """
    c = np.arange(n + 1, dtype=np.float64)
    c[1:] *= np.log(c[1:])
    largest = max(1.0, (n + mass) * math.log(n + mass))
    scale = 2.0 ** min(38, math.floor(61 - math.log2(largest)))
    return np.rint(c * scale).astype(np.int64), scale
