"""Gini impurity, also called MSE: phi(p) = 1 - sum_k p_k^2.

Breiman, Friedman, Olshen, Stone (1984), chapter 4; Wilton and Ye (2024), Table of losses, "MSE".
"""

import numpy as np

from ironbark.criteria.base import Criterion, fields
from ironbark.jit import kernel


class Gini(Criterion):
    """v = sum_k A_k^2 / n_A + sum_k B_k^2 / n_B; with two classes v = 2 T^2 / (n n_A n_B), T = A_1 n - t_1 n_A.

    Field `floats` holds 1 / n for n = 0..n_root.
    """

    cheap = True

    @staticmethod
    def start(criterion, total, n):
        squares = 0
        for k in range(total.shape[0]):
            squares += total[k] * total[k]
        return 0, 0, squares  # sum A_k^2, sum A_k t_k, sum t_k^2

    @staticmethod
    def move(criterion, state, a, t, m):
        squares, products, total = state
        return squares + m * (2 * a + m), products + m * t, total

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        squares, products, whole = state
        rest = whole - 2 * products + squares
        v = squares * criterion.floats[np.uint64(n_moved)] + rest * criterion.floats[np.uint64(n - n_moved)]
        return v, state

    @staticmethod
    def origin(criterion, total, n):
        squares = 0
        for k in range(total.shape[0]):
            squares += total[k] * total[k]
        return squares / n

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        difference = float(a1 * n - t1 * n_moved)
        inverse = criterion.floats[np.uint64(n_moved)] * criterion.floats[np.uint64(n - n_moved)]
        return 2.0 * difference * difference * criterion.floats[np.uint64(n)] * inverse

    @staticmethod
    def origin_two(criterion, t1, n):
        return 0.0

    @staticmethod
    def ceiling(criterion, total, n):
        squares = 0
        for k in range(total.shape[0]):
            squares += total[k] * total[k]
        return n - squares / n

    @staticmethod
    def impurity(criterion, counts, n):
        return spread(counts, n) / n


@kernel
def spread(counts, n):
    """sum_k c_k (n - c_k), which is n^2 - sum_k c_k^2."""
    result = 0.0
    for k in range(counts.shape[0]):
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
