"""Growing a tree over a few random features per node, whose samples are counted or sorted node by node.

Features that are constant in a node are met by chance in large nodes, looked for in small ones, and skipped below it.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.growing import driver
from ironbark.tree.growing.attribute_lists import missing_codes
from ironbark.tree.growing.nodes import SMALL, hide_constants, stack_slots, subtract
from ironbark.tree.growing.regression import BITS, CLASS, class_weights
from ironbark.tree.growing.thresholds.node_threshold import best_of_codes, best_of_keys, codes_of
from ironbark.tree.growing.thresholds.radix_sort import BUCKETS

SMALL_TABLE = 256  # entries of a table of class counts that are soon read


class Nodewise(NamedTuple):
    """What all nodes of a tree share. A slot of the stack has a permutation of the features."""

    columns: np.ndarray  # codes, one feature after the other
    rows: np.ndarray  # codes, one sample after the other
    n_levels: np.ndarray  # (n_features,), int64
    many_zeros: np.ndarray  # (n_features,), uint8: whether code 0 is worth leaving out
    missing: np.ndarray  # (n_features,), int64: code of NaN, which is the largest one, or -1
    samples: np.ndarray  # uint32, parted in place
    labels: np.ndarray  # packed label of each entry of `samples`
    bits: int  # of a key that hold the packed label
    keys: np.ndarray  # scratch, one for each sample
    spare: np.ndarray  # like keys
    counts: np.ndarray  # int32: scratch for class counts, and as many as the sort has buckets
    differs: np.ndarray  # like the codes, one for each feature and some: scratch
    differs_words: np.ndarray  # the same memory as uint64
    permutations: np.ndarray  # (slots, n_features), int32

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        codes, step, start = codes_of(task, node, split[1])
        return part(task, node, codes[start:], step, split, total, left, right)

    @staticmethod
    def inherit(task, node, split, slot, left_slot, right_slot, middle):
        if left_slot >= 0 and right_slot >= 0 and node.size >= SMALL:
            copy_candidates(task, slot, split[5])
        return split[5], split[5]

    @staticmethod
    def candidates(task, node, slot):
        first = np.int64(node.n_features)
        if node.size < SMALL:
            first = hide_constants(task, node, task.permutations[slot], False)
        return first, task.permutations.shape[1], np.int64(0)

    @staticmethod
    def exchange(task, slot, position, other):
        permutation, feature = task.permutations[slot], task.permutations[slot, np.uint64(other)]
        permutation[np.uint64(other)] = permutation[np.uint64(position)]
        permutation[np.uint64(position)] = feature
        return np.int64(feature)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        if is_counted(task, node, feature, total.shape[0]):
            return best_of_codes(task, criterion, classes, node, settings, feature, empty, total, moved, base, best)
        return best_of_keys(task, criterion, classes, node, settings, feature, empty, total, moved, base, best)


@inlined_kernel
def is_counted(task, node, feature, n_classes):
    """Whether a node counts the classes of each code of a feature, and does not sort keys."""
    table, size = task.n_levels[feature] * n_classes, node.last - node.first
    if table > SMALL_TABLE and task.many_zeros[feature]:
        size //= 10  # keys are made of the other codes only
    return table <= 3 * size


@inlined_kernel
def part(task, node, codes, step, split, total, left, right):
    """`divide` by codes of the feature, of which that of a sample is ``codes[sample * step]``."""
    samples, labels, spare_samples, spare_labels = task.samples, task.labels, task.keys, task.spare
    flipped = task.missing[split[1]] if split[4] == 1 else np.int64(-1)
    for k in range(left.shape[0]):
        left[k] = 0
    write, away = np.int64(node.first), np.int64(0)
    for i in range(node.first, node.last):
        sample = samples[np.uint64(i)]
        label = labels[np.uint64(i)]
        code = np.int64(codes[np.uint64(sample * step)])
        side = np.int64(code <= split[2]) ^ np.int64(code == flipped)
        left[np.uint64(np.int64(label) & CLASS)] += side * ((np.int64(label) >> BITS) + 1)
        samples[np.uint64(write)] = sample
        labels[np.uint64(write)] = label
        spare_samples[np.uint64(away)] = sample
        spare_labels[np.uint64(away)] = label
        write += side
        away += 1 - side
    for i in range(away):
        samples[np.uint64(write + i)] = spare_samples[np.uint64(i)]
        labels[np.uint64(write + i)] = spare_labels[np.uint64(i)]
    return write, subtract(total, left, right)


@inner_kernel
def copy_candidates(task, slot, n_constant):
    """Let the slot above have the same candidates."""
    for j in range(n_constant, task.permutations.shape[1]):
        task.permutations[slot + 1, j] = task.permutations[slot, j]


def layouts(features):
    """Both layouts of the codes, numbers of levels, and which features have many zeros; kept with the features."""
    if "layouts" not in features.derived:
        codes = features.codes
        if codes.dtype == np.uint8 and codes.size < 2**20:  # not worth kernels of its own
            codes = codes.astype(np.uint16)
        zeros = codes.shape[1] - np.array([np.count_nonzero(column) for column in codes])  # much faster than by `axis`
        many_zeros = (zeros / codes.shape[1] > 0.4).astype(np.uint8)
        columns, rows = (np.ascontiguousarray(codes).reshape(-1) for codes in (codes, codes.T))
        columns.flags.writeable = rows.flags.writeable = False  # one type for arrays in memory and for maps of files
        features.derived["layouts"] = columns, rows, np.diff(features.offsets), many_zeros
    return features.derived["layouts"]


def label_dtype(features, largest_weight):
    """Type of packed labels that fits keys of the smallest type."""
    small = layouts(features)[2].max() <= 2**16 and largest_weight <= 2**8
    return np.uint16 if small else np.uint32


def task_of(features, samples, labels, n_classes, size, bits):
    """The `Nodewise` of distinct rows of `features`, with a packed label each; `bits` are 16 or 32, half of a key's."""
    columns, rows, n_levels, many_zeros = layouts(features)
    n, key_dtype = len(samples), np.uint32 if bits == 16 else np.uint64
    words = np.zeros((len(n_levels) * columns.itemsize + 7) // 8, np.uint64)
    keys, spare = (np.empty(n, key_dtype) for _ in range(2))
    counts = np.empty(max(BUCKETS, min(3 * n, n_classes * int(n_levels.max()))), np.int32)
    permutations = np.empty((stack_slots(size), len(n_levels)), np.int32)
    permutations[0] = np.arange(len(n_levels))
    layout = columns, rows, n_levels, many_zeros, missing_codes(features), samples, labels, bits
    return Nodewise(*layout, keys, spare, counts, words.view(columns.dtype), words, permutations)


def grow(criterion, features, samples, labels, n_classes, settings, wrap):
    """Grow a tree on distinct rows of `features`, uint32, with a packed label each, uint16 or uint32."""
    # Both arrays are rearranged. `wrap` takes the task of all nodes, and returns that which grows. Returns `Nodes`.
    total = class_weights(labels, n_classes)
    size, bits = int(total.sum()), 16 if labels.dtype == np.uint16 else 32
    task = task_of(features, samples, labels, n_classes, size, bits)
    kind, root = (task.columns.dtype, labels.dtype), (len(samples), size, 0)
    return driver.grow(criterion, kind, wrap(task), task.missing, total, root, settings)
