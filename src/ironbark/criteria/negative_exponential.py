"""Negative exponential loss: phi(p) = min{1 - max_k p_k, lambda sqrt((K-1)/K (1 - sum_k p_k^2))}.

Wilton and Ye (2024), Section 5. lambda = 0 stands for the limit of phi / lambda, the square root of Gini; from
lambda = 1 on the impurity is misclassification.
"""

import math

import numpy as np

from ironbark.criteria import misclassification, sqrt_gini
from ironbark.criteria.base import Criterion, fields
from ironbark.criteria.gini import spread
from ironbark.criteria.misclassification import largest, largest_rest
from ironbark.criteria.sqrt_gini import squares
from ironbark.jit import kernel


class NegativeExponential(Criterion):
    """v = -(h(A) + h(B)), h(c) = min{n - max_k c_k, l sqrt(n^2 - sum_k c_k^2)}, l = lambda sqrt((K-1)/K).

    The misclassification branch of h is an integer, so where node and children lie on it, gains are exact.
    Fields: `a` is l, `b` is lambda.
    """

    @staticmethod
    def start(criterion, total, n):
        return (
            np.int64(0),
            np.int64(0),
            squares(total),
            np.int64(0),
            np.int64(n),
        )  # as sqrt_gini; max A_k, max B_k bound

    @staticmethod
    def move(criterion, state, a, t, m):
        s, products, whole, largest, bound = state
        return s + m * (2 * a + m), products + m * t, whole, max(largest, a + m), bound

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        s, products, whole, largest, bound = state
        n_rest = n - n_moved
        left = min(criterion.a * math.sqrt(float(n_moved * n_moved - s)), float(n_moved - largest))
        root = criterion.a * math.sqrt(float(n_rest * n_rest - (whole - 2 * products + s)))
        if -(left + min(root, float(n_rest - bound))) <= best:
            return -np.inf, state
        bound = largest_rest(moved, total)
        return -(left + min(root, float(n_rest - bound))), (s, products, whole, largest, bound)

    @staticmethod
    def origin(criterion, total, n):
        return -risk(criterion, total, n)

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        b1 = t1 - a1
        a0 = n_moved - a1
        b0 = n - n_moved - b1
        left = min(criterion.b * math.sqrt(float(a0 * a1)), float(min(a0, a1)))
        return -(left + min(criterion.b * math.sqrt(float(b0 * b1)), float(min(b0, b1))))

    @staticmethod
    def origin_two(criterion, t1, n):
        t0 = n - t1
        return -min(criterion.b * math.sqrt(float(t0 * t1)), float(min(t0, t1)))

    @staticmethod
    def ceiling(criterion, total, n):
        return risk(criterion, total, n)

    @staticmethod
    def impurity(criterion, counts, n):
        return min(criterion.a * math.sqrt(spread(counts, n)), n - largest(counts))


@kernel
def risk(criterion, total, n):
    """n phi of a node of integer counts."""
    return min(criterion.a * math.sqrt(float(n * n - squares(total))), float(n - largest(total)))


def build(n_root, n_classes, lam):
    """Negative exponential loss for nodes of up to `n_root` samples."""
    if lam == 0:
        return sqrt_gini.build(n_root, n_classes)
    if lam >= 1:
        return misclassification.build(n_root, n_classes)
    return NegativeExponential(*fields(a=lam * math.sqrt((n_classes - 1) / n_classes), b=lam))
