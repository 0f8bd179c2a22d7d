"""Square root of the Gini impurity: phi(p) = sqrt((K-1)/K * (1 - sum_k p_k^2)), for two classes sqrt(p (1-p)).

With two classes it is the criterion of Dietterich, Kearns and Mansour (1996) and the impurity of the exponential loss;
Wilton and Ye (2024), Section 5: the limit of the negative exponential loss for lambda -> 0.
"""

import math

import numpy as np

from ironbark.criteria.base import Criterion, fields
from ironbark.criteria.gini import spread
from ironbark.jit import kernel


class SqrtGini(Criterion):
    """v = -f (sqrt(n_A^2 - sum A_k^2) + sqrt(n_B^2 - sum B_k^2)), f = sqrt((K-1)/K), field `a`."""

    @staticmethod
    def start(criterion, total, n):
        return np.int64(0), np.int64(0), squares(total)  # sum A_k^2, sum A_k t_k, sum t_k^2

    @staticmethod
    def move(criterion, state, a, t, m):
        return state[0] + m * (2 * a + m), state[1] + m * t, state[2]

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        rest = state[2] - 2 * state[1] + state[0]
        n_rest = n - n_moved
        impure = math.sqrt(float(n_moved * n_moved - state[0])) + math.sqrt(float(n_rest * n_rest - rest))
        return -criterion.a * impure, state

    @staticmethod
    def origin(criterion, total, n):
        return -criterion.a * math.sqrt(float(n * n - squares(total)))

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        b1 = t1 - a1
        return -math.sqrt(float(a1 * (n_moved - a1))) - math.sqrt(float(b1 * (n - n_moved - b1)))

    @staticmethod
    def origin_two(criterion, t1, n):
        return -math.sqrt(float(t1 * (n - t1)))

    @staticmethod
    def ceiling(criterion, total, n):
        return criterion.a * math.sqrt(float(n * n - squares(total)))

    @staticmethod
    def impurity(criterion, counts, n):
        return criterion.a * math.sqrt(spread(counts, n))


def build(n_root, n_classes):
    """Square root of the Gini impurity for nodes of up to `n_root` samples."""
    return SqrtGini(*fields(a=math.sqrt((n_classes - 1) / n_classes)))


@kernel
def squares(total):
    """Sum of the squared class counts."""
    result = np.int64(0)
    for k in range(total.shape[0]):
        result += total[k] * total[k]
    return result
