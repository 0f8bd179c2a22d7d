"""Square root of the Gini impurity: phi(p) = sqrt((K-1)/K * (1 - sum_k p_k^2)), for two classes sqrt(p (1-p)).

With two classes it is the criterion of Dietterich, Kearns and Mansour (1996) and the impurity of the exponential loss;
Wilton and Ye (2024), after Theorem 8: the limit of the negative exponential loss for lambda -> 0.
"""

import math

from ironbark.criteria.base import fields
from ironbark.criteria.gini import SumsOfSquares, spread


class SqrtGini(SumsOfSquares):
    """v = -f (sqrt(n_A^2 - sum A_k^2) + sqrt(n_B^2 - sum B_k^2)), f = sqrt((K-1)/K), field `a`."""

    def score(self, state, moved, total, n_moved, n, best):
        squares, products, whole = state
        n_rest = n - n_moved
        rest = n_rest * n_rest - (whole - 2 * products + squares)
        return -self.a * (math.sqrt(float(n_moved * n_moved - squares)) + math.sqrt(float(rest))), state

    def origin_two(self, t1, n):
        return -math.sqrt(float(t1 * (n - t1)))

    def impurity(self, counts, n):
        return self.a * math.sqrt(spread(counts, n))


def build(n_root, n_classes):
    """Square root of the Gini impurity for nodes of up to `n_root` samples."""
    return SqrtGini(*fields(a=math.sqrt((n_classes - 1) / n_classes)))
