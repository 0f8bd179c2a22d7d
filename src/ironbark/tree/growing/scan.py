"""Scanning one feature for the best threshold: sorted entries, or class counts of each code.

A scan starts from an empty side A and moves samples into it; side B is the node minus side A. It starts with the best
value found so far in the node, so that costly criteria can skip thresholds by a bound. Two classes have their own
scans, with one running count instead of an array.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria import base as criteria
from ironbark.criteria.base import is_cheap, move, score, score_two, tolerance, unit
from ironbark.jit import by_class, inlined_by_class, inlined_kernel
from ironbark.tree.growing.labels import BITS, CLASS

TIE = 1e-9  # relative difference in gain below which two splits are tied
NONE = -2  # in place of an index: no split was found
CONSTANT, VARIES, ENOUGH = range(3)  # what is known of a feature after its search; ENOUGH ends that of the node


@by_class
def origin(classes, criterion, total, n):
    """Value of the unsplit node."""


@inlined_by_class
def scan(classes, criterion, empty, entries, run, labels, mask, shift, total, n, min_leaf, moved, base, best):
    """Scan one run of entries; ties go to the lowest threshold.

    Parameters
    ----------
    empty : tuple
        State of the criterion while side A is empty, of `start`.
    run : tuple of three ints
        First, stop and step: entries first, first + step, ... before stop. Upwards (1) side A is the left child,
        downwards (-1) the right.
    labels : None or ndarray of shape (n_samples,)
        Packed labels by sample; None if entries carry the packed label itself in place of the sample.
    base : float
        Value of the unsplit node.
    best : float
        The value to exceed.

    Returns
    -------
    value : float
        Value of the best split found.
    at : int
        Index of the first entry of side B (`stop` if side B has only samples at the mode), or NONE.
    """


@inlined_by_class
def scan_counts(classes, criterion, empty, counts, n_levels, total, n, min_leaf, moved, base, best):
    """Scan the codes upwards, with parameters as for `scan`; ties go to the lowest threshold.

    Returns
    -------
    value : float
        Value of the best split found.
    low, high : int
        Largest code of the left side, or NONE, and smallest code of the right one.
    n_codes : int
        Number of codes that occur; 1 if the feature is constant in the node.
    """


class Many(NamedTuple):
    """Any number of classes."""

    least: int

    @staticmethod
    def origin(classes, criterion, total, n):
        return criteria.origin(criterion, total, n)

    @staticmethod
    def scan(classes, criterion, empty, entries, run, labels, mask, shift, total, n, min_leaf, moved, base, best):
        first, stop, step = run
        for k in range(total.shape[0]):
            moved[k] = 0
        state = empty
        free = np.uint64(n - 2 * min_leaf)  # n_moved - min_leaf is no more where both sides are large enough
        factor = 1.0 + step * TIE
        value = best
        at = np.int64(NONE)
        n_moved = np.int64(0)
        i = np.int64(first)
        entry = entries[np.uint64(i)]
        code = entry >> shift
        while True:
            low_bits = entry & mask
            label = np.int64(low_bits) if labels is None else np.int64(labels[np.uint64(low_bits)])
            c, weight = np.uint64(label & CLASS), (label >> BITS) + 1
            a = moved[c]
            moved[c] = a + weight
            state = move(criterion, state, a, total[c], weight)
            n_moved += weight
            i += step
            if i == stop:
                break
            entry = entries[np.uint64(i)]
            following = entry >> shift
            if is_cheap(criterion):
                v, state = score(criterion, state, moved, total, n_moved, n, best)
                if v > best and following != code and np.uint64(n_moved - min_leaf) <= free:
                    value, at, best = v, i, base + (v - base) * factor
            elif following != code and np.uint64(n_moved - min_leaf) <= free:
                v, state = score(criterion, state, moved, total, n_moved, n, best)
                if v > best:
                    value, at, best = v, i, base + (v - base) * factor
            code = following
        if n_moved < n and np.uint64(n_moved - min_leaf) <= free:
            v, state = score(criterion, state, moved, total, n_moved, n, best)
            if v > best:
                value, at = v, np.int64(stop)
        return value, at

    @staticmethod
    def scan_counts(classes, criterion, empty, counts, n_levels, total, n, min_leaf, moved, base, best):
        n_classes = total.shape[0]
        for k in range(n_classes):
            moved[k] = 0
        state = empty
        free = np.uint64(n - 2 * min_leaf)
        value, low, high = best, np.int64(NONE), np.int64(0)
        previous, n_moved, n_codes = np.int64(0), np.int64(0), 0
        for code in range(n_levels):
            if n_moved == n:
                break
            size = np.int64(0)
            place = code * n_classes
            for k in range(n_classes):
                size += counts[np.uint64(place + k)]
            if size == 0:
                continue
            if n_codes > 0 and np.uint64(n_moved - min_leaf) <= free:
                v, state = score(criterion, state, moved, total, n_moved, n, best)
                if v > best:
                    value, low, high, best = v, previous, np.int64(code), base + (v - base) * (1.0 + TIE)
            for k in range(n_classes):
                m = np.int64(counts[np.uint64(place + k)])  # often 0; a branch would cost more
                a = moved[k]
                moved[k] = a + m
                state = move(criterion, state, a, total[k], m)
            n_moved += size
            previous = np.int64(code)
            n_codes += 1
        return value, low, high, n_codes


class Two(NamedTuple):
    """Two classes."""

    least: int

    @staticmethod
    def origin(classes, criterion, total, n):
        return criteria.origin_two(criterion, total[1], n)

    @staticmethod
    def scan(classes, criterion, empty, entries, run, labels, mask, shift, total, n, min_leaf, moved, base, best):
        first, stop, step = run
        t1 = total[1]
        free = np.uint64(n - 2 * min_leaf)
        factor = 1.0 + step * TIE
        value = best
        at = np.int64(NONE)
        n_moved = np.int64(0)
        a1 = np.int64(0)
        i = np.int64(first)
        entry = entries[np.uint64(i)]
        code = entry >> shift
        while True:
            low_bits = entry & mask
            label = np.int64(low_bits) if labels is None else np.int64(labels[np.uint64(low_bits)])
            weight = (label >> BITS) + 1
            a1 += weight * (label & CLASS)
            n_moved += weight
            i += step
            if i == stop:
                break
            entry = entries[np.uint64(i)]
            following = entry >> shift
            if is_cheap(criterion):
                v = score_two(criterion, a1, n_moved, t1, n)
                if v > best and following != code and np.uint64(n_moved - min_leaf) <= free:
                    value, at, best = v, i, base + (v - base) * factor
            elif following != code and np.uint64(n_moved - min_leaf) <= free:
                v = score_two(criterion, a1, n_moved, t1, n)
                if v > best:
                    value, at, best = v, i, base + (v - base) * factor
            code = following
        if n_moved < n and np.uint64(n_moved - min_leaf) <= free:
            v = score_two(criterion, a1, n_moved, t1, n)
            if v > best:
                value, at = v, np.int64(stop)
        return value, at

    @staticmethod
    def scan_counts(classes, criterion, empty, counts, n_levels, total, n, min_leaf, moved, base, best):
        t1, free = total[1], np.uint64(n - 2 * min_leaf)
        value, low, high = best, np.int64(NONE), np.int64(0)
        previous, n_moved, a1, n_codes = np.int64(0), np.int64(0), np.int64(0), 0
        for code in range(n_levels):
            if n_moved == n:
                break
            m1 = np.int64(counts[np.uint64(2 * code + 1)])
            size = np.int64(counts[np.uint64(2 * code)]) + m1
            if size == 0:
                continue
            if n_codes > 0 and np.uint64(n_moved - min_leaf) <= free:
                v = score_two(criterion, a1, n_moved, t1, n)
                if v > best:
                    value, low, high, best = v, previous, np.int64(code), base + (v - base) * (1.0 + TIE)
            a1 += m1
            n_moved += size
            previous = np.int64(code)
            n_codes += 1
        return value, low, high, n_codes


MANY, TWO = Many(2), Two(2)


@inlined_kernel
def accept(criterion, increase, winner, limit, node, settings):
    """Gain of the best split found, and `winner`, or -1 if the gain is none or too small.

    Parameters
    ----------
    increase, limit : float
        Of the criterion's value, and its ceiling.
    """
    weight = unit(criterion, node.n, node.n_root)
    floor = tolerance(criterion, limit, node.n, node.n_root)
    if increase <= max(floor, settings.min_impurity_decrease * weight):
        winner = np.int64(-1)
    return increase / weight, winner
