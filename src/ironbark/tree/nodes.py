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
    constants_count: bool  # whether a constant feature uses up one of `max_features`
    seed: np.uint64


class Node(NamedTuple):
    """A node while it is searched for a split."""

    first: int  # range of its samples
    last: int
    n: int  # their weight
    n_root: int
    n_features: int  # grower's own: segments on lists, known constants on keys
    key: np.uint64  # of its random numbers


class Nodes(NamedTuple):
    """Node store; row 0 is the root."""

    records: np.ndarray  # (rows, 6), int64: feature (-1 in leaves), low, high, left, right, prediction
    gains: np.ndarray  # (rows,), float64: gain of the node's split, 0 in leaves
    counts: np.ndarray  # (rows, n_classes), int64: class counts


class Stack(NamedTuple):
    """Nodes that wait for their search; of two siblings the lighter one is grown first, so the stack stays shallow."""

    slots: np.ndarray  # (slots, 5), int64: first sample, behind the last one, depth, row in the store, n_features
    keys: np.ndarray  # (slots,), uint64


def new_nodes(n_samples, n_classes, settings):
    """Empty store with room for the largest tree on so many samples; memory is used only where rows are written."""
    leaves = n_samples if settings.max_depth > 40 else min(n_samples, 2**settings.max_depth)
    rows = max(2 * leaves - 1, 1)
    return Nodes(np.empty((rows, 6), np.int64), np.empty(rows, np.float64), np.empty((rows, n_classes), np.int64))


def new_stack(labels):
    """Empty stack for a tree on these packed labels."""
    slots = total_weight(labels).bit_length() + 3
    return Stack(np.empty((slots, 5), np.int64), np.empty(slots, np.uint64))


@inner_kernel
def plant(nodes, stack, labels, total, n_features, settings):
    """Make the root a leaf, and put it on the stack unless it stays one.

    Returns
    -------
    n_root : int
        Weight of all samples.
    top : int
        Number of nodes on the stack.
    """
    for i in range(labels.shape[0]):
        total[np.uint64(label_class(labels[i]))] += label_weight(labels[i])
    n_root, _ = sum_and_largest(total)
    key = mix(settings.seed)
    add_leaf(nodes, 0, total, key)
    if is_final(total, 0, settings):
        return n_root, 0
    push(stack, 0, 0, labels.shape[0], 0, 0, n_features, key)
    return n_root, 1


@inner_kernel
def add_leaf(nodes, row, counts, key):
    """Write a leaf of these class counts to `row`."""
    nodes.gains[row] = 0.0
    for j in range(5):
        nodes.records[row, j] = LEAF
    for k in range(counts.shape[0]):
        nodes.counts[row, k] = counts[k]
    nodes.records[row, PREDICTION] = majority(counts, key)


@inner_kernel
def add_split(nodes, row, used, split, gain, total, left, key):
    """Make the leaf at `row` an inner node with leaves in rows `used` and `used` + 1; `total` becomes the right counts.

    Parameters
    ----------
    split : tuple of three ints
        Feature, largest code that goes left, smallest that goes right.
    """
    nodes.records[row, FEATURE], nodes.records[row, LOW], nodes.records[row, HIGH] = split
    nodes.records[row, LEFT] = used
    nodes.records[row, RIGHT] = used + 1
    nodes.gains[row] = gain
    add_leaf(nodes, used, left, child_key(key, 0))
    for k in range(total.shape[0]):
        total[k] -= left[k]
    add_leaf(nodes, used + 1, total, child_key(key, 1))


@inner_kernel
def push(stack, slot, first, last, depth, row, n_features, key):
    """Write a slot of the stack."""
    slots = stack.slots
    slots[slot, 0], slots[slot, 1], slots[slot, 2], slots[slot, 3], slots[slot, 4] = first, last, depth, row, n_features
    stack.keys[slot] = key


@inner_kernel
def read(stack, slot, nodes, total, n_root):
    """Node, depth and row in the store of a slot; writes the node's class counts to `total`."""
    slots = stack.slots
    row, n = slots[slot, 3], np.int64(0)
    for k in range(total.shape[0]):
        total[k] = nodes.counts[row, k]
        n += total[k]
    node = Node(slots[slot, 0], slots[slot, 1], n, n_root, slots[slot, 4], stack.keys[slot])
    return node, slots[slot, 2], row


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
