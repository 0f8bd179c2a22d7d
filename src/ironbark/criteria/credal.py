"""Credal impurity: the largest entropy under the imprecise Dirichlet model with s extra samples.

Mantas and Abellan (2014), whose Credal-C4.5 has an imprecise gain ratio and pruning; here it is the imprecise gain
alone. Wilton and Ye (2024) do not say whether they used the ratio; their code has the gain.

H*(c) is the entropy of (c + delta) / (n + s), where delta puts the mass s on the rarest classes, absent ones included,
raising them level by level. A split scores
H*(S) - (n_L' H*(L) + n_R' H*(R)) / (n + s), s being added to the size of the child with the larger H*. The score can be
negative; a node where none is positive is a leaf.
"""

import math

import numpy as np
from scipy.special import xlogy

from ironbark.criteria.base import Criterion, fields, impurity, start, unit
from ironbark.criteria.entropy import fixed_point_xlogx, summed
from ironbark.jit import inner_kernel


class Credal(Criterion):
    """v = -(n_A' H*(A) + n_B' H*(B)), in fixed point.

    While at least s classes are absent from a side, they share the mass, and (n + s) H* is known in O(1). Elsewhere any
    class that takes the whole mass gives a lower bound, the rarest one the best; with that of the last exact evaluation
    v is bounded from above in O(1). With two classes the mass goes to one of them or makes both equal.
    Fields: `integers` is round(a X(c)), then round(a X(c + s)) for c = 0..n_root, X(c) = c ln c, then
    round(a s ln(s / q)) for q = 0..n_classes; `floats` is s / (n + s), n = 0..n_root; a: scale, b: s, c: n_root + 1.
    """

    def start(self, total, n):
        absent, takes = np.int64(0), 0
        for k in range(total.shape[0]):
            absent += total[k] == 0
            takes = k if total[k] < total[takes] else takes
        # sum X(A_k), sum X(B_k); absent classes of both sides; the classes that would take the mass
        return np.int64(0), summed(self.integers, total), np.int64(total.shape[0]), absent, takes, takes

    def move(self, state, a, t, m):
        x = self.integers
        sum_a, sum_b, absent_a, absent_b, takes_a, takes_b = state
        sum_a += x[np.uint64(a + m)] - x[np.uint64(a)]
        sum_b += x[np.uint64(t - a - m)] - x[np.uint64(t - a)]
        absent_a -= np.int64((a == 0) & (m > 0))
        absent_b += np.int64((a + m == t) & (m > 0))
        return sum_a, sum_b, absent_a, absent_b, takes_a, takes_b

    def score(self, state, moved, total, n_moved, n, best):
        sum_a, sum_b, absent_a, absent_b, takes_a, takes_b = state
        n_rest, s = n - n_moved, self.b
        low_a = low(self, n_moved, sum_a, absent_a, moved[takes_a])
        low_b = low(self, n_rest, sum_b, absent_b, total[takes_b] - moved[takes_b])
        v = -expected(self, low_a, n_moved, low_b, n_rest)
        if shared(absent_a, s) and shared(absent_b, s):
            return v, state
        if v * (1.0 - 1e-9) + 1e-9 * self.a <= best:
            return -np.inf, state
        high_a, takes_a = high(self, n_moved, sum_a, absent_a, moved, moved, False)
        high_b, takes_b = high(self, n_rest, sum_b, absent_b, total, moved, True)
        state = sum_a, sum_b, absent_a, absent_b, takes_a, takes_b
        return -expected(self, high_a, n_moved, high_b, n_rest), state

    def origin(self, total, n):
        _, sum_, _, absent, _, _ = start(self, total, n)
        return -high(self, n, sum_, absent, total, total, False)[0]

    def score_two(self, a1, n_moved, t1, n, best):
        n_rest = n - n_moved
        return -expected(self, high_two(self, a1, n_moved), n_moved, high_two(self, t1 - a1, n_rest), n_rest)

    def origin_two(self, t1, n):
        return -high_two(self, t1, n)

    def unit(self, n, n_root):
        return self.a * (n + self.b)

    def tolerance(self, ceiling, n, n_root):
        return 1e-12 * unit(self, n, n_root) + 16.0

    def impurity(self, counts, n):
        return upper_entropy(counts, counts, False, self.b)

    def gain(self, whole, left, right, n_left, n_right):
        high_left, high_right = impurity(self, left, n_left), impurity(self, right, n_right)
        children = n_left * high_left + n_right * high_right + self.b * max(high_left, high_right)
        return whole - children / (n_left + n_right + self.b)


