"""Scanning one feature for the best threshold: sorted entries, or class counts of each code.

A scan starts from an empty side A and moves samples into it; side B is the node minus side A. It starts with the best
value found so far in the node, so that costly criteria can skip thresholds by a bound. What is counted of side A is an
operation of `Many` or `Two`: two classes need one running count in place of an array.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria import base as criteria
from ironbark.criteria.base import is_cheap, tolerance, unit
from ironbark.jit import inlined_by_class, inlined_kernel
from ironbark.tree.growing.labels import BITS, CLASS

TIE = 1e-9  # relative difference in gain below which two splits are tied
NONE = -2  # in place of an index: no split was found
CONSTANT, VARIES, ENOUGH = range(3)  # what is known of a feature after its search; ENOUGH ends that of the node


@inlined_by_class
def origin(classes, criterion, total, n):
    """Value of the unsplit node."""


@inlined_by_class
def start(classes, criterion, total, n):
    """State of a scan while side A is empty."""


@inlined_by_class
def move(classes, criterion, state, moved, total, k, m):
    """State after m samples of class k went to side A, whose class counts are in `moved` if there may be many."""


@inlined_by_class
def score(classes, criterion, state, moved, total, n_moved, n, best):
    """Value of a split, and the state to go on with; see `ironbark.criteria.base.score`."""


@inlined_by_class
def number(classes, total):
    """Number of classes."""


class Many(NamedTuple):
    """Any number of classes."""

    least: int

    @staticmethod
    def origin(classes, criterion, total, n):
        return criteria.origin(criterion, total, n)

    @staticmethod
    def start(classes, criterion, total, n):
        return criteria.start(criterion, total, n)

    @staticmethod
    def move(classes, criterion, state, moved, total, k, m):
        a = moved[k]
        moved[k] = a + m
        return criteria.move(criterion, state, a, total[k], m)

    @staticmethod
    def score(classes, criterion, state, moved, total, n_moved, n, best):
        return criteria.score(criterion, state, moved, total, n_moved, n, best)

    @staticmethod
    def number(classes, total):
        return total.shape[0]


class Two(NamedTuple):
    """Two classes; the state is the count of class 1."""

    least: int

    @staticmethod
    def origin(classes, criterion, total, n):
        return criteria.origin_two(criterion, total[1], n)

    @staticmethod
    def start(classes, criterion, total, n):
        return (np.int64(0),)

    @staticmethod
    def move(classes, criterion, state, moved, total, k, m):
        return (state[0] + m * np.int64(k),)

    @staticmethod
    def score(classes, criterion, state, moved, total, n_moved, n, best):
        return criteria.score_two(criterion, state[0], n_moved, total[1], n), state

    @staticmethod
    def number(classes, total):
        return 2


MANY, TWO = Many(2), Two(2)


@inlined_kernel
def scan(classes, criterion, empty, entries, run, labels, mask, shift, total, n, min_leaf, moved, base, best):
    """Scan one run of entries, first, first + step, ... before stop; ties go to the lowest threshold.

    Upwards (step 1) side A is the left child, downwards (-1) the right. `labels` are packed labels by sample, or None
    if entries carry the packed label itself in place of the sample; `empty` is the result of `start`, `base` the value
    of the unsplit node, `best` the value to exceed.

    Returns the value of the best split found, and the index of the first entry of side B (`stop` if side B has only
    samples at the mode), or NONE.
    """
    first, stop, step = run
    for k in range(number(classes, total)):
        moved[k] = 0
    state, value, at, n_moved, i = empty, best, np.int64(NONE), np.int64(0), np.int64(first)
    free = np.uint64(n - 2 * min_leaf)  # n_moved - min_leaf is no more where both sides are large enough
    factor = 1.0 + step * TIE
    entry = entries[np.uint64(i)]
    code = entry >> shift
    while True:
        low_bits = entry & mask
        label = np.int64(low_bits) if labels is None else np.int64(labels[np.uint64(low_bits)])
        weight = (label >> BITS) + 1
        state = move(classes, criterion, state, moved, total, np.uint64(label & CLASS), weight)
        n_moved += weight
        i += step
        if i == stop:
            break
        entry = entries[np.uint64(i)]
        following = entry >> shift
        if is_cheap(criterion):
            v, state = score(classes, criterion, state, moved, total, n_moved, n, best)
            if v > best and following != code and np.uint64(n_moved - min_leaf) <= free:
                value, at, best = v, i, base + (v - base) * factor
        elif following != code and np.uint64(n_moved - min_leaf) <= free:
            v, state = score(classes, criterion, state, moved, total, n_moved, n, best)
            if v > best:
                value, at, best = v, i, base + (v - base) * factor
        code = following
    if n_moved < n and np.uint64(n_moved - min_leaf) <= free:
        v, state = score(classes, criterion, state, moved, total, n_moved, n, best)
        if v > best:
            value, at = v, np.int64(stop)
    return value, at


@inlined_kernel
def scan_counts(classes, criterion, empty, counts, n_levels, total, n, min_leaf, moved, base, best):
    """Scan the class counts of the codes upwards, with parameters as for `scan`; ties go to the lowest threshold.

    Returns the value of the best split found, the largest code of its left side, or NONE, the smallest of the right
    one, and how many codes occur.
    """
    n_classes, free = number(classes, total), np.uint64(n - 2 * min_leaf)
    for k in range(n_classes):
        moved[k] = 0
    state, value, low, high = empty, best, np.int64(NONE), np.int64(0)
    previous, n_moved, n_codes = np.int64(0), np.int64(0), 0
    for code in range(n_levels):
        if n_moved == n:
            break
        size, place = np.int64(0), code * n_classes
        for k in range(n_classes):
            size += counts[np.uint64(place + k)]
        if size == 0:
            continue
        if n_codes > 0 and np.uint64(n_moved - min_leaf) <= free:
            v, state = score(classes, criterion, state, moved, total, n_moved, n, best)
            if v > best:
                value, low, high, best = v, previous, np.int64(code), base + (v - base) * (1.0 + TIE)
        for k in range(n_classes):  # counts are often 0; a branch would cost more
            state = move(classes, criterion, state, moved, total, np.uint64(k), np.int64(counts[np.uint64(place + k)]))
        n_moved += size
        previous = np.int64(code)
        n_codes += 1
    return value, low, high, n_codes


@inlined_kernel
def accept(criterion, increase, winner, limit, node, settings):
    """Gain of the best split found, and `winner`, or -1 if the gain is none or too small.

    `increase` is that of the criterion's value, and `limit` its ceiling.
    """
    weight = unit(criterion, node.n, node.n_root)
    floor = tolerance(criterion, limit, node.n, node.n_root)
    if increase <= max(floor, settings.min_impurity_decrease * weight):
        winner = np.int64(-1)
    return increase / weight, winner


@inlined_kernel
def codes_beside(entries, run, at, shift, mode):
    """Codes next to the threshold that `scan` found; `mode` is what side B has behind the run, or -1."""
    inner = np.int64(entries[at - run[2]] >> shift)
    outer = mode if mode >= 0 and at == run[1] else np.int64(entries[at] >> shift)
    return (inner, outer) if run[2] == 1 else (outer, inner)
