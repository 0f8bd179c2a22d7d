"""Best split of a node over all features, on sorted sparse lists.

The part of a list below the mode is scanned upwards, the part above it downwards. Side B is the node minus side A, so
the samples at the mode are never touched, and the two scans together see every threshold.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria.base import ceiling, origin, origin_two, start, unit
from ironbark.jit import inner_kernel, pasted_kernel
from ironbark.tree.early_exit import first_threshold, reaches, relative_risk
from ironbark.tree.nodes import draw
from ironbark.tree.scan import NONE, TIE, accept, scan, scan_two


class ListTask(NamedTuple):
    """What all nodes of a tree share."""

    entries: np.ndarray
    mode: np.ndarray
    labels: np.ndarray
    shift: np.uint64  # of the type of the entries, like mask
    mask: np.uint64


class Segments(NamedTuple):
    """Part of each list that a slot of the stack has; arrays of shape (slots, n_features), int64."""

    feature: np.ndarray
    begin: np.ndarray
    end: np.ndarray


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
def draw_segment(segments, slot, position, node):
    """Swap one of the node's segments from `position` on, drawn at random, to `position`."""
    other = position + draw(node.key, position, node.n_features - position)
    feature, begin, end = segments.feature[slot], segments.begin[slot], segments.end[slot]
    feature[position], feature[other] = feature[other], feature[position]
    begin[position], begin[other] = begin[other], begin[position]
    end[position], end[other] = end[other], end[position]
    return begin[position], end[position]


def search(criterion_class, two):
    """`best_split` for one class of criteria; its cache is told apart by what this function encloses."""
    early = 1 if criterion_class.early_exit else None

    def search(criterion, task, node, settings, total, segments, slot, moved):
        fields = criterion_class(criterion.integers, criterion.floats, criterion.a, criterion.b, criterion.c)
        return best_split(fields, two, early, task, node, settings, total, segments, slot, moved)

    return search


@pasted_kernel
def best_split(criterion, two, early, task, node, settings, total, segments, slot, moved):
    """Best split of a node.

    Parameters
    ----------
    criterion : Criterion
    two : None or int
        None for any number of classes, anything else for two; decided when the kernel is compiled.
    early : None or int
        None unless the search ends at the first gain that reaches the node's risk; decided likewise.
    task : ListTask
    node : Node
    settings : Settings
    total : ndarray of shape (n_classes,), int64
        Class counts of the node.
    segments : Segments
        Visited in random order and left in that order.
    slot : int
        The node's row in `segments`.
    moved : ndarray of shape (n_classes,), int64
        Scratch.

    Returns
    -------
    gain : float
    place : int
        Position of the winning feature in the node's segments, or -1 if no split has a gain.
    low, high : int
        Largest code that goes left and smallest code that goes right.
    """
    entries, labels, shift, mask = task.entries, task.labels, task.shift, task.mask
    n, leaf = node.n, settings.min_samples_leaf
    limit = ceiling(criterion, total, n)
    base = origin(criterion, total, n) if two is None else origin_two(criterion, total[1], n)
    best, value = base, base
    empty = start(criterion, total, n)
    place, low, high = np.int64(-1), np.int64(0), np.int64(0)
    for position in range(node.n_features):
        first, last = draw_segment(segments, slot, position, node)
        left_out = task.mode[segments.feature[slot, position]]
        middle = first_above(entries, first, last, left_out, shift)
        before = best
        for step in (1, -1):
            i, stop = (first, middle) if step == 1 else (last - 1, middle - 1)
            if i == stop:
                continue
            if two is None:
                v, at = scan(
                    criterion, empty, entries, i, stop, step, labels, mask, shift, total, n, leaf, moved, base, best
                )
            else:
                v, at = scan_two(criterion, entries, i, stop, step, labels, mask, shift, total, n, leaf, base, best)
            if at == NONE:
                continue
            value, place = v, np.int64(position)
            best = base + (v - base) * (1.0 + TIE)
            inner = np.int64(entries[at - step] >> shift)  # the code of side A next to the threshold
            at_mode = at == stop and last - first < node.last - node.first
            outer = left_out if at_mode else np.int64(entries[at] >> shift)
            low, high = (inner, outer) if step == 1 else (outer, inner)
        if early is not None and best > before:
            whole, risk = unit(criterion, n, node.n_root), relative_risk(total, n, node.n_root)
            if reaches(value, base, whole, risk):
                run = entries, labels, mask, shift, first, middle, last
                mode = left_out if last - first < node.last - node.first else np.int64(-1)
                value, low, high = first_threshold(
                    criterion, two, run, mode, empty, total, n, leaf, moved, base, before, whole, risk
                )
                best = base + (value - base) * (1.0 + TIE)
                if reaches(value, base, whole, risk):
                    break
        if value - base >= limit * (1.0 - TIE):  # both children pure
            break
    gain, place = accept(criterion, value - base, place, limit, node, settings)
    return gain, place, low, high
