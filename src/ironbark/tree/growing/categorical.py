"""Growing nodewise where some features are categorical: such a feature is searched as one whose codes are places.

The places of its levels in the node, see `ironbark.tree.growing.levels`, are written to a table of one feature, which
the growers of other features search and divide.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inlined_kernel
from ironbark.tree.growing.driver import best_threshold, divide
from ironbark.tree.growing.levels import SPLITS, Levels, arrange, count, fill, levels_of, n_orders, record, tally
from ironbark.tree.growing.nodewise import Nodewise
from ironbark.tree.growing.thresholds.node_threshold import best_of_counts, codes_of, raised
from ironbark.tree.growing.thresholds.scan import CONSTANT, NONE, VARIES
from ironbark.tree.growing.weighted import Weighted

WAY = 32  # a code next to a threshold has the number of its order above so many bits


class Categorical(NamedTuple):
    """What all nodes of a tree share."""

    nodes: Nodewise
    one: Nodewise  # the same task on the places of the levels of one feature
    codes: Nodewise  # of `nodes`
    missing: np.ndarray  # (1,), int64: code of missing values in `one`
    weights: None
    levels: Levels
    counts: np.ndarray  # int32: class counts by places and of missing values

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        feature, way, low = split[1], split[2] >> WAY, split[2] & ((1 << WAY) - 1)
        nodes, column = task.nodes, feature
        if task.levels.categorical[feature]:
            count_levels(task, node, feature)
            place_levels(task, node, feature, way)
            nodes, column = task.one, np.int64(0)
        record(task.levels, feature, low)
        return divide(nodes, node, (split[0], column, low, *split[3:]), slot, total, left, right)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        if not task.levels.categorical[feature]:
            return best_threshold(
                task.nodes, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best
            )
        value, low, high, to_left = best, np.int64(NONE), np.int64(0), np.int64(-1)
        n_codes = count_levels(task, node, feature)
        for way in range(n_orders(task.levels) if n_codes > 1 else 0):
            arrange(task.levels, way)
            gaps, least = tally(task.levels, task.counts), raised(value, low, base, best)
            v, below, above, missing_left, _ = best_of_counts(
                criterion, classes, node, settings, task.counts, gaps + 1, gaps, empty, total, moved, base, least
            )
            if below != NONE:
                value, low, high, to_left = v, below + (np.int64(way) << WAY), above, missing_left
        return value, low, high, to_left, np.int64(VARIES if n_codes > 1 else CONSTANT)


class CategoricalWeighted(NamedTuple):
    """`Categorical` for weights that are no integers, whose thresholds are scanned sample by sample."""

    nodes: Weighted
    one: Weighted
    codes: Nodewise
    missing: np.ndarray
    weights: np.ndarray
    levels: Levels

    divide = Categorical.divide

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        categorical, nodes, column, n_ways, n_codes = False, task.nodes, feature, np.int64(1), np.int64(2)
        if task.levels.categorical[feature]:
            categorical, nodes, column = True, task.one, np.int64(0)
            n_codes = count_levels(task, node, feature)
            n_ways = n_orders(task.levels)
        value, low, high, to_left, status = best, np.int64(NONE), np.int64(0), np.int64(-1), np.int64(CONSTANT)
        for way in range(n_ways if n_codes > 1 else 0):
            if categorical:
                place_levels(task, node, feature, way)
            least = raised(value, low, base, best)
            v, below, above, missing_left, status = best_threshold(
                nodes, criterion, classes, node, settings, slot, place, column, empty, total, moved, base, least
            )
            if below != NONE:
                value, low, high, to_left = v, below + (np.int64(way) << WAY), above, missing_left
        if categorical and n_codes > 1:
            status = np.int64(VARIES)  # although the places of all levels may be tied
        return value, low, high, to_left, status


@inlined_kernel
def count_levels(task, node, feature):
    """`count` the levels of a feature."""
    shared, missing = task.codes, task.codes.missing[feature]
    codes, step, start = codes_of(shared, node, feature)
    task.missing[0], fewest = missing, task.levels.fewest[feature]
    return count(task.levels, codes, step, start, shared.samples, shared.labels, task.weights, node, missing, fewest)


@inlined_kernel
def place_levels(task, node, feature, way):
    """`arrange` levels that were counted, and `fill` in their places."""
    arrange(task.levels, way)
    codes, step, start = codes_of(task.codes, node, feature)
    fill(task.levels, codes, step, start, task.codes.samples, node, task.missing[0])


class Categories:
    """Wraps the task of nodewise growth if there are categorical features, and keeps how their levels are parted."""

    def __init__(self, features, n_classes, unit):
        self._features, self._n_classes, self._unit, self._levels = features, n_classes, unit, None

    def __call__(self, task):
        """The `Categorical` of a `Nodewise` or a `Weighted`."""
        if not self._features.categorical.any():
            return task
        codes = task if isinstance(task, Nodewise) else task.nodes
        self._levels = levels_of(self._features, codes.columns.dtype, self._n_classes, len(codes.samples), self._unit)
        column, missing, most = self._levels.column, np.empty(1, np.int64), np.array([len(self._levels.order)])
        one = codes._replace(
            columns=column, rows=column, n_levels=most, many_zeros=np.zeros(1, np.uint8), missing=missing
        )
        if codes is task:
            counts = np.empty(self._n_classes * (1 + most[0]), np.int32)
            return Categorical(task, one, codes, missing, None, self._levels, counts)
        return CategoricalWeighted(task, task._replace(nodes=one), codes, missing, task.weights, self._levels)

    def sets(self):
        """Bits of the levels that go left at each split, in the order of the splits, or None."""
        return None if self._levels is None else self._levels.sets[: self._levels.counted[SPLITS]].copy()
