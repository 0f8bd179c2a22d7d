"""Gini impurity, also called MSE: phi(p) = 1 - sum_k p_k^2.

Breiman, Friedman, Olshen, Stone (1984), chapter 4; Wilton and Ye (2024), Theorem 1 (a), "MSE".
"""

import numpy as np

from ironbark.criteria.base import Impurity, fields, origin
from ironbark.jit import inner_kernel


class SumsOfSquares(Impurity):
    """An impurity of the sums of the squared class counts of both sides."""

    def start(self, total, n):
        return 0, 0, squares(total)  # sum A_k^2, sum A_k t_k, sum t_k^2

    def move(self, state, a, t, m):
        return state[0] + m * (2 * a + m), state[1] + m * t, state[2]


class Gini(SumsOfSquares):
    """v = sum_k A_k^2 / n_A + sum_k B_k^2 / n_B; with two classes v = 2 T^2 / (n n_A n_B), T = A_1 n - t_1 n_A.

    Field `floats` holds 1 / n for n = 0..n_root.
    """

    cheap = True

    def score(self, state, moved, total, n_moved, n, best):
        squares, products, whole = state
        rest = whole - 2 * products + squares
        return squares * self.floats[np.uint64(n_moved)] + rest * self.floats[np.uint64(n - n_moved)], state

    def origin(self, total, n):
        return squares(total) / n

    def score_two(self, a1, n_moved, t1, n, best):
        difference = float(a1 * n - t1 * n_moved)
        inverse = self.floats[np.uint64(n_moved)] * self.floats[np.uint64(n - n_moved)]
        return 2.0 * difference * difference * self.floats[np.uint64(n)] * inverse

    def origin_two(self, t1, n):
        return 0.0

    def ceiling(self, total, n):
        return n - origin(self, total, n)

    def impurity(self, counts, n):
        return spread(counts, n) / n


@inner_kernel
def squares(total):
    """Sum of the squared class counts."""
    result = np.int64(0)
    for k in range(total.shape[0]):
        result += total[k] * total[k]
    return result


@inner_kernel
def spread(counts, n):
    """sum_k c_k (n - c_k), which is n^2 - sum_k c_k^2; exact for integers."""
    result = counts[0] * (n - counts[0])
    for k in range(1, counts.shape[0]):
        result += counts[k] * (n - counts[k])
    return result


def build(n_root, n_classes):
    """Gini for nodes of up to `n_root` samples."""
    return Gini(*fields(floats=inverses(n_root)))


def inverses(n):
    """Table of 1 / i for i = 0..n, with 0 for i = 0; float64 of shape (n + 1,)."""
    table = np.zeros(n + 1)
    table[1:] = 1.0 / np.arange(1, n + 1)
    return table
