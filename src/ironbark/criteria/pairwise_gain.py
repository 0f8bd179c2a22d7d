"""Pairwise gain of two classes: gain = |L_0 R_1 - L_1 R_0| / 2, from raw counts.

Yang, Gao and Li (2019), section V. Its choice of split does not change in expectation when labels flip with fixed
probabilities per class (their Theorem 1).
"""

from ironbark.criteria.base import EPS, Criterion, fields


class PairwiseGain(Criterion):
    """v = |A_1 n - t_1 n_A|, in integers."""

    cheap = True

    def score(self, state, moved, total, n_moved, n, best):
        return float(abs(moved[1] * n - total[1] * n_moved)), state

    def score_two(self, a1, n_moved, t1, n, best):
        return float(abs(a1 * n - t1 * n_moved))

    def ceiling(self, total, n):
        return float(total[0] * total[1])

    def unit(self, n, n_root):
        return 2.0

    def tolerance(self, ceiling, n, n_root):
        return 0.0  # v is an integer, so exact

    def gain(self, whole, left, right, n_left, n_right):
        return 0.5 * abs(left[0] * right[1] - left[1] * right[0])

    def floors(self):
        return 0.0, 0.0, 8.0 * EPS


def build(n_root, n_classes):
    """Pairwise gain of two classes."""
    if n_classes > 2:
        raise ValueError(f"criterion 'pairwise_gain' needs two classes, but y has {n_classes}.")
    return PairwiseGain(*fields())