@inner_kernel
def expected(criterion, high_a, n_a, high_b, n_b):
    """n_A' H*(A) + n_B' H*(B) of (n + s) H* of both sides, the mass s on the side of the larger H*."""
    share = criterion.floats
    return high_a + high_b - min(high_a * share[np.uint64(n_a)], high_b * share[np.uint64(n_b)])


@inner_kernel
def shared(absent, s):
    """Whether the absent classes share the whole mass: raised to 1 at most, they stay the rarest."""
    return absent > 0 and absent >= s


@inner_kernel
def low(criterion, n, total, absent, c):
    """A bound of a (n + s) H* from below, of a side of size n and sum a X(c_k) = `total`."""
    # The mass goes to the absent classes in equal parts, or if there is none to a class of count c.
    x, half = criterion.integers, np.int64(criterion.c)
    if absent > 0:
        return float(x[np.uint64(half + n)] - total - x[np.uint64(2 * half + absent)])
    return float(x[np.uint64(half + n)] - total + x[np.uint64(c)] - x[np.uint64(half + c)])


@inner_kernel
def high(criterion, n, sum_, absent, total, moved, rest):
    """a (n + s) H* of `total`, or of `total` - `moved` if `rest`, of size n with sum a X(c_k) = `sum_`."""
    # Returns the rarest class, too.
    found, smallest, ties = 0, np.inf, 0
    for k in range(total.shape[0]):
        c = side(total, moved, rest, k)
        ties = 1 if c < smallest else ties + (c == smallest)
        found = k if c < smallest else found
        smallest = min(c, smallest)
    if shared(absent, criterion.b) or (criterion.b <= 1.0 and ties == 1):  # the others are larger by 1 at least
        return low(criterion, n, sum_, absent, np.int64(smallest)), found
    return criterion.a * (n + criterion.b) * upper_entropy(total, moved, rest, criterion.b), found


@inner_kernel
def upper_entropy(total, moved, rest, s):
    """H* of `total`, or of `total` - `moved` if `rest`."""
    # The level falls from the mean of all classes to that of the classes below it, until those stay the same.
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


@inner_kernel
def side(total, moved, rest, k):
    """Count of class k on the side that is asked for."""
    return float(total[k] - moved[k]) if rest else float(total[k])


@inner_kernel
def high_two(criterion, c1, n):
    """a (n + s) H* of two classes."""
    c = min(c1, n - c1)
    if 2 * c + criterion.b <= n:
        x, half = criterion.integers, np.int64(criterion.c)
        return float(x[np.uint64(half + n)] - x[np.uint64(n - c)] - x[np.uint64(half + c)])
    return criterion.a * math.log(2.0) * (n + criterion.b)


def build(n_root, n_classes, s):
    """Credal impurity for nodes of up to `n_root` samples."""
    table, scale = fixed_point_xlogx(n_root, s)
    c, absent = np.arange(n_root + 1.0), np.arange(n_classes + 1.0)
    absent[0] = 1.0  # there is no such share
    further = [np.rint(values * scale).astype(np.int64) for values in (xlogy(c + s, c + s), xlogy(s, s / absent))]
    return Credal(*fields(np.concatenate([table, *further]), s / np.maximum(c + s, 1e-300), scale, s, n_root + 1))
