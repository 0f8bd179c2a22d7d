"""Credal impurity: the largest entropy under the imprecise Dirichlet model with s extra samples.

Mantas and Abellan (2014), Credal-C4.5, in the form that Wilton and Ye (2024) compare with: the imprecise information
gain without gain ratio or pruning. H*(c) is the entropy of (c + delta) / (n + s), where delta puts the mass s on the
rarest classes, absent ones included, raising them level by level. A split scores
H*(S) - (n_L' H*(L) + n_R' H*(R)) / (n + s), s being added to the size of the child with the larger H*. The score can be
negative; a node where none is positive is a leaf.
"""

import math

import numpy as np
from scipy.special import xlogy

from ironbark.criteria.base import Criterion, fields
from ironbark.criteria.entropy import fixed_point_xlogx
from ironbark.jit import kernel


class Credal(Criterion):
    """v = -(n_A' H*(A) + n_B' H*(B)).

    Any class that takes the whole mass s gives a lower bound of (n + s) H*, the rarest one the best. That of the last
    exact evaluation bounds v from above in O(1), exactly while the mass stays below the second rarest class. With two
    classes the mass goes to one of them or makes both equal.
    Fields: `integers` is round(X(c) * a) and then round((X(c + s) - X(c)) * a) for c = 0..n_root, X(c) = c ln c, `a`
    the scale, `b` is s.
    """

    weighted = False

    @staticmethod
    def start(criterion, total, n):
        whole = np.int64(0)
        for k in range(total.shape[0]):
            whole += criterion.integers[total[k]]
        return np.int64(0), whole, 0, rarest(total, total, False)  # sum X(A_k), sum X(B_k), classes that take the mass

    @staticmethod
    def move(criterion, state, a, t, m):
        x = criterion.integers
        moved, rest, takes_a, takes_b = state
        moved += x[np.uint64(a + m)] - x[np.uint64(a)]
        rest += x[np.uint64(t - a - m)] - x[np.uint64(t - a)]
        return moved, rest, takes_a, takes_b

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        sum_a, sum_b, takes_a, takes_b = state
        n_rest, s = n - n_moved, criterion.b
        low_a = poured(criterion, n_moved, sum_a, moved[takes_a])
        low_b = poured(criterion, n_rest, sum_b, total[takes_b] - moved[takes_b])
        if -expected(low_a, n_moved, low_b, n_rest, s) * (1.0 - 1e-9) + 1e-9 <= best:
            return -np.inf, state
        entropy_a = (n_moved + s) * upper_entropy(moved, moved, False, s)
        entropy_b = (n_rest + s) * upper_entropy(total, moved, True, s)
        state = sum_a, sum_b, rarest(moved, moved, False), rarest(total, moved, True)
        return -expected(entropy_a, n_moved, entropy_b, n_rest, s), state

    @staticmethod
    def origin(criterion, total, n):
        return -(n + criterion.b) * upper_entropy(total, total, False, criterion.b)

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        n_rest = n - n_moved
        entropy_a = upper_entropy_two(criterion, a1, n_moved)
        entropy_b = upper_entropy_two(criterion, t1 - a1, n_rest)
        return -expected(entropy_a, n_moved, entropy_b, n_rest, criterion.b)

    @staticmethod
    def origin_two(criterion, t1, n):
        return -upper_entropy_two(criterion, t1, n)

    @staticmethod
    def ceiling(criterion, total, n):
        return np.inf

    @staticmethod
    def unit(criterion, n, n_root):
        return n + criterion.b

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        return 1e-12 * (n + criterion.b) + 16.0 / criterion.a

    @staticmethod
    def impurity(criterion, counts, n):
        return upper_entropy(counts, counts, False, criterion.b)

    @staticmethod
    def gain(criterion, whole, left, right, n_left, n_right):
        s, n = criterion.b, n_left + n_right
        entropy_a = (n_left + s) * upper_entropy(left, left, False, s)
        entropy_b = (n_right + s) * upper_entropy(right, right, False, s)
        return whole - expected(entropy_a, n_left, entropy_b, n_right, s) / (n + s)

    @staticmethod
    def bound(criterion, whole, total, n):
        return np.inf

    @staticmethod
    def floors(criterion):
        return 1e-12, 0.0, 0.0


@kernel
def expected(entropy_a, n_a, entropy_b, n_b, s):
    """n_A' H*(A) + n_B' H*(B) of (n + s) H* of both sides, the mass s on the side of the larger H*."""
    return entropy_a + entropy_b - s * min(entropy_a / (n_a + s), entropy_b / (n_b + s))


@kernel
def poured(criterion, n, total, c):
    """(n + s) H of a side of size n and sum X(c_k) = `total`, when a class of count c takes the whole mass."""
    x, half = criterion.integers, criterion.integers.shape[0] >> 1
    whole = x[np.uint64(n)] + x[np.uint64(half + n)]
    return (whole - total - x[np.uint64(half + c)]) / criterion.a


@kernel
def rarest(total, moved, rest):
    """The class of the smallest count of `total`, or of `total` - `moved` if `rest`."""
    found, smallest = 0, np.inf
    for k in range(total.shape[0]):
        c = side(total, moved, rest, k)
        if c < smallest:
            found, smallest = k, c
    return found


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
def upper_entropy_two(criterion, c1, n):
    """(n + s) H* of two classes."""
    c = min(c1, n - c1)
    if 2 * c + criterion.b <= n:
        x = criterion.integers
        return poured(criterion, n, x[np.uint64(c)] + x[np.uint64(n - c)], c)
    return (n + criterion.b) * math.log(2.0)


def build(n_root, n_classes, s):
    """Credal impurity for nodes of up to `n_root` samples."""
    table, scale = fixed_point_xlogx(n_root, s)
    c = np.arange(n_root + 1.0)
    with_mass = np.rint(xlogy(c + s, c + s) * scale).astype(np.int64)
    return Credal(*fields(np.concatenate([table, with_mass - table]), a=scale, b=s))
