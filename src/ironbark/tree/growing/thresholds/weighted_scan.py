"""Thresholds of one feature on float class weights, in ascending order, and criteria as growth on floats takes them."""

import functools
from typing import NamedTuple

import numpy as np
from numba import typeof, types

from ironbark.criteria.base import EPS, Criterion, bound, fields, gain, impurity, largest
from ironbark.jit import first_class, inlined_kernel, inner_kernel
from ironbark.tree.growing.nodes import Node, Settings
from ironbark.tree.growing.regression import BITS, CLASS
from ironbark.tree.growing.thresholds.scan import ENOUGH, NONE, TIE, VARIES

PLACE = np.uint64(32)  # bits of a key that hold the place of a sample in the node
PLACES = np.uint64(2**32 - 1)


class Run(NamedTuple):
    """A node's samples in the order of one feature."""

    keys: np.ndarray
    n_present: int
    n_missing: int  # sorted behind the others
    samples: np.ndarray  # by place in the node; so are the next two
    labels: np.ndarray
    weights: np.ndarray
    rises: np.ndarray  # by code


class Sides(NamedTuple):
    """Class weights and class sizes of a node and of the children of the split that is tried."""

    total: np.ndarray
    left: np.ndarray
    right: np.ndarray
    total_sizes: np.ndarray
    left_sizes: np.ndarray
    quirk: np.ndarray


class WeightedCriterion(NamedTuple):
    """A criterion on float class weights, with the operations that a search needs; gains are values of splits."""

    fields: Criterion
    appraise: object  # compiled: impurity of a node, and the bound of gains
    scan: object  # compiled: the best threshold of a run
    scale: float  # what gains are divided by to be those of the definition
    absolute: float  # gains that count as none, see `Criterion.floors`
    per_weight: float
    per_bound: float
    lightest: float  # weight that a child must have

    @staticmethod
    def start(criterion, total, n):
        return (criterion.appraise(criterion.fields, total, n)[0],)

    @staticmethod
    def origin(criterion, total, n):
        return 0.0

    @staticmethod
    def ceiling(criterion, total, n):
        return criterion.appraise(criterion.fields, total, n)[1]

    @staticmethod
    def unit(criterion, n, n_root):
        return criterion.scale

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        floor = max(criterion.absolute, criterion.per_weight * n_root)
        return max(floor, criterion.per_bound * ceiling) if ceiling < np.inf else floor


def make_appraise(criterion_class):
    """Impurity of a node, and the largest gain of its splits."""

    def appraise(criterion, total, n):
        criterion = criterion_class(*criterion)
        whole = impurity(criterion, total, n)
        return float(whole), float(bound(criterion, whole, total, n))

    return appraise


def make_scan(criterion_class):
    """Best threshold of a run, first with missing values right, then with them left."""
    early_exit = criterion_class.early_exit

    def scan(criterion, run, sides, node, settings, lightest, whole, best):
        criterion = criterion_class(*criterion)
        risk = relative_risk(sides.total, node.n, node.n_root) if early_exit else np.inf
        value, low, high, to_left = best, np.int64(NONE), np.int64(0), np.int64(0)
        for missing_left in range(1 if run.n_missing == 0 else 2):
            i, n_left = np.int64(0), np.int64(0)
            for k in range(sides.left.shape[0]):
                sides.left[k], sides.left_sizes[k] = 0.0, 0
            if missing_left:
                n_left = move(run, run.n_present, run.n_present + run.n_missing, sides)
            # Where missing values go right, they may be the only ones.
            stop = run.n_present if run.n_missing == 0 or missing_left else run.n_present + 1
            while i < run.n_present:
                least = settings.min_samples_leaf + np.int64(run.rises.shape[0] > 0 and i > 0)
                i, size, code, following, highest, odd = next_threshold(run, sides, i, stop)
                n_left += size
                if following < 0 or min(n_left, node.size - n_left) < least:
                    continue
                v = evaluate(criterion, whole, sides, lightest)
                if v > best:
                    value, best, low, high = v, v * (1.0 + TIE), code, following
                    to_left = np.int64(missing_left if run.n_missing > 0 else -1)
                    sides.quirk[0], sides.quirk[1] = highest, odd
                    if value + EPS >= risk:
                        return value, low, high, to_left, np.int64(ENOUGH)
        return value, low, high, to_left, np.int64(VARIES)

    return scan


