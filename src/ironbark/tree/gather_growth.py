"""Growing one tree over a few random features per node, on keys gathered node by node: the trees of forests."""

import numpy as np
from numba import types

from ironbark.jit import inner_kernel
from ironbark.tree.candidates import SMALL
from ironbark.tree.gather_search import BY_ROW, GatherTask, search
from ironbark.tree.grower import Grower
from ironbark.tree.keys import BUCKETS
from ironbark.tree.nodes import add_split, child_key, child_slots, label_class, label_weight, plant, push, read


def key_type(n_levels, largest_weight=1):
    """Types of packed labels and of keys, and the bits that a label takes in a key."""
    small = n_levels <= 2**16 and largest_weight < 2**8
    return (np.uint16, np.uint32, 16) if small else (np.uint32, np.uint64, 32)


def layouts(features):
    """Both layouts of the codes, numbers of levels, and which features have many zeros; kept with the features."""
    if "layouts" not in features.derived:
        codes = features.codes
        if codes.dtype == np.uint8 and codes.size < 2**20:  # not worth kernels of its own
            codes = codes.astype(np.uint16)
        many_zeros = ((codes == 0).mean(axis=1) > 0.4).astype(np.uint8)
        columns, rows = (np.ascontiguousarray(codes).reshape(-1) for codes in (codes, codes.T))
        columns.flags.writeable = rows.flags.writeable = False  # one type for arrays in memory and for maps of files
        features.derived["layouts"] = columns, rows, np.diff(features.offsets), many_zeros
    return features.derived["layouts"]


def grow(criterion, features, samples, labels, n_classes, settings):
    """Grow a tree.

    Parameters
    ----------
    criterion : Criterion
    features : EncodedFeatures
    samples : ndarray of shape (n,), uint32
        Distinct rows of `features` to grow on; rearranged.
    labels : ndarray of shape (n,)
        Packed label of each of `samples`, uint16 or uint32 as `key_type` says; rearranged.
    n_classes : int
    settings : Settings

    Returns
    -------
    Nodes
    """
    n, n_features = len(samples), len(features.codes)
    key_dtype, bits = (np.uint32, 16) if labels.dtype == np.uint16 else (np.uint64, 32)
    columns, rows, n_levels, many_zeros = layouts(features)
    differs_words = np.zeros((n_features * columns.itemsize + 7) // 8, np.uint64)
    task = GatherTask(
        columns,
        rows,
        n_levels,
        many_zeros,
        samples,
        labels,
        bits,
        keys=np.empty(n, key_dtype),
        spare=np.empty(n, key_dtype),
        digits=np.empty(BUCKETS, np.int32),
        counts=np.empty(min(3 * n, n_classes * int(n_levels.max())), np.int32),
        differs=differs_words.view(columns.dtype),
        differs_words=differs_words,
    )
    permutations = np.empty((n.bit_length() + 3, n_features), np.int32)
    permutations[0] = np.arange(n_features)
    scratch = np.empty(n, samples.dtype), np.empty(n, labels.dtype)
    kind = columns.dtype, labels.dtype
    return GROWER.grow(criterion, kind, task, permutations, labels, n_classes, settings, scratch)


def _grow(search, criterion, task, settings, total, permutations, moved, left, labels, nodes, stack, scratch):
    """Depth first. A slot holds a range of samples and a permutation of the features; see `candidates`."""
    n_root, top = plant(nodes, stack, labels, total, 0, settings)
    used = 1
    while top > 0:
        top -= 1
        node, depth, row = read(stack, top, nodes, total, n_root)
        gain, feature, low, high, n_constant = search(criterion, task, node, settings, total, permutations, top, moved)
        if feature < 0:
            continue
        middle = divide(task, node.first, node.last, feature, low, scratch, left)
        add_split(nodes, row, used, (feature, low, high), gain, total, left, node.key)
        left_slot, right_slot = child_slots(left, total, depth + 1, settings, top)
        if left_slot >= 0 and right_slot >= 0 and node.n >= SMALL:
            for j in range(n_constant, permutations.shape[1]):
                permutations[top + 1, j] = permutations[top, j]
        if left_slot >= 0:
            push(stack, left_slot, node.first, middle, depth + 1, used, n_constant, child_key(node.key, 0))
            top += 1
        if right_slot >= 0:
            push(stack, right_slot, middle, node.last, depth + 1, used + 1, n_constant, child_key(node.key, 1))
            top += 1
        used += 2
    return used


SPLIT = types.Tuple((types.float64, types.int64, types.int64, types.int64, types.int64))
GROWER = Grower(search, SPLIT, _grow)


@inner_kernel
def divide(task, first, last, split, low, scratch, left):
    """Stable partition of the node's samples and labels, and class counts of the left part.

    Returns
    -------
    int
        Where the right part starts.
    """
    samples, labels = task.samples, task.labels
    spare_samples, spare_labels = scratch
    codes, step, start = task.rows, np.int64(task.n_levels.shape[0]), np.int64(split)
    if last - first >= BY_ROW:
        codes, step, start = task.columns, np.int64(1), np.int64(split * (codes.shape[0] // step))
    for k in range(left.shape[0]):
        left[k] = 0
    write, away = np.int64(first), np.int64(0)
    for i in range(first, last):
        sample = samples[np.uint64(i)]
        label = labels[np.uint64(i)]
        code = codes[np.uint64(sample * step + start)]
        side = np.int64(np.int64(code) <= low)
        left[np.uint64(label_class(label))] += side * label_weight(label)
        samples[np.uint64(write)] = sample
        labels[np.uint64(write)] = label
        spare_samples[np.uint64(away)] = sample
        spare_labels[np.uint64(away)] = label
        write += side
        away += 1 - side
    for i in range(away):
        samples[np.uint64(write + i)] = spare_samples[np.uint64(i)]
        labels[np.uint64(write + i)] = spare_labels[np.uint64(i)]
    return write
