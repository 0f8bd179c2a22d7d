"""Scanning one sorted run of entries for the best threshold.

A scan starts from an empty side A and moves samples into it one by one; side B is the node minus side A. It starts with
the best value found so far in the node, so that the bounds of dear criteria bite.
"""

import numpy as np

from ironbark.criteria.base import is_cheap, move, score, score_two, tolerance, unit
from ironbark.jit import inlined_kernel
from ironbark.tree.growing.labels import label_class, label_of, label_weight

TIE = 1e-9  # relative difference in gain below which two splits are tied
NONE = -2  # in place of an index: no split was found


@inlined_kernel
def scan(criterion, empty, entries, first, stop, step, labels, mask, shift, total, n, min_leaf, moved, base, best):
    """Scan one run of entries; ties go to the lowest threshold.

    Parameters
    ----------
    empty : tuple
        State of the criterion while side A is empty, of `start`.
    first, stop, step : int
        Entries first, first + step, ... before stop. Upwards (1) side A is the left child, downwards (-1) the right.
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
        label = label_of(labels, entry & mask)
        c = np.uint64(label_class(label))
        weight = label_weight(label)
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


@inlined_kernel
def scan_two(criterion, entries, first, stop, step, labels, mask, shift, total, n, min_leaf, base, best):
    """`scan` for two classes: one running count instead of an array."""
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
        label = label_of(labels, entry & mask)
        weight = label_weight(label)
        a1 += weight * label_class(label)
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
