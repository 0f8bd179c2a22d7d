"""The nodes of a growing tree: stopping rules, the store of nodes, the stack, and what makes a node a leaf.

Weights of classes are int64, or float64 where sample weights are no integers; the size of a node is what stopping rules
count, which is the sum of integer weights.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.growing.thresholds.scan import TIE

LEAF = -1
TIE_DRAW = 2**40  # index of the draw among tied classes, beyond those of any split search

#: Columns of `Nodes.records`. The row of the right child follows that of the left one. The last two columns exist only
#: where weights are no integers or values are missing: whether missing values go left, and the node's size.
FEATURE, LOW, HIGH, LEFT, PREDICTION, TO_LEFT, SIZE = range(7)

#: Columns of `Stack.slots`.
FIRST, LAST, DEPTH, ROW, N_FEATURES, N_SAMPLES = range(6)


class Settings(NamedTuple):
    """Stopping rules of a tree, as the kernels take them."""

    max_depth: int
    min_samples_split: int
    min_samples_leaf: int
    min_impurity_decrease: float
    max_features: int
    constants_count: bool  # whether a constant feature uses up one of `max_features`
    seed: np.uint64


class Node(NamedTuple):
    """A node while it is searched for a split."""

    first: int  # range of its samples
    last: int
    size: int
    n: int  # their weight; a float where weights are no integers
    n_root: int  # weight of the root
    n_features: int  # presorted: features that vary; nodewise: those known to be constant
    key: np.uint64  # of its random numbers


class Nodes(NamedTuple):
    """Store of nodes; row 0 is the root."""

    records: np.ndarray  # (rows, LEFT + 2 or SIZE + 1), int64; feature, low, high and left are -1 in leaves
    gains: np.ndarray  # (rows,), float64: gain of the node's split, 0 in leaves
    counts: np.ndarray  # (rows, n_classes), int64 or float64: class weights


class Stack(NamedTuple):
    """Nodes that wait for their search; of two siblings the smaller one is grown first, so the stack stays shallow."""

    slots: np.ndarray  # (slots, 6), int64
    keys: np.ndarray  # (slots,), uint64


def new_nodes(n_samples, total, settings, missing=False):
    """Empty store with room for the largest tree on so many samples; memory is used only where rows are written."""
    leaves = n_samples if settings.max_depth > 40 else min(n_samples, 2**settings.max_depth)
    wide = missing or total.dtype == np.float64
    rows, columns = max(2 * leaves - 1, 1), SIZE + 1 if wide else PREDICTION + 1
    counts = np.empty((rows, len(total)), total.dtype)
    return Nodes(np.empty((rows, columns), np.int64), np.empty(rows, np.float64), counts)


def new_stack(size):
    """Empty stack for a tree on samples of this size."""
    slots = stack_slots(size)
    return Stack(np.empty((slots, 6), np.int64), np.empty(slots, np.uint64))


def stack_slots(size):
    """Slots that a stack needs: the smaller sibling, at most half of its parent, is on top."""
    return size.bit_length() + 3


@inner_kernel
def add_leaf(nodes, row, counts, size, depth, settings, key):
    """Write a leaf of these class weights to `row`; whether it may be split: if not pure, too deep or too small."""
    records, present = nodes.records, 0
    for k in range(counts.shape[0]):
        nodes.counts[row, k] = counts[k]
        present += counts[k] > 0
    nodes.gains[row] = 0.0
    for j in range(PREDICTION):
        records[row, j] = LEAF
    records[row, PREDICTION] = majority(counts, key)
    if records.shape[1] > SIZE:
        records[row, TO_LEFT] = 0
        records[row, SIZE] = size
    if present == 1 or depth >= settings.max_depth:
        return False
    return size >= settings.min_samples_split and size >= 2 * settings.min_samples_leaf


@inlined_kernel
def subtract(total, left, right):
    """Write the class counts of the right side; returns the size of the left one."""
    size = np.int64(0)
    for k in range(left.shape[0]):
        right[k] = total[k] - left[k]
        size += left[k]
    return size


@inner_kernel
def push(stack, slot, first, last, depth, row, n_features, size, key):
    """Write a slot of the stack."""
    slots = stack.slots
    slots[slot, FIRST], slots[slot, LAST], slots[slot, DEPTH] = first, last, depth
    slots[slot, ROW], slots[slot, N_FEATURES], slots[slot, N_SAMPLES] = row, n_features, size
    stack.keys[slot] = key


@inner_kernel
def majority(counts, key):
    """The class of the largest weight; among several, up to rounding, one drawn by the node's key."""
    most, ties, chosen = counts[0], 0, 0
    for k in range(1, counts.shape[0]):
        most = max(most, counts[k])
    least = most * (1.0 - TIE)
    for k in range(counts.shape[0]):
        if counts[k] >= least:
            ties += 1
            chosen = k
    if ties > 1:
        skip = draw(key, TIE_DRAW, ties)
        for k in range(counts.shape[0]):
            if counts[k] >= least:
                if skip == 0:
                    chosen = k
                skip -= 1
    return chosen


SMALL = 128  # size below which a node looks for its constant features before it draws; part of what is drawn


@inner_kernel
def mix(z):
    """Finalizer of splitmix64: a bijection of 64 bits that looks random (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner_kernel
def draw(key, index, bound):
    """An integer in [0, bound), bound < 2**32: draw number `index` of the node of this key."""
    bits = mix(key + np.uint64(index + 1) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    return np.int64((bits * np.uint64(bound)) >> np.uint64(32))


@inner_kernel
def child_key(key, side):
    """Key of the left (0) or right (1) child of the node of this key."""
    return mix(key ^ (np.uint64(side + 1) * np.uint64(0xD1342543DE82EF95)))


@inner_kernel
def hide_constants(task, node, permutation, keep_order):
    """Move the features that vary in the node to the end of its permutation, in their own or the present order."""
    # Returns the number of constant features.
    rows_that_differ(task, node, 0, permutation.shape[0])
    if not keep_order:
        return order_by_change(task, permutation)
    differs, write = task.differs, permutation.shape[0] - 1
    for position in range(permutation.shape[0] - 1, node.n_features - 1, -1):
        feature = permutation[position]
        permutation[write] = feature
        write -= np.int64(differs[feature] != 0)
    return write + 1


@inlined_kernel
def rows_that_differ(task, node, begin, end):
    """Write to `differs` whether the samples of the node differ in each feature of a range; 0 for other features."""
    n_features, differs = np.uint64(task.n_levels.shape[0]), task.differs
    model = np.uint64(task.samples[np.uint64(node.first)]) * n_features
    for j in range(differs.shape[0]):
        differs[j] = 0
    for i in range(node.first + 1, node.last):
        row = np.uint64(task.samples[np.uint64(i)]) * n_features
        for j in range(begin, end):
            differs[j] |= task.rows[row + np.uint64(j)] ^ task.rows[model + np.uint64(j)]


@inlined_kernel
def order_by_change(task, permutation):
    """Move the features that `differs` tells to the end of a permutation, by number; returns the number of others."""
    differs, words, write = task.differs, task.differs_words, permutation.shape[0] - 1
    per_word = differs.shape[0] // words.shape[0]
    for word in range(words.shape[0] - 1, -1, -1):
        if words[np.uint64(word)] == 0:
            continue
        for j in range((word + 1) * per_word - 1, word * per_word - 1, -1):
            permutation[np.uint64(write)] = j
            write -= np.int64(differs[np.uint64(j)] != 0)
    return write + 1
