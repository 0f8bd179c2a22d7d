"""Misclassification impurity phi(p) = 1 - max_k p_k: the conservative losses.

The 0-1 loss, MAE, the infinity-norm loss and generalized cross entropy with q >= 1 all lead to it, up to a constant:
Wilton and Ye (2024), Theorem 2 and Corollary 2.1, "CL".
"""

import numpy as np

from ironbark.criteria.base import Impurity, fields, largest, origin
from ironbark.jit import inner_kernel


class Misclassification(Impurity):
    """v = max_k A_k + max_k B_k, in integers.

    The largest count of side B only falls, so its last exact value bounds v from above; it is counted again only
    where that bound exceeds the best value so far.
    """

    def start(self, total, n):
        return np.int64(0), np.int64(n)  # max A_k, bound on max B_k

    def move(self, state, a, t, m):
        return max(state[0], a + m), state[1]

    def score(self, state, moved, total, n_moved, n, best):
        largest, bound = state
        if largest + bound <= best:
            return -np.inf, state
        bound = largest_rest(moved, total)
        return float(largest + bound), (largest, bound)

    def origin(self, total, n):
        return float(largest(total))

    def origin_two(self, t1, n):
        return float(max(t1, n - t1))

    def ceiling(self, total, n):
        return n - origin(self, total, n)

    def impurity(self, counts, n):
        return n - largest(counts)


def build(n_root, n_classes):
    """Misclassification impurity for nodes of up to `n_root` samples."""
    return Misclassification(*fields())


@inner_kernel
def largest_rest(moved, total):
    """The largest class count of side B."""
    largest = np.int64(0)
    for k in range(total.shape[0]):
        largest = max(largest, total[k] - moved[k])
    return largest
