"""What a splitting criterion is, and how a kernel finds its operations.

A criterion is a subclass of `Criterion`, a NamedTuple of the tables and numbers that it needs; its methods are the
operations that kernels, and criteria too, call as functions. numba sees another type for each criterion, so the search
for the best split is compiled and cached once per criterion with the operations inlined; without the compiler the same
functions run as plain Python.

All scores stand on one scale per criterion, chosen so that they are cheap: of a split, ``score`` gives a value v to be
maximised, of the unsplit node ``origin`` gives the value v0 on the same scale, and v - v0 = gain * ``unit``. Counts are
int64 sums of integer sample weights. A scan moves the samples of a node, in the order of one feature, from side B to
side A; side B is the node's total minus side A. Two classes have forms of their own (``origin_two``, ``score_two``),
in which the count of class 1 says everything.

Where weights are no integers or a search needs all thresholds in ascending order, trees grow on
float64 class weights without tables (`ironbark.tree.growing.weighted`). Then an impurity needs only ``impurity``; other
criteria define ``gain``, and their ``ceiling`` and ``unit`` take class weights as well.
"""

import math
from typing import NamedTuple

import numpy as np
from numba.extending import overload

from ironbark.jit import by_class, inner_kernel

EPS = 2.0**-52


@inner_kernel
def largest(counts):
    """The largest class count."""
    found = np.int64(0)
    for k in range(counts.shape[0]):
        found = max(found, counts[k])
    return found


@inner_kernel
def log_share(c, n):
    """ln(c / n) for 0 < c <= n, to the last digits also near 0."""
    return math.log1p((c - n) / n) if 2.0 * c > n else math.log(c / n)


class Criterion(NamedTuple):
    """Tables and numbers of a criterion; each subclass says what its fields hold.

    The defaults are those of a criterion that compares the children of a split: the unsplit node has the value 0. Such
    a criterion defines ``score``, ``score_two`` and ``gain``, and where they differ the others.
    """

    integers: np.ndarray  # int64
    floats: np.ndarray  # float64
    a: float
    b: float
    c: float

    weighted = False  # whether gains are weighted by the node's share of the samples
    cheap = False  # whether `score` costs less than asking whether two neighbours have the same value
    scratch = False  # whether `integers` is written to, so that each tree needs its own
    cached = True  # whether kernels of the class are kept on disk
    early_exit = False  # whether a search ends as that of Wilton and Ye's code; see twoing_rdts

    def start(self, total, n):
        """State of a scan, a tuple of numbers, while side A is empty; `total` has the node's class counts, of sum n."""
        return (0,)  # nothing to carry along

    def move(self, state, a, t, m):
        """State after m samples of one class went to side A, which held a of the node's t samples of that class."""
        return state

    def score(self, state, moved, total, n_moved, n, best):
        """Value of a split and the state to go on with; side A has `moved` of each class, `n_moved` in all.

        A criterion with a cheap upper bound may answer -inf when the bound does not exceed `best`.
        """

    def origin(self, total, n):
        """Value of the unsplit node, on the scale of `score`."""
        return 0.0

    def score_two(self, a1, n_moved, t1, n, best):
        """Value of a split of a two-class node that has t1 of n in class 1 and sends a1 of n_moved to side A.

        It may be -inf as that of ``score``.
        """

    def origin_two(self, t1, n):
        """Value of the unsplit two-class node, on the scale of `score_two`."""
        return 0.0

    def ceiling(self, total, n):
        """The largest possible v - v0, reached exactly by splits into two pure children; inf without such a bound."""
        return np.inf

    def unit(self, n, n_root):
        """What v - v0 is divided by to give the gain of the definition; n_root is the size of the training set."""
        return 1.0

    def tolerance(self, ceiling, n, n_root):
        """The largest v - v0 that counts as no gain at all."""
        return 1e-12 * unit(self, n, n_root)  # v carries rounding errors

    def impurity(self, counts, n):
        """n phi of a node: its impurity times its weight, or whatever else of the node `gain` takes.

        `counts` are float64, or int64 for the default `origin` of an `Impurity`; n is their sum.
        """
        return 0.0

    def gain(self, whole, left, right, n_left, n_right):
        """Gain of a split as the criterion defines it, times the weight of the root if it is `weighted`.

        `whole` is the `impurity` of the node; `left` and `right` are float64 class weights of sums `n_left`, `n_right`.
        """

    def bound(self, whole, total, n):
        """The largest `gain`, reached exactly by splits into two pure children; inf without such a bound."""
        return ceiling(self, total, n) / unit(self, n, n)

    def floors(self):
        """Gains up to the largest of three count as none: absolute, times the weight of the root, times `bound`."""
        return 1e-12, 0.0, 0.0


# The operations as functions, since compiled code finds no methods.
start = by_class(Criterion.start)
move = by_class(Criterion.move)
score = by_class(Criterion.score)
origin = by_class(Criterion.origin)
score_two = by_class(Criterion.score_two)
origin_two = by_class(Criterion.origin_two)
ceiling = by_class(Criterion.ceiling)
unit = by_class(Criterion.unit)
tolerance = by_class(Criterion.tolerance)
impurity = by_class(Criterion.impurity)
gain = by_class(Criterion.gain)
bound = by_class(Criterion.bound)


class Impurity(Criterion):
    """A criterion whose gain is n phi of the node less n phi of both children, phi being 0 for a pure node.

    ``origin`` and ``origin_two`` give the value of one side of a split as well as that of the unsplit node, so a split
    has the sum of two. A subclass defines ``start``, ``move``, ``score``, ``origin_two`` and ``impurity``, and
    ``origin`` and ``ceiling`` if the value is not -n phi.
    """

    weighted = True

    def origin(self, total, n):
        return -impurity(self, total, n)

    def score_two(self, a1, n_moved, t1, n, best):
        return origin_two(self, a1, n_moved) + origin_two(self, t1 - a1, n - n_moved)

    def ceiling(self, total, n):
        return 0.0 - origin(self, total, n)

    def unit(self, n, n_root):
        return float(n_root)

    def tolerance(self, ceiling, n, n_root):
        return max(EPS * n_root, 1e-12 * ceiling)

    def gain(self, whole, left, right, n_left, n_right):
        return whole - impurity(self, left, n_left) - impurity(self, right, n_right)

    def bound(self, whole, total, n):
        return whole

    def floors(self):
        return 0.0, 4.0 * EPS, 1e-12


def fields(integers=(), floats=(), a=0.0, b=0.0, c=0.0):
    """The fields of a `Criterion`, with the types that the kernels expect."""
    return np.asarray(integers, np.int64), np.asarray(floats, np.float64), float(a), float(b), float(c)


def is_cheap(criterion):
    """Whether `score` costs less than asking whether two neighbours have the same value."""
    return type(criterion).cheap


@overload(is_cheap)
def _is_cheap(criterion):
    answer = bool(criterion.instance_class.cheap)
    return lambda criterion: answer
