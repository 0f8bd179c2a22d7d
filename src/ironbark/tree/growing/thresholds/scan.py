"""Scanning one feature for the best threshold: sorted entries, or class counts of each code.

A scan starts from an empty side A and moves samples into it; side B is the node minus side A. It starts with the best
value found so far in the node, so that costly criteria can skip thresholds by a bound. Two classes need one running
count in place of an array: scans are made for them and for any number, and `two`, which they enclose, is a constant.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria.base import is_cheap, move, score, score_two
from ironbark.jit import inlined_by_class, inlined_kernel, inner_kernel, unlikely
from ironbark.tree.growing.regression import BITS, CLASS

TIE = 1e-9  # relative difference in gain below which two splits are tied
NONE = -2  # in place of an index: no split was found
CONSTANT, VARIES, ENOUGH = range(3)  # what is known of a feature after its search; ENOUGH ends that of the node


@inlined_by_class
def scan(classes, criterion, empty, entries, run, labels, mask, shift, total, n, min_leaf, moved, base, best):
    """Scan one run of entries, first, first + step, ... before stop; ties go to the lowest threshold.

    Upwards (step 1) side A is the left child, downwards (-1) the right. `labels` are packed labels by sample, or None
    if entries carry the packed label itself in place of the sample; `empty` is the state of the scan while side A is
    empty, `base` the value of the unsplit node, `best` the value to exceed.

    Returns the value of the best split found, and the index of the first entry of side B (`stop` if side B has only
    samples at the mode), or NONE.
    """


@inlined_by_class
def scan_counts(classes, criterion, empty, counts, n_levels, total, n, min_leaf, moved, base, best):
    """Scan the class counts of the codes upwards, with parameters as for `scan`; ties go to the lowest threshold.

    Returns the value of the best split found, the largest code of its left side, or NONE, the smallest of the right
    one, and how many codes occur.
    """


def make_scan(two):
    """`scan` for two classes, whose state is the count of class 1, or for any number."""

    def scan(classes, criterion, empty, entries, run, labels, mask, shift, total, n, min_leaf, moved, base, best):
        first, stop, step = run
        clear(moved)
        state, value, at, n_moved, i = empty, best, np.int64(NONE), np.int64(0), np.int64(first)
        free = np.uint64(n - 2 * min_leaf)  # n_moved - min_leaf is no more where both sides are large enough
        factor = 1.0 + step * TIE
        entry = entries[np.uint64(i)]
        code = entry >> shift
        while True:
            low_bits = entry & mask
            label = np.int64(low_bits) if labels is None else np.int64(labels[np.uint64(low_bits)])
            weight = (label >> BITS) + 1
            if two:
                state = (state[0] + weight * (label & CLASS),)
            else:
                k = np.uint64(label & CLASS)
                a = moved[k]
                moved[k] = a + weight
                state = move(criterion, state, a, total[k], weight)
            n_moved += weight
            i += step
            if i == stop:
                break
            entry = entries[np.uint64(i)]
            following = entry >> shift
            if is_cheap(criterion) or (following != code and np.uint64(n_moved - min_leaf) <= free):
                v, state = (
                    (score_two(criterion, state[0], n_moved, total[1], n, best), state)
                    if two
                    else score(criterion, state, moved, total, n_moved, n, best)
                )
                if unlikely(v > best and following != code and np.uint64(n_moved - min_leaf) <= free):
                    value, at, best = v, i, base + (v - base) * factor
            code = following
        if n_moved < n and np.uint64(n_moved - min_leaf) <= free:
            v, state = (
                (score_two(criterion, state[0], n_moved, total[1], n, best), state)
                if two
                else score(criterion, state, moved, total, n_moved, n, best)
            )
            if v > best:
                value, at = v, np.int64(stop)
        return value, at

    return scan


def make_scan_counts(two):
    """`scan_counts` for two classes, whose state is the count of class 1, or for any number."""

    def scan_counts(classes, criterion, empty, counts, n_levels, total, n, min_leaf, moved, base, best):
        n_classes, free = 2 if two else total.shape[0], np.uint64(n - 2 * min_leaf)
        clear(moved)
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
                v, state = (
                    (score_two(criterion, state[0], n_moved, total[1], n, best), state)
                    if two
                    else score(criterion, state, moved, total, n_moved, n, best)
                )
                if unlikely(v > best):
                    value, low, high, best = v, previous, np.int64(code), base + (v - base) * (1.0 + TIE)
            if two:
                state = (state[0] + np.int64(counts[np.uint64(place + 1)]),)
            else:
                for k in range(n_classes):  # counts are often 0; a branch would cost more
                    a, m = moved[k], np.int64(counts[np.uint64(place + k)])
                    moved[k] = a + m
                    state = move(criterion, state, a, total[k], m)
            n_moved += size
            previous = np.int64(code)
            n_codes += 1
        return value, low, high, n_codes

    return scan_counts


class Many(NamedTuple):
    """Any number of classes."""

    least: int

    two = False
    scan, scan_counts = make_scan(two), make_scan_counts(two)


class Two(NamedTuple):
    """Two classes."""

    least: int

    two = True
    scan, scan_counts = make_scan(two), make_scan_counts(two)


MANY, TWO = Many(2), Two(2)


@inner_kernel
def clear(moved):
    """Empty side A."""
    for k in range(moved.shape[0]):
        moved[k] = 0


@inlined_kernel
def codes_beside(entries, run, at, shift, mode):
    """Codes next to the threshold that `scan` found; `mode` is what side B has behind the run, or -1."""
    inner = np.int64(entries[at - run[2]] >> shift)
    outer = mode if mode >= 0 and at == run[1] else np.int64(entries[at] >> shift)
    return (inner, outer) if run[2] == 1 else (outer, inner)
