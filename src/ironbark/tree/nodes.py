"""What both growers share: settings, the growing store of nodes, labels with weights, and random numbers by node path.

Random numbers are a function of (tree seed, path from the root, index of the draw). A tree grown with stricter stopping
rules is therefore a pruned copy of the tree grown without them, whatever the order in which nodes are visited.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ironbark.jit import inner_kernel, kernel

LEAF = -1
TIE_DRAW = 2**40  # index of the draw among tied classes, beyond those of any split search

#: Columns of `Nodes.records`.
FEATURE, LOW, HIGH, LEFT, RIGHT, PREDICTION = range(6)


class Settings(NamedTuple):
    """Stopping rules of a tree, as the kernels take them."""

    max_depth: int
    min_samples_split: int
    min_samples_leaf: int
    min_impurity_decrease: float
    max_features: int
    seed: np.uint64


class Nodes(NamedTuple):
    """Node store; row 0 is the root. Rows beyond the number of nodes are spare room."""

    records: np.ndarray  # (rows, 6), int64: feature (-1 in leaves), low, high, left, right, prediction
    gains: np.ndarray  # (rows,), float64: gain of the node's split, 0 in leaves
    counts: np.ndarray  # (rows, n_classes), int64: class counts


@kernel
def new_nodes(rows, n_classes):
    """Empty store with room for `rows` nodes."""
    return Nodes(np.empty((rows, 6), np.int64), np.empty(rows, np.float64), np.empty((rows, n_classes), np.int64))


@kernel
def add_node(nodes, row, counts, key):
    """Write a leaf of these class counts to `row`, in a store that is made larger if it is full."""
    rows, n_classes = nodes.counts.shape
    if row == rows:
        larger = new_nodes(2 * rows, n_classes)
        for i in range(rows):
            larger.gains[i] = nodes.gains[i]
            for j in range(6):
                larger.records[i, j] = nodes.records[i, j]
            for k in range(n_classes):
                larger.counts[i, k] = nodes.counts[i, k]
        nodes = larger
    nodes.gains[row] = 0.0
    for j in range(6):
        nodes.records[row, j] = LEAF
    for k in range(n_classes):
        nodes.counts[row, k] = counts[k]
    nodes.records[row, PREDICTION] = majority(counts, key)
    return nodes


@kernel
def add_split(nodes, row, used, feature, low, high, gain):
    """Make the leaf at `row` an inner node whose children stand in rows `used` and `used` + 1."""
    nodes.records[row, FEATURE] = feature
    nodes.records[row, LOW] = low
    nodes.records[row, HIGH] = high
    nodes.records[row, LEFT] = used
    nodes.records[row, RIGHT] = used + 1
    nodes.gains[row] = gain


@inner_kernel
def push(stack, keys, slot, first, last, depth, row, extra, key):
    """Write a slot of a grower's stack: range of samples, depth, row in the store, the grower's own number, and key."""
    stack[slot, 0] = first
    stack[slot, 1] = last
    stack[slot, 2] = depth
    stack[slot, 3] = row
    stack[slot, 4] = extra
    keys[slot] = key


@inner_kernel
def child_slots(left, right, depth, settings, slot):
    """Stack slots of two children from `slot` on, -1 for a final one; the one of less weight comes on top."""
    left_slot = -1 if is_final(left, depth, settings) else slot
    right_slot = -1 if is_final(right, depth, settings) else slot
    if left_slot >= 0 and right_slot >= 0:
        if sum_and_largest(left)[0] <= sum_and_largest(right)[0]:
            left_slot += 1
        else:
            right_slot += 1
    return left_slot, right_slot


@inner_kernel
def is_final(counts, depth, settings):
    """Whether a node is a leaf before any search: pure, too deep or too small."""
    n, largest = sum_and_largest(counts)
    if n == largest or depth >= settings.max_depth:
        return True
    return n < settings.min_samples_split or n < 2 * settings.min_samples_leaf


@inner_kernel
def sum_and_largest(counts):
    """Sum and maximum of class counts."""
    n, largest = np.int64(0), np.int64(0)
    for k in range(counts.shape[0]):
        n += counts[k]
        largest = max(largest, counts[k])
    return n, largest


@kernel
def majority(counts, key):
    """The most frequent class; among several, one drawn by the node's key."""
    _, largest = sum_and_largest(counts)
    ties = 0
    for k in range(counts.shape[0]):
        ties += counts[k] == largest
    skip = 0 if ties == 1 else draw(key, TIE_DRAW, ties)
    for k in range(counts.shape[0]):
        if counts[k] == largest:
            if skip == 0:
                return k
            skip -= 1
    return 0


@kernel
def mix(z):
    """Finalizer of splitmix64: a bijection of 64 bits that looks random (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def draw(key, index, bound):
    """An integer in [0, bound), bound < 2**32: draw number `index` of the node of this key."""
    bits = mix(key + np.uint64(index + 1) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    return np.int64((bits * np.uint64(bound)) >> np.uint64(32))


@kernel
def child_key(key, side):
    """Key of the left (0) or right (1) child of the node of this key."""
    return mix(key ^ (np.uint64(side + 1) * np.uint64(0xD1342543DE82EF95)))


def pack_labels(y, weights=None, dtype=np.uint32):
    """Labels as the kernels take them.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), int
        Class indices below 256.
    weights : ndarray of shape (n_samples,), int, optional
        Positive integers below 2**24.
    dtype : type
        uint16 holds weights below 2**8, uint32 below 2**24.

    Returns
    -------
    ndarray
        uint8 classes, or ``weight << 8 | class``.
    """
    if weights is None:
        return y.astype(np.uint8)
    return (weights.astype(dtype) << dtype(8)) | y.astype(dtype)


def label_class(label):
    """Class of a packed label."""
    return int(label) & 255


def label_weight(label):
    """Weight of a packed label."""
    return 1 if isinstance(label, np.uint8) else int(label) >> 8


@overload(label_class)
def _label_class(label):
    if label.bitwidth == 8:
        return lambda label: np.int64(label)
    return lambda label: np.int64(label) & 255


@overload(label_weight)
def _label_weight(label):
    if label.bitwidth == 8:
        return lambda label: np.int64(1)
    return lambda label: np.int64(label) >> 8


def total_weight(labels):
    """Sum of the weights of packed labels."""
    return len(labels) if labels.dtype == np.uint8 else int((labels >> labels.dtype.type(8)).sum(dtype=np.int64))


def label_of(labels, low_bits):
    """Packed label of an entry: looked up by sample, or the entry's low bits themselves where `labels` is None."""
    return low_bits if labels is None else labels[low_bits]


@overload(label_of)
def _label_of(labels, low_bits):
    if isinstance(labels, types.NoneType):
        return lambda labels, low_bits: low_bits
    return lambda labels, low_bits: labels[np.uint64(low_bits)]
