"""Searching a node for its best split: the same for all ways to grow, compiled for each criterion.

A way to grow is a NamedTuple of the arrays that all nodes share, with the operations below as static methods. It knows
the features of a node by their positions among its candidates, in front of which those are that are known to be
constant in the node.
"""

import numpy as np

from ironbark.criteria.base import ceiling, origin, origin_two, start, tolerance, unit
from ironbark.jit import inlined_by_class
from ironbark.tree.growing.feature_sampling import draw
from ironbark.tree.growing.thresholds.scan import CONSTANT, ENOUGH, NONE, TIE


@inlined_by_class
def candidates(task, node, slot):
    """The features that a node may draw: the first position, behind constant features, the end, and an offset.

    The offset is a number of positions that do not count in the numbers of draws.
    """


@inlined_by_class
def exchange(task, slot, position, other):
    """Exchange two features of a node; returns the one that is at `position` then."""


@inlined_by_class
def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
    """Best split of a node by the feature at this position; classes, empty, base and best are as for `scan`.

    Returns the value, the codes next to the threshold (the lower one is NONE if no split exceeds `best`), whether
    missing values go left (-1 where none are missing), and CONSTANT, VARIES or ENOUGH.
    """


def search(criterion_class, classes):
    """The search for one class of criteria; the cache distinguishes kernels by what this function encloses."""
    two = classes.two

    def search(criterion, task, node, settings, total, slot, moved):
        criterion = criterion_class(*criterion)
        limit = ceiling(criterion, total, node.n)
        if two:
            base, empty = origin_two(criterion, total[1], node.n), (np.int64(0),)
        else:
            base, empty = origin(criterion, total, node.n), start(criterion, total, node.n)
        best, value, winner, place = base, base, np.int64(-1), np.int64(0)
        low, high, to_left = np.int64(0), np.int64(0), np.int64(0)
        first, end, offset = candidates(task, node, slot)
        hidden = first - offset if settings.constants_count else np.int64(0)
        position, drawn, varying = first, 0, 0
        while position < end:
            if (drawn if settings.constants_count else varying) >= settings.max_features and varying > 0:
                break
            number = draw(node.key, position - offset - hidden, hidden + end - position) - hidden
            drawn += 1
            if number < 0:  # one of the constant features
                hidden -= 1
                continue
            feature = exchange(task, slot, position, position + number)
            v, below, above, missing_left, status = best_threshold(
                task, criterion, classes, node, settings, slot, position, feature, empty, total, moved, base, best
            )
            position += 1
            if status == CONSTANT:
                exchange(task, slot, first, position - 1)
                first += 1
                continue
            varying += 1
            if below == NONE:
                continue
            value, winner, place, low, high, to_left = v, feature, position - 1, below, above, missing_left
            best = base + (value - base) * (1.0 + TIE)
            if value - base >= limit * (1.0 - TIE) or status == ENOUGH:  # both children pure
                break
        weight, floor = unit(criterion, node.n, node.n_root), tolerance(criterion, limit, node.n, node.n_root)
        if value - base <= max(floor, settings.min_impurity_decrease * weight):
            winner = np.int64(-1)
        return (value - base) / weight, winner, low, high, to_left, first, place

    return search
