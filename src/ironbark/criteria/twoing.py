"""Twoing: gain = n_L n_R / (4 n^2) (sum_k |p_L,k - p_R,k|)^2.

Breiman, Friedman, Olshen, Stone (1984), section 4.3. With two classes it orders splits as Gini does. Unlike the code
that came with Wilton and Ye (2024), the search never stops early by comparing this score with an impurity.
"""

import numpy as np

from ironbark.criteria.base import Criterion, fields
from ironbark.criteria.gini import inverses


class Twoing(Criterion):
    """v = D^2 / (n_A n_B) with D = sum_k |A_k n - t_k n_A|, an exact integer.

    One moved sample changes D by at most 2 n, which bounds v from above between exact evaluations.
    Field `floats` holds 1 / n for n = 0..n_root.
    """

    weighted = False

    @staticmethod
    def start(criterion, total, n):
        return np.int64(0), np.int64(0)  # the last exact D and the n_A that it belongs to

    @staticmethod
    def move(criterion, state, a, t, m):
        return state

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        difference, at = state
        shares = criterion.floats[np.uint64(n_moved)] * criterion.floats[np.uint64(n - n_moved)]
        bound = float(difference + 2 * n * (n_moved - at))
        if bound * bound * shares <= best:
            return -np.inf, state
        difference = np.int64(0)
        for k in range(total.shape[0]):
            difference += abs(moved[k] * n - total[k] * n_moved)
        return float(difference) * float(difference) * shares, (difference, np.int64(n_moved))

    @staticmethod
    def origin(criterion, total, n):
        return 0.0

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        difference = 2.0 * float(a1 * n - t1 * n_moved)
        shares = criterion.floats[np.uint64(n_moved)] * criterion.floats[np.uint64(n - n_moved)]
        return difference * difference * shares

    @staticmethod
    def origin_two(criterion, t1, n):
        return 0.0

    @staticmethod
    def ceiling(criterion, total, n):
        if total.shape[0] == 2:
            return 4.0 * total[0] * total[1]
        return np.inf

    @staticmethod
    def unit(criterion, n, n_root):
        return 4.0 * float(n) * float(n)

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        return 1e-12 * 4.0 * float(n) * float(n)

    @staticmethod
    def impurity(criterion, counts, n):
        return 0.0

    @staticmethod
    def gain(criterion, whole, left, right, n_left, n_right):
        difference, n = 0.0, n_left + n_right
        for k in range(left.shape[0]):
            difference += abs(left[k] * n_right - right[k] * n_left)
        difference /= 2.0 * n
        return difference * difference / (n_left * n_right)

    @staticmethod
    def bound(criterion, whole, total, n):
        if total.shape[0] == 2:
            return total[0] * total[1] / (n * n)
        return np.inf

    @staticmethod
    def floors(criterion):
        return 1e-12, 0.0, 0.0


def build(n_root, n_classes):
    """Twoing for nodes of up to `n_root` samples."""
    return Twoing(*fields(floats=inverses(n_root)))
