"""Best split of a node over all features, on sorted sparse lists.

The part of a list below the mode is scanned upwards, the part above it downwards. Side B is the node minus side A, so
the samples at the mode are never touched, and the two scans together see every threshold.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria.base import ceiling, origin, origin_two, tolerance, unit
from ironbark.jit import inner_kernel
from ironbark.tree.nodes import draw
from ironbark.tree.scan import NONE, TIE, scan, scan_two


class SplitTask(NamedTuple):
    """What the search needs to know of a node, the lists and the settings."""

    entries: np.ndarray
    mode: np.ndarray
    shift: np.uint64  # of the type of the entries, like mask
    mask: np.uint64
    n_segments: int
    n: int  # total weight of the node
    n_samples: int
    n_root: int
    min_samples_leaf: int
    min_impurity_decrease: float
    key: np.uint64


@inner_kernel
def first_above(entries, begin, end, mode, shift):
    """Index of the first entry of a sorted run whose code exceeds `mode`."""
    if np.int64(entries[begin] >> shift) > mode:
        return begin
    if np.int64(entries[end - 1] >> shift) < mode:
        return end
    while begin < end:
        middle = (begin + end) >> 1
        if np.int64(entries[middle] >> shift) < mode:
            begin = middle + 1
        else:
            end = middle
    return begin


@inner_kernel
def best_split(criterion, two, task, total, segments, labels, moved):
    """Best split of a node.

    Parameters
    ----------
    criterion : Criterion
    two : None or int
        None for any number of classes, anything else for two; decided when the kernel is compiled.
    task : SplitTask
    total : ndarray of shape (n_classes,), int64
        Class counts of the node.
    segments : tuple of three ndarrays of shape (n_features,), int64
        Feature, begin and end of the node's list segments; visited in random order and left in that order.
    labels : ndarray of shape (n_samples,)
        Of `pack_labels`.
    moved : ndarray of shape (n_classes,), int64
        Scratch.

    Returns
    -------
    gain : float
    place : int
        Position of the winning feature in `segments`, or -1 if no split has a gain.
    low, high : int
        Largest code that goes left and smallest code that goes right.
    """
    feature, begin, end = segments
    entries, shift, mask, mode = task.entries, task.shift, task.mask, task.mode
    n, n_samples, key, leaf = task.n, task.n_samples, task.key, task.min_samples_leaf
    limit = ceiling(criterion, total, n)
    base = origin(criterion, total, n) if two is None else origin_two(criterion, total[1], n)
    best, value = base, base
    place, low, high = np.int64(-1), np.int64(0), np.int64(0)
    for position in range(task.n_segments):
        other = position + draw(key, position, task.n_segments - position)
        feature[position], feature[other] = feature[other], feature[position]
        begin[position], begin[other] = begin[other], begin[position]
        end[position], end[other] = end[other], end[position]
        first, last = begin[position], end[position]
        left_out = mode[feature[position]]
        middle = first_above(entries, first, last, left_out, shift)
        for step in (1, -1):
            i, stop = (first, middle) if step == 1 else (last - 1, middle - 1)
            if i == stop:
                continue
            if two is None:
                v, at = scan(criterion, entries, i, stop, step, labels, mask, shift, total, n, leaf, moved, base, best)
            else:
                v, at = scan_two(criterion, entries, i, stop, step, labels, mask, shift, total, n, leaf, base, best)
            if at == NONE:
                continue
            value, place = v, np.int64(position)
            best = base + (v - base) * (1.0 + TIE)
            inner = np.int64(entries[at - step] >> shift)  # the code of side A next to the threshold
            at_mode = at == stop and last - first < n_samples
            outer = left_out if at_mode else np.int64(entries[at] >> shift)
            low, high = (inner, outer) if step == 1 else (outer, inner)
        if value - base >= limit * (1.0 - TIE):  # both children pure
            break
    weight = unit(criterion, n, task.n_root)
    if value - base <= max(tolerance(criterion, limit, n, task.n_root), task.min_impurity_decrease * weight):
        place = np.int64(-1)
    return (value - base) / weight, place, low, high
