"""Entropy, also called cross-entropy or information gain: phi(p) = -sum_k p_k ln p_k.

Quinlan (1986); Wilton and Ye (2024), Theorem 1 (b), "CE".
"""

import math

import numpy as np

from ironbark.criteria.base import EPS, Impurity, fields, log_share
from ironbark.jit import inner_kernel


class Entropy(Impurity):
    """v = sum_k X(A_k) - X(n_A) + sum_k X(B_k) - X(n_B), X(c) = c ln c in fixed point.

    Integer sums are exact in any order, so equal splits tie exactly and nothing drifts.
    Fields: `integers` is round(X(c) * a) for c = 0..n_root, `a` the scale, `b` the largest error of a gain times a.
    """

    cheap = True

    def start(self, total, n):
        return np.int64(0), summed(self.integers, total)  # sum X(A_k), sum X(B_k)

    def move(self, state, a, t, m):
        x = self.integers
        moved = state[0] + x[np.uint64(a + m)] - x[np.uint64(a)]
        return moved, state[1] + x[np.uint64(t - a - m)] - x[np.uint64(t - a)]

    def score(self, state, moved, total, n_moved, n, best):
        x = self.integers
        return float(state[0] - x[np.uint64(n_moved)] + state[1] - x[np.uint64(n - n_moved)]), state

    def origin(self, total, n):
        return float(summed(self.integers, total) - self.integers[n])

    def score_two(self, a1, n_moved, t1, n, best):
        return float(side_two(self.integers, a1, n_moved) + side_two(self.integers, t1 - a1, n - n_moved))

    def origin_two(self, t1, n):
        return float(side_two(self.integers, t1, n))

    def unit(self, n, n_root):
        return self.a * n_root

    def tolerance(self, ceiling, n, n_root):
        return max(self.b, 1e-12 * ceiling)

    def impurity(self, counts, n):
        result = 0.0
        for k in range(counts.shape[0]):
            if counts[k] > 0.0:
                result -= counts[k] * log_share(counts[k], n)
        return result


@inner_kernel
def summed(table, total):
    """Sum of the table's entries at the class counts."""
    result = table[total[0]]
    for k in range(1, total.shape[0]):
        result += table[total[k]]
    return result


@inner_kernel
def side_two(x, c1, n):
    """Value of a side of two classes; an integer, since a sum of two may have more digits than a float."""
    return x[np.uint64(c1)] + x[np.uint64(n - c1)] - x[np.uint64(n)]


def build(n_root, n_classes):
    """Entropy for nodes of up to `n_root` samples."""
    table, scale = fixed_point_xlogx(n_root)
    return Entropy(*fields(table, a=scale, b=max(EPS * n_root * scale, n_classes + 2.0)))


def fixed_point_xlogx(n, mass=0.0):
    """Table of c ln c for c = 0..n in fixed point, int64, on a scale that fits n + `mass` too, and the scale."""
    # c ln c is multiplied by a power of two: 2**38, or less where sums would not fit 63 bits.
    c = np.arange(n + 1, dtype=np.float64)
    c[1:] *= np.log(c[1:])
    largest = max(1.0, (n + mass) * math.log(n + mass))
    scale = 2.0 ** min(38, math.floor(61 - math.log2(largest)))
    return np.rint(c * scale).astype(np.int64), scale