@inlined_kernel
def next_threshold(run, sides, i, stop):
    """Move the samples of the next code, from key i on, to the left side.

    Returns the key behind them, what they count, the codes next to the threshold (-1 if there is none), the largest
    code that goes left, and a sample of that code that goes right all the same, or -1.
    """
    code = np.int64(run.keys[np.uint64(i)] >> PLACE)
    i, size = move_code(run, i, sides)
    if i == stop:
        return i, size, code, np.int64(-1), code, np.int64(-1)
    following, highest, odd = np.int64(run.keys[i] >> PLACE), code, np.int64(-1)
    if run.rises.shape[0] > 0 and following == code + 1 and run.rises[code] != 0:
        highest, end = following, end_of_code(run.keys, i, run.n_present)
        odd = np.int64(run.samples[np.int64(run.keys[end - 1] & PLACES)]) if end == stop else odd
        begin, i = i, end - np.int64(end == stop)
        size += move(run, begin, i, sides)
    return i, size, code, following, highest, odd


@inlined_kernel
def evaluate(criterion, whole, sides, lightest):
    """Gain of the split into `sides.left` and the rest, written to `sides.right`; -inf if a side is too light."""
    total, left, right, n_left, n_right = sides.total, sides.left, sides.right, 0.0, 0.0
    for k in range(left.shape[0]):
        none = sides.left_sizes[k] == sides.total_sizes[k]  # a difference of float sums need not be zero then
        right[k] = 0.0 if none else max(total[k] - left[k], 0.0)
        n_left += left[k]
        n_right += right[k]
    if n_left < lightest or n_right < lightest:
        return -np.inf
    return float(gain(criterion, whole, left, right, n_left, n_right))


@inlined_kernel
def move(run, begin, end, sides):
    """Add the samples of some keys to the left side; returns their size."""
    moved = np.int64(0)
    for i in range(begin, end):
        moved += move_one(run, i, sides)
    return moved


@inlined_kernel
def move_code(run, i, sides):
    """`move` for the keys that share the code of key i; returns where they end, too."""
    code, moved = run.keys[np.uint64(i)] >> PLACE, np.int64(0)
    while True:
        moved += move_one(run, i, sides)
        i += 1
        if i >= run.n_present or run.keys[np.uint64(i)] >> PLACE != code:
            return i, moved


@inlined_kernel
def move_one(run, i, sides):
    """Add the sample of key i to the left side; returns its size."""
    place = run.keys[np.uint64(i)] & PLACES
    label, weight = np.int64(run.labels[place]), run.weights[place]
    k, size = np.uint64(label & CLASS), (label >> BITS) + 1
    sides.left[k] += weight
    sides.left_sizes[k] += size
    return size


@inlined_kernel
def end_of_code(keys, begin, stop):
    """Index behind the keys that share the code of the key at `begin`."""
    i, code = begin + 1, keys[begin] >> PLACE
    while i < stop and keys[i] >> PLACE == code:
        i += 1
    return i


@inner_kernel
def relative_risk(total, n, n_root):
    """What Wilton and Ye's code compares twoing with: n / n_root (1 - max_k p_k) K / (K-1)."""
    return (n - largest(total)) / n_root * total.shape[0] / (total.shape[0] - 1.0)


@functools.cache
def functions(criterion_class):
    """What a `WeightedCriterion` calls, compiled."""
    appraise = first_class(make_appraise(criterion_class), APPRAISE, PAIR, criterion_class.cached)
    return appraise, first_class(make_scan(criterion_class), SCAN, FOUND, criterion_class.cached)


COUNTS, NUMBER = np.zeros(1), types.float64
RUN = Run(np.zeros(0, np.uint64), 0, 0, *(np.zeros(0, np.uint32) for _ in range(2)), COUNTS, np.zeros(0, np.uint8))
SIDES = Sides(COUNTS, COUNTS, COUNTS, *(np.zeros(0, np.int64) for _ in range(3)))
NODE, SETTINGS = Node(0, 0, 0, 0.0, 0.0, 0, np.uint64(0)), Settings(0, 0, 0, 0.0, 0, False, np.uint64(0))
APPRAISE = (*map(typeof, (Criterion(*fields()), COUNTS)), NUMBER)
SCAN = (*map(typeof, (Criterion(*fields()), RUN, SIDES, NODE, SETTINGS)), NUMBER, NUMBER, NUMBER)
PAIR, FOUND = types.UniTuple(NUMBER, 2), types.Tuple((NUMBER, *[types.int64] * 4))
