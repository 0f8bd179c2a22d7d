"""Generalized cross entropy: phi(p) = (1 - (sum_k p_k^r)^(1/r)) / q with r = 1 / (1-q).

Zhang and Sabuncu (2018); Wilton and Ye (2024), Table of losses, "GCE". q = 0 is entropy; from q = 1 on the impurity is
misclassification.
"""

import math

import numpy as np

from ironbark.criteria import entropy, misclassification
from ironbark.criteria.base import EPS, Criterion, fields, log_share, weighted_tolerance
from ironbark.criteria.misclassification import largest
from ironbark.jit import kernel

BITS = 5  # a table of tangents has 2**BITS of them per octave, which are too high by 1 in 30,000 at most


class GeneralizedCrossEntropy(Criterion):
    """v = (sum_k A_k^r)^(1/r) + (sum_k B_k^r)^(1/r).

    The r-th root is concave, so its tangents bound v from above; a table has one for each range of the sum. Both sums
    are kept by differences, that of side B cancels; the bound allows for their errors, and an exact evaluation adds
    them up anew.
    Fields: `floats` is (c / b)^r for c = 0..n_root and then value at 0 and slope of each tangent; `integers` is where
    these start, the number of the first range as `ranges` counts, and how many there are; `a` is 1 / r = 1 - q, `b` a
    divisor that keeps powers finite, `c` is q.
    """

    @staticmethod
    def start(criterion, total, n):
        whole = 0.0
        for k in range(total.shape[0]):
            whole += criterion.floats[total[k]]
        return 0.0, whole, whole * 2.0**-51, 0.0  # sum A_k^r, sum B_k^r, the error of the latter per move, moves

    @staticmethod
    def move(criterion, state, a, t, m):
        p = criterion.floats
        moved, rest, error, moves = state
        moved += p[np.uint64(a + m)] - p[np.uint64(a)]
        rest += p[np.uint64(t - a - m)] - p[np.uint64(t - a)]
        return moved, rest, error, moves + 1.0

    @staticmethod
    def score(criterion, state, moved, total, n_moved, n, best):
        sum_a, sum_b, error, moves = state
        slack = error * moves
        bound = root_above(criterion, sum_a + slack) + root_above(criterion, sum_b + slack)
        if bound * (1.0 + 1e-12) <= best:
            return -np.inf, state
        sum_a = 0.0
        sum_b = 0.0
        for k in range(total.shape[0]):
            sum_a += criterion.floats[moved[k]]
            sum_b += criterion.floats[total[k] - moved[k]]
        return sum_a**criterion.a + sum_b**criterion.a, (sum_a, sum_b, error, 0.0)

    @staticmethod
    def origin(criterion, total, n):
        whole = 0.0
        for k in range(total.shape[0]):
            whole += criterion.floats[total[k]]
        return whole**criterion.a

    @staticmethod
    def score_two(criterion, a1, n_moved, t1, n):
        p = criterion.floats
        b1 = t1 - a1
        left = p[np.uint64(a1)] + p[np.uint64(n_moved - a1)]
        return left**criterion.a + (p[np.uint64(b1)] + p[np.uint64(n - n_moved - b1)]) ** criterion.a

    @staticmethod
    def origin_two(criterion, t1, n):
        return (criterion.floats[t1] + criterion.floats[n - t1]) ** criterion.a

    @staticmethod
    def ceiling(criterion, total, n):
        whole = 0.0
        for k in range(total.shape[0]):
            whole += criterion.floats[total[k]]
        return n / criterion.b - whole**criterion.a

    @staticmethod
    def unit(criterion, n, n_root):
        return criterion.c * n_root / criterion.b

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        return max(weighted_tolerance(n_root / criterion.b, ceiling), 4e-16 * n / criterion.b)

    @staticmethod
    def impurity(criterion, counts, n):
        most = largest(counts)
        others = -1.0  # the largest itself
        for k in range(counts.shape[0]):
            others += (counts[k] / most) ** (1.0 / criterion.a)
        return -n * math.expm1(log_share(most, n) + criterion.a * math.log1p(max(others, 0.0))) / criterion.c

    @staticmethod
    def floors(criterion):
        return 0.0, 4.0 * EPS / criterion.c, 1e-12


@kernel
def ranges(x):
    """Number of the range of a positive float: its exponent and the first bits of its mantissa."""
    return np.float64(x).view(np.int64) >> (52 - BITS)


@kernel
def root_above(criterion, x):
    """A bound of x^(1/r) from above."""
    start, first, count = criterion.integers[0], criterion.integers[1], criterion.integers[2]
    place = start + 2 * min(max(ranges(x) - first, 0), count - 1)  # a tangent holds everywhere
    return criterion.floats[np.uint64(place)] + criterion.floats[np.uint64(place + 1)] * x


def tangents(low, high, exponent):
    """Tangents of x^exponent in the middle of each range from that of `low` to that of `high`.

    Returns
    -------
    first : int
        Number of the first range.
    table : ndarray of shape (2 * number of ranges,), float64
        Value at 0 and slope of each.
    """
    numbers = np.arange(ranges(low), ranges(high) + 1)
    middle = ((2 * numbers + 1) << (51 - BITS)).view(np.float64)
    root = middle**exponent
    return numbers[0], np.column_stack([(1.0 - exponent) * root, exponent * root / middle]).reshape(-1)


def build(n_root, n_classes, q):
    """Generalized cross entropy for nodes of up to `n_root` samples.

    Raises
    ------
    ValueError
        If q is so close to 1 that the powers of a single sample's share underflow.
    """
    if q == 0:
        return entropy.build(n_root, n_classes)
    if q >= 1:
        return misclassification.build(n_root, n_classes)
    r = 1.0 / (1.0 - q)
    span = r * math.log(n_root)
    if span > 1300:
        raise ValueError(f"q={q} is too close to 1 for {n_root} samples; use q=1, which is misclassification.")
    divisor = 1.0 if span < 650 else math.sqrt(n_root)
    powers = (np.arange(n_root + 1) / divisor) ** r
    first, table = tangents(powers[1], powers[-1], 1.0 - q)
    where = n_root + 1, first, len(table) // 2
    return GeneralizedCrossEntropy(*fields(where, np.concatenate([powers, table]), a=1.0 - q, b=divisor, c=q))
