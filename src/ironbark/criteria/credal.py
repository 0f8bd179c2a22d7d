"""Credal impurity: the largest entropy under the imprecise Dirichlet model with s extra samples.

Mantas and Abellan (2014), Credal-C4.5, in the form that Wilton and Ye (2024) compare with: the imprecise information
gain without gain ratio or pruning. H*(c) is the entropy of (c + delta) / (n + s), where delta puts the mass s on the
rarest classes, absent ones included, raising them level by level. A split scores
H*(S) - (n_L' H*(L) + n_R' H*(R)) / (n + s), s being added to the size of the child with the larger H*. The score can be
negative; a node where none is positive is a leaf.
"""

import math

import numpy as np

from ironbark.criteria.base import Criterion, fields
from ironbark.criteria.entropy import fixed_point_xlogx
from ironbark.jit import kernel


class Credal(Criterion):
    """v = -(n_A' H*(A) + n_B' H*(B)).

    Adding mass raises n H, so the plain n H of a side bounds its (n + s) H* from below, and v from above in O(1).
    Fields: `integers` is round(c ln c * a) for c = 0..n_root, `a` the scale, `b` is s.
    """

    weighted = False

    @staticmethod
    def start(criterion, total, n):
        whole = np.int64(0)
        for k in range(total.shape[0]):
            whole += criterion.integers[total[k]]
        return np.int64(0), whole  # sum X(A_k), sum X(B_k)

    @staticmethod
    def move(criterion, state, a, t, m):
        x = criterion.integers
        moved, rest = state
        moved += x[np.uint64(a + m)] - x[np.uint64(a)]
        rest += x[np.uint64(t - a - m)] - x[np.uint64(t - a)]
        return moved, rest

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        n_rest = n - n_moved
        plain_a = (criterion.integers[n_moved] - state[0]) / criterion.a
        plain_b = (criterion.integers[n_rest] - state[1]) / criterion.a
        bound = plain_a * n_moved / (n_moved + criterion.b) + plain_b * n_rest / (n_rest + criterion.b)
        if -bound * (1.0 - 1e-9) + 1e-9 <= best:
            return -np.inf, state
        entropy_a = upper_entropy(moved, moved, False, criterion.b)
        entropy_b = upper_entropy(total, moved, True, criterion.b)
        return -expected(entropy_a, n_moved, entropy_b, n_rest, criterion.b), state

    @staticmethod
    def origin(criterion, total, n):
        return -(n + criterion.b) * upper_entropy(total, total, False, criterion.b)

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        n_rest = n - n_moved
        entropy_a = upper_entropy_two(a1, n_moved, criterion.b)
        entropy_b = upper_entropy_two(t1 - a1, n_rest, criterion.b)
        return -expected(entropy_a, n_moved, entropy_b, n_rest, criterion.b)

    @staticmethod
    def origin_two(criterion, t1, n):
        return -(n + criterion.b) * upper_entropy_two(t1, n, criterion.b)

    @staticmethod
    def ceiling(criterion, total, n):
        return np.inf

    @staticmethod
    def unit(criterion, n, n_root):
        return n + criterion.b

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        return 1e-12 * (n + criterion.b)


@kernel
def expected(entropy_a, n_a, entropy_b, n_b, s):
    """n_A' H*(A) + n_B' H*(B), the mass s on the side of the larger H*."""
    if entropy_a > entropy_b:
        return (n_a + s) * entropy_a + n_b * entropy_b
    return n_a * entropy_a + (n_b + s) * entropy_b


@kernel
def upper_entropy(total, moved, rest, s):
    """H* of `total`, or of `total` - `moved` if `rest`.

    The level falls from the mean of all classes to that of the classes below it, until those stay the same.
    """
    n = 0.0
    for k in range(total.shape[0]):
        n += side(total, moved, rest, k)
    level = np.inf
    for _ in range(total.shape[0]):  # not `while True`, which numba 0.68 compiles wrongly here
        lowest, filled = 0, s
        for k in range(total.shape[0]):
            c = side(total, moved, rest, k)
            if c <= level:
                lowest += 1
                filled += c
        if filled / lowest >= level:
            break
        level = filled / lowest
    result = 0.0
    for k in range(total.shape[0]):
        c = max(side(total, moved, rest, k), level)
        if c > 0.0:
            result += c * math.log(c)
    return math.log(n + s) - result / (n + s)


@kernel
def side(total, moved, rest, k):
    """Count of class k on the side that is asked for."""
    return float(total[k] - moved[k]) if rest else float(total[k])


@kernel
def upper_entropy_two(c1, n, s):
    """H* of two classes."""
    low = float(min(c1, n - c1))
    high = float(n) - low
    if low + s <= high:
        low += s
    else:
        low = high = 0.5 * (n + s)
    result = 0.0
    if low > 0.0:
        result += low * math.log(low)
    if high > 0.0:
        result += high * math.log(high)
    return math.log(n + s) - result / (n + s)


def build(n_root, n_classes, s):
    """Credal impurity for nodes of up to `n_root` samples."""
    table, scale = fixed_point_xlogx(n_root)
    return Credal(*fields(table, a=scale, b=s))
