"""Negative exponential loss: phi(p) = min{1 - max_k p_k, lambda sqrt((K-1)/K (1 - sum_k p_k^2))}.

Wilton and Ye (2024), Theorem 8. lambda = 0 stands for the limit of phi / lambda, the square root of Gini; from
lambda = 1 on the impurity is misclassification.
"""

import math

import numpy as np

from ironbark.criteria import misclassification, sqrt_gini
from ironbark.criteria.base import Impurity, fields, largest
from ironbark.criteria.gini import spread, squares
from ironbark.criteria.misclassification import largest_rest


class NegativeExponential(Impurity):
    """v = -(h(A) + h(B)), h(c) = min{n - max_k c_k, l sqrt(n^2 - sum_k c_k^2)}, l = lambda sqrt((K-1)/K).

    The misclassification branch of h is an integer, so where node and children lie on it, gains are exact.
    Fields: `a` is l, `b` is lambda.
    """

    def start(self, total, n):
        return 0, 0, squares(total), np.int64(0), np.int64(n)  # as gini; max A_k, bound on max B_k

    def move(self, state, a, t, m):
        s, products, whole, largest, bound = state
        return s + m * (2 * a + m), products + m * t, whole, max(largest, a + m), bound

    def score(self, state, moved, total, n_moved, n, best):
        s, products, whole, largest, bound = state
        n_rest = n - n_moved
        left = min(self.a * math.sqrt(float(n_moved * n_moved - s)), float(n_moved - largest))
        root = self.a * math.sqrt(float(n_rest * n_rest - (whole - 2 * products + s)))
        if -(left + min(root, float(n_rest - bound))) <= best:
            return -np.inf, state
        bound = largest_rest(moved, total)
        return -(left + min(root, float(n_rest - bound))), (s, products, whole, largest, bound)

    def origin_two(self, t1, n):
        t0 = n - t1
        return -min(self.b * math.sqrt(float(t0 * t1)), float(min(t0, t1)))

    def impurity(self, counts, n):
        return min(self.a * math.sqrt(spread(counts, n)), n - largest(counts))


def build(n_root, n_classes, lam):
    """Negative exponential loss for nodes of up to `n_root` samples."""
    if lam < 1e-8:  # the first term is never the smaller one, and ratios of gains are those of the limit
        return sqrt_gini.build(n_root, n_classes)
    if lam >= 1:
        return misclassification.build(n_root, n_classes)
    return NegativeExponential(*fields(a=lam * math.sqrt((n_classes - 1) / n_classes), b=lam))
