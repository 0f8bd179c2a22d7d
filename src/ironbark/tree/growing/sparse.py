"""Nodewise growth that counts a feature's codes above 0 only, where these are few, as in counts of words.

The trees are those of `nodewise`: neither draws nor counts differ.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inner_kernel
from ironbark.tree.growing.driver import best_threshold, divide
from ironbark.tree.growing.nodes import SMALL, order_by_change
from ironbark.tree.growing.nodewise import Nodewise, is_counted, layouts
from ironbark.tree.growing.regression import BITS, CLASS
from ironbark.tree.growing.thresholds.node_threshold import best_of_counts

LEAST_CODES = 2**20  # below, growth takes less time than loading kernels of its own
MOST_SHARE = 0.05  # of the codes that are above 0, up to which it pays


class Sparse(NamedTuple):
    """What all nodes of a tree share: the codes above 0 of one feature after the other, and those of each sample."""

    nodes: Nodewise
    ends: np.ndarray  # (n_features + 1,), int64: where the entries of each feature begin and end
    samples: np.ndarray  # (n_entries,), uint32
    codes: np.ndarray
    row_ends: np.ndarray  # (n_samples + 1,), int64: where the entries of each sample begin and end
    features: np.ndarray  # (n_entries,), uint32
    row_codes: np.ndarray
    places: np.ndarray  # (n_samples,), int32: place of each sample among those of the tree, or -1

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        found = divide(task.nodes, node, split, slot, total, left, right)
        for i in range(node.first, node.last):
            task.places[task.nodes.samples[np.uint64(i)]] = i
        return found

    @staticmethod
    def candidates(task, node, slot):
        first, permutation = np.int64(node.n_features), task.nodes.permutations[slot]
        if node.size < SMALL:
            entries_that_differ(task, node)
            first = order_by_change(task.nodes, permutation)
        return first, permutation.shape[0], np.int64(0)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        shared, n_entries = task.nodes, task.ends[feature + 1] - task.ends[feature]
        if 2 * n_entries > node.last - node.first or not is_counted(shared, node, feature, total.shape[0]):
            return best_threshold(
                shared, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best
            )
        counts, n_levels, missing = shared.counts, shared.n_levels[feature], shared.missing[feature]
        count_entries(task, node, feature, n_levels, total)
        return best_of_counts(
            criterion, classes, node, settings, counts, n_levels, missing, empty, total, moved, base, best
        )


@inner_kernel
def entries_that_differ(task, node):
    """Write to `differs` whether the samples of the node differ in each feature."""
    shared, ends, features, codes = task.nodes, task.row_ends, task.features, task.row_codes
    differs, n_features = shared.differs, np.uint64(shared.n_levels.shape[0])
    for j in range(differs.shape[0]):
        differs[j] = 0
    model = np.uint64(shared.samples[np.uint64(node.first)])
    for i in range(node.first + 1, node.last):
        sample = np.uint64(shared.samples[np.uint64(i)])
        for one, other in ((sample, model), (model, sample)):
            for place in range(ends[one], ends[one + np.uint64(1)]):
                feature = np.uint64(features[np.uint64(place)])
                differs[feature] |= codes[np.uint64(place)] ^ shared.rows[other * n_features + feature]


@inner_kernel
def count_entries(task, node, feature, n_levels, total):
    """Fill ``counts[code * n_classes + class]`` for the samples of a node."""
    shared, counts, n_classes = task.nodes, task.nodes.counts, total.shape[0]
    for i in range(n_levels * n_classes):
        counts[np.uint64(i)] = total[i] if i < n_classes else 0
    for i in range(task.ends[feature], task.ends[feature + 1]):
        place = np.int64(task.places[task.samples[np.uint64(i)]])
        if node.first <= place < node.last:
            label = np.int64(shared.labels[np.uint64(place)])
            k, weight = label & CLASS, np.int32((label >> BITS) + 1)
            counts[np.uint64(k)] -= weight
            counts[np.uint64(np.int64(task.codes[np.uint64(i)]) * n_classes + k)] += weight


def counting_entries(features):
    """What makes of a `Nodewise` the `Sparse` of all its nodes, or None where that does not pay."""
    n, n_features = features.shape
    if n * n_features < LEAST_CODES:
        return None
    if "entries" not in features.derived:
        columns, rows, *_ = layouts(features)
        pays = np.count_nonzero(columns) <= MOST_SHARE * columns.size
        features.derived["entries"] = (*_above_zero(columns, n), *_above_zero(rows, n_features)) if pays else None
    entries = features.derived["entries"]

    def wrap(nodes):
        places = np.full(n, -1, np.int32)
        places[nodes.samples] = np.arange(len(nodes.samples))
        return Sparse(nodes, *entries, places)

    return wrap if entries else None


def _above_zero(codes, width):
    """Where the entries above 0 of each row of this width begin and end, their columns, and their codes."""
    places = np.flatnonzero(codes)
    ends = np.searchsorted(places, np.arange(0, len(codes) + 1, width))
    return ends, (places % width).astype(np.uint32), codes[places]
