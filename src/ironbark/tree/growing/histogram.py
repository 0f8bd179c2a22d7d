"""Class counts of each code of a feature, in place of sorted keys where codes are few: filling and scanning them."""

import numpy as np

from ironbark.criteria.base import move, score, score_two
from ironbark.jit import inlined_kernel
from ironbark.tree.growing.labels import label_class, label_weight
from ironbark.tree.growing.scan import NONE, TIE


@inlined_kernel
def count_codes(codes, step, start, samples, labels, first, last, n_classes, n_levels, counts):
    """Fill ``counts[code * n_classes + class]`` for samples[first:last], of codes ``codes[sample * step + start]``."""
    for i in range(n_levels * n_classes):
        counts[np.uint64(i)] = 0
    for i in range(first, last):
        label = labels[np.uint64(i)]
        code = np.int64(codes[np.uint64(samples[np.uint64(i)] * step + start)])
        counts[np.uint64(code * n_classes + label_class(label))] += label_weight(label)


@inlined_kernel
def scan_counts(criterion, empty, counts, n_levels, total, n, min_leaf, moved, base, best):
    """Scan the codes upwards; ties go to the lowest threshold.

    Parameters
    ----------
    empty : tuple
        State of the criterion while side A is empty, of `start`.
    base : float
        Value of the unsplit node.
    best : float
        The value to exceed.

    Returns
    -------
    value : float
        Value of the best split found.
    low, high : int
        Largest code of the left side, or NONE, and smallest code of the right one.
    n_codes : int
        Number of codes that occur; 1 if the feature is constant in the node.
    """
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
            m = np.int64(counts[np.uint64(place + k)])  # often 0, which moves nothing; a branch would be mispredicted
            a = moved[k]
            moved[k] = a + m
            state = move(criterion, state, a, total[k], m)
        n_moved += size
        previous = np.int64(code)
        n_codes += 1
    return value, low, high, n_codes


@inlined_kernel
def scan_counts_two(criterion, counts, n_levels, total, n, min_leaf, base, best):
    """`scan_counts` for two classes."""
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
