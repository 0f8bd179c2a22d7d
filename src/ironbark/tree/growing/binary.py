"""Nodewise growth that counts the classes of all binary features of a node at once.

The codes of a sample's binary features are neighbours in memory, so one pass over the samples of a node counts all of
them in vector instructions. Only the smaller child is counted; its sibling is their parent less the smaller child. The
trees are those of `nodewise`: neither draws nor counts differ.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel, kernel
from ironbark.tree.growing.driver import best_threshold, divide, inherit
from ironbark.tree.growing.nodes import SMALL, order_by_change, rows_that_differ
from ironbark.tree.growing.nodewise import Nodewise, layouts, part
from ironbark.tree.growing.regression import BITS, CLASS
from ironbark.tree.growing.thresholds.node_threshold import BY_ROW, best_of_counts

LANES = 16  # of a vector instruction
LEAST_CODES = 2**17  # below, growth takes less time than loading kernels of its own
LEAST_SHARE = 0.75  # of the features that are binary, from which on it pays to count all of them
MOST_PER_DRAW = 18  # features for each one that a node draws, up to which it pays
MOST_COUNTS = 768  # features times classes, up to which it pays


class Binary(NamedTuple):
    """What all nodes of a tree share. A slot of the stack has the class counts of the samples at 1."""

    nodes: Nodewise
    flags: np.ndarray  # (n_samples, width), uint8: code of each binary feature, 0 for others
    binary: np.ndarray  # (n_features,), uint8
    others: np.ndarray  # (2,), int64: range of all other features
    ones: np.ndarray  # (slots + 1, n_classes, width), int32
    sizes: np.ndarray  # (width,), int32: scratch
    pair: np.ndarray  # (2 * n_classes,), int32: scratch

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        if task.binary[split[1]] == 0 or node.last - node.first >= BY_ROW:
            return divide(task.nodes, node, split, slot, total, left, right)
        codes, width = task.flags.reshape(task.flags.size)[split[1] :], np.int64(task.flags.shape[1])
        return part(task.nodes, node, codes, width, split, total, left, right)

    @staticmethod
    def inherit(task, node, split, slot, left_slot, right_slot, middle):
        if left_slot >= 0 or right_slot >= 0:
            is_left = middle - node.first <= node.last - middle
            count_ones(task, node.first if is_left else middle, middle if is_left else node.last, slot + 1)
            subtract_ones(task, slot, (left_slot if is_left else right_slot) == slot)
        return inherit(task.nodes, node, split, slot, left_slot, right_slot, middle)

    @staticmethod
    def candidates(task, node, slot):
        shared = task.nodes
        first, permutation = np.int64(node.n_features), shared.permutations[slot]
        if node.size < SMALL:
            rows_that_differ(shared, node, task.others[0], task.others[1])
            ones_that_differ(task, node, np.uint64(slot))
            first = order_by_change(shared, permutation)
        return first, permutation.shape[0], np.int64(0)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        if task.binary[feature] == 0:
            return best_threshold(
                task.nodes, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best
            )
        pair, n_classes, none = task.pair, total.shape[0], np.int64(-1)
        for k in range(n_classes):
            n_ones = task.ones[np.uint64(slot), np.uint64(k), np.uint64(feature)]
            pair[k], pair[n_classes + k] = total[k] - n_ones, n_ones
        return best_of_counts(criterion, classes, node, settings, pair, 2, none, empty, total, moved, base, best)


@inner_kernel
def count_ones(task, first, last, slot):
    """Write the class counts of some samples at 1 to a slot."""
    samples, labels, ones = task.nodes.samples, task.nodes.labels, task.ones[slot]
    for k in range(ones.shape[0]):
        for j in range(ones.shape[1]):
            ones[k, j] = 0
    for i in range(first, last):
        label = np.int64(labels[np.uint64(i)])
        row, counts = task.flags[samples[np.uint64(i)]], ones[np.uint64(label & CLASS)]
        weight = np.int32((label >> BITS) + 1)
        for j in range(row.shape[0]):
            counts[j] += np.int32(row[j]) * weight


@inlined_kernel
def subtract_ones(task, slot, keeps_slot):
    """Turn the counts of a parent, and of its smaller child in the slot above, into those of both children."""
    # The smaller child has the slot of its parent if `keeps_slot`, and its sibling the one above; or the other way.
    parent, fewer = task.ones[np.uint64(slot)], task.ones[np.uint64(slot + 1)]
    for k in range(parent.shape[0]):
        for j in range(parent.shape[1]):
            counted = fewer[k, j]
            rest = parent[k, j] - counted
            parent[k, j], fewer[k, j] = (counted, rest) if keeps_slot else (rest, counted)


@inlined_kernel
def ones_that_differ(task, node, slot):
    """Write to `differs` whether the samples of the node differ in each binary feature."""
    ones, sizes, differs = task.ones[slot], task.sizes, task.nodes.differs
    for j in range(sizes.shape[0]):
        sizes[j] = ones[0, j]
    for k in range(1, ones.shape[0]):
        for j in range(sizes.shape[0]):
            sizes[j] += ones[k, j]
    size = np.int32(node.size)
    for j in range(task.binary.shape[0]):
        differs[j] |= np.uint8(sizes[j] != 0) & np.uint8(sizes[j] != size)


@kernel
def count_root(task):
    """Write the counts of the root."""
    count_ones(task, 0, task.nodes.samples.shape[0], 0)


def counting_binary(features, settings, n_classes):
    """What makes of a `Nodewise` the `Binary` of all its nodes, or None where that does not pay."""
    (n, n_features), drawn = features.shape, settings.max_features
    binary = (np.diff(features.offsets) == 2) & ~features.missing
    pays = binary.mean() >= LEAST_SHARE and n_features <= MOST_PER_DRAW * drawn
    if not pays or n * n_features < LEAST_CODES or n_features * n_classes > MOST_COUNTS:
        return None
    if "flags" not in features.derived:
        flags = np.zeros((n, -(-n_features // LANES) * LANES), np.uint8)
        flags[:, :n_features] = layouts(features)[1].reshape(n, n_features) * binary
        flags.flags.writeable = False  # as for `layouts`
        features.derived["flags"] = flags
    flags, others = features.derived["flags"], np.flatnonzero(~binary)
    span = np.array([others[0], others[-1] + 1] if len(others) else [0, 0])

    def wrap(nodes):
        ones = np.empty((len(nodes.permutations) + 1, n_classes, flags.shape[1]), np.int32)
        scratch = np.empty(flags.shape[1], np.int32), np.empty(2 * n_classes, np.int32)
        task = Binary(nodes, flags, binary.view(np.uint8), span, ones, *scratch)
        count_root(task)
        return task

    return wrap
