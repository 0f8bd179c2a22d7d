"""Generalized cross entropy: phi(p) = (1 - (sum_k p_k^r)^(1/r)) / q with r = 1 / (1-q).

Zhang and Sabuncu (2018); Wilton and Ye (2024), Theorem 1 (d), "GCE". q = 0: entropy; q >= 1: misclassification, without
the factor 1 / q of Theorem 1 (d) and Corollary 2.1. For q > 1 impurities are therefore q times those of the paper:
splits are the same, but `min_impurity_decrease` and `ccp_alpha` are in units of 1 - max_k p_k.
"""

import math

import numpy as np

from ironbark.criteria import entropy, misclassification
from ironbark.criteria.base import EPS, Impurity, fields, largest, log_share, origin
from ironbark.criteria.entropy import summed
from ironbark.jit import inner_kernel

LEAST = 1e-8  # q below which gains are entropy's but for rounding, which hides them from about 1e-14 on
BITS = 5  # a table of tangents has 2**BITS of them per octave, which are too high by 1 in 30,000 at most


class GeneralizedCrossEntropy(Impurity):
    """v = (sum_k A_k^r)^(1/r) + (sum_k B_k^r)^(1/r).

    The r-th root is concave, so its tangents bound v from above; a table has one for each range of the sum. With more
    than two classes both sums are kept by differences, that of side B cancels; the bound allows for their errors, and
    an exact evaluation adds them up anew.
    Fields: `floats` is (c / b)^r for c = 0..n_root and then value at 0 and slope of each tangent; `integers` is where
    these start, the number of the first range as `root_above` counts, and how many there are; `a` is 1 / r = 1 - q,
    `b` a divisor that keeps powers finite, `c` is q.
    """

    def start(self, total, n):
        whole = summed(self.floats, total)
        return 0.0, whole, whole * 2.0**-51, 0.0  # sum A_k^r, sum B_k^r, the error of the latter per move, moves

    def move(self, state, a, t, m):
        p = self.floats
        moved, rest, error, moves = state
        moved += p[np.uint64(a + m)] - p[np.uint64(a)]
        rest += p[np.uint64(t - a - m)] - p[np.uint64(t - a)]
        return moved, rest, error, moves + 1.0

    def score(self, state, moved, total, n_moved, n, best):
        sum_a, sum_b, error, moves = state
        slack = error * moves
        bound = root_above(self, sum_a + slack) + root_above(self, sum_b + slack)
        if bound * (1.0 + 1e-12) <= best:
            return -np.inf, state
        sum_a = sum_b = 0.0
        for k in range(total.shape[0]):
            sum_a += self.floats[moved[k]]
            sum_b += self.floats[total[k] - moved[k]]
        return sum_a**self.a + sum_b**self.a, (sum_a, sum_b, error, 0.0)

    def origin(self, total, n):
        return summed(self.floats, total) ** self.a

    def origin_two(self, t1, n):
        return (self.floats[np.uint64(t1)] + self.floats[np.uint64(n - t1)]) ** self.a

    def score_two(self, a1, n_moved, t1, n, best):
        p, b1, rest = self.floats, t1 - a1, n - n_moved
        sum_a = p[np.uint64(a1)] + p[np.uint64(n_moved - a1)]
        sum_b = p[np.uint64(b1)] + p[np.uint64(rest - b1)]
        if (root_above(self, sum_a) + root_above(self, sum_b)) * (1.0 + 1e-12) <= best:
            return -np.inf
        return sum_a**self.a + sum_b**self.a

    def ceiling(self, total, n):
        return n / self.b - origin(self, total, n)

    def unit(self, n, n_root):
        return self.c * n_root / self.b

    def tolerance(self, ceiling, n, n_root):
        return max(EPS * (n_root / self.b), 1e-12 * ceiling, 4e-16 * n / self.b)

    def impurity(self, counts, n):
        most = largest(counts)
        others = -1.0  # the largest itself
        for k in range(counts.shape[0]):
            others += (counts[k] / most) ** (1.0 / self.a)
        return -n * math.expm1(log_share(most, n) + self.a * math.log1p(max(others, 0.0))) / self.c

    def floors(self):
        return 0.0, 4.0 * EPS / self.c, 1e-12


@inner_kernel
def root_above(criterion, x):
    """A bound of x^(1/r) from above."""
    start, first, count = criterion.integers[0], criterion.integers[1], criterion.integers[2]
    number = np.float64(x).view(np.int64) >> (52 - BITS)  # exponent and first bits of the mantissa
    place = start + 2 * min(max(number - first, 0), count - 1)  # a tangent holds everywhere
    return criterion.floats[np.uint64(place)] + criterion.floats[np.uint64(place + 1)] * x


def tangents(low, high, exponent):
    """Tangents of x^exponent in the middle of each range from that of `low` to that of `high`."""
    # Returns the number of the first range, and a flat table of the value at 0 and the slope of each.
    ends = np.array([low, high]).view(np.int64) >> (52 - BITS)
    numbers = np.arange(ends[0], ends[1] + 1)
    middle = ((2 * numbers + 1) << (51 - BITS)).view(np.float64)
    root = middle**exponent
    return numbers[0], np.column_stack([(1.0 - exponent) * root, exponent * root / middle]).reshape(-1)


def build(n_root, n_classes, q):
    """Generalized cross entropy for nodes of up to `n_root` samples."""
    if q < LEAST:
        return entropy.build(n_root, n_classes)
    if q >= 1:
        return misclassification.build(n_root, n_classes)
    r = 1.0 / (1.0 - q)
    span = r * math.log(n_root)
    if span > 1300:  # powers of a single sample's share would underflow
        raise ValueError(f"q={q} is too close to 1 for {n_root} samples; use q=1, which is misclassification.")
    divisor = 1.0 if span < 650 else math.sqrt(n_root)
    powers = (np.arange(n_root + 1) / divisor) ** r
    first, table = tangents(powers[1], powers[-1], 1.0 - q)
    where = n_root + 1, first, len(table) // 2
    return GeneralizedCrossEntropy(*fields(where, np.concatenate([powers, table]), a=1.0 - q, b=divisor, c=q))
