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

    def start(self, total, n):
        return np.int64(0), np.int64(0)  # the last exact D and the n_A that it belongs to

    def score(self, state, moved, total, n_moved, n, best):
        difference, at = state
        shares = self.floats[np.uint64(n_moved)] * self.floats[np.uint64(n - n_moved)]
        bound = float(difference + 2 * n * (n_moved - at))
        if bound * bound * shares <= best:
            return -np.inf, state
        difference = np.int64(0)
        for k in range(total.shape[0]):
            difference += abs(moved[k] * n - total[k] * n_moved)
        return float(difference) * float(difference) * shares, (difference, np.int64(n_moved))

    def score_two(self, a1, n_moved, t1, n, best):
        difference = 2.0 * float(a1 * n - t1 * n_moved)
        shares = self.floats[np.uint64(n_moved)] * self.floats[np.uint64(n - n_moved)]
        return difference * difference * shares

    def ceiling(self, total, n):
        return 4.0 * total[0] * total[1] if total.shape[0] == 2 else np.inf

    def unit(self, n, n_root):
        return 4.0 * float(n) * float(n)

    def tolerance(self, ceiling, n, n_root):
        return 1e-12 * 4.0 * float(n) * float(n)

    def gain(self, whole, left, right, n_left, n_right):
        difference, n = 0.0, n_left + n_right
        for k in range(left.shape[0]):
            difference += abs(left[k] * n_right - right[k] * n_left)
        difference /= 2.0 * n
        return difference * difference / (n_left * n_right)


def build(n_root, n_classes):
    """Twoing for nodes of up to `n_root` samples."""
    return Twoing(*fields(floats=inverses(n_root)))
