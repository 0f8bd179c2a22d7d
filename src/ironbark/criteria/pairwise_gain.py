"""Pairwise gain of two classes: gain = |L_0 R_1 - L_1 R_0| / 2, from raw counts.

Yang, Gao and Li (2019), Definition 1. Its choice of split does not change in expectation when labels flip with fixed
probabilities per class (their Theorem 1).
"""

import numpy as np

from ironbark.criteria.base import EPS, Criterion, fields


class PairwiseGain(Criterion):
    """v = |A_1 n - t_1 n_A|, in integers."""

    cheap = True
    weighted = False

    @staticmethod
    def start(criterion, total, n):
        return np.int64(0), np.int64(0)

    @staticmethod
    def move(criterion, state, a, t, m):
        return state

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        return float(abs(moved[1] * n - total[1] * n_moved)), state

    @staticmethod
    def origin(criterion, total, n):
        return 0.0

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        return float(abs(a1 * n - t1 * n_moved))

    @staticmethod
    def origin_two(criterion, t1, n):
        return 0.0

    @staticmethod
    def ceiling(criterion, total, n):
        return float(total[0] * total[1])

    @staticmethod
    def unit(criterion, n, n_root):
        return 2.0

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        return 0.0  # v is an integer, so exact

    @staticmethod
    def impurity(criterion, counts, n):
        return 0.0

    @staticmethod
    def gain(criterion, whole, left, right, n_left, n_right):
        return 0.5 * abs(left[0] * right[1] - left[1] * right[0])

    @staticmethod
    def bound(criterion, whole, total, n):
        return 0.5 * total[0] * total[1]

    @staticmethod
    def floors(criterion):
        return 0.0, 0.0, 8.0 * EPS


def build(n_root, n_classes):
    """Pairwise gain.

    Raises
    ------
    ValueError
        If there are more than two classes.
    """
    if n_classes > 2:
        raise ValueError(f"criterion 'pairwise_gain' needs two classes, but y has {n_classes}.")
    return PairwiseGain(*fields())
