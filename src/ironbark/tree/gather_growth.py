"""Growing one tree over a few random features per node, on keys gathered node by node: the trees of forests."""

import functools

import numpy as np
from numba import typeof, types

from ironbark.criteria.base import Criterion
from ironbark.jit import compiled, first_class, inner_kernel
from ironbark.tree.gather_search import BY_ROW, GatherTask, best_split
from ironbark.tree.nodes import (
    Nodes,
    add_node,
    add_split,
    child_key,
    child_slots,
    is_final,
    label_class,
    label_weight,
    mix,
    new_nodes,
    push,
    sum_and_largest,
    total_weight,
)

SPLIT = types.Tuple((types.float64, types.int64, types.int64, types.int64, types.int64))  # what a search returns


def key_type(n_levels, largest_weight=1):
    """Types of packed labels and of keys, and the bits that a label takes in a key."""
    small = n_levels <= 2**16 and largest_weight < 2**8
    return (np.uint16, np.uint32, 16) if small else (np.uint32, np.uint64, 32)


def layouts(features):
    """Row-major copy of the codes and which features have many zeros, kept with an `EncodedFeatures`."""
    if "layouts" not in features.derived:
        codes = features.codes
        if codes.dtype == np.uint8 and codes.size < 2**20:  # not worth kernels of its own
            codes = codes.astype(np.uint16)
        codes, rows = (np.ascontiguousarray(codes).view() for codes in (codes, codes.T))
        codes.flags.writeable = rows.flags.writeable = False  # one type for arrays in memory and for maps of files
        many_zeros = ((codes == 0).mean(axis=1) > 0.4).astype(np.uint8)
        features.derived["layouts"] = codes, rows, many_zeros
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
    keys, spare = np.empty(n, key_dtype), np.empty(n, key_dtype)
    task = GatherTask(
        *layouts(features),
        samples,
        labels,
        keys,
        spare,
        np.empty(256, np.int64),
        bits,
        0,
        n,
        0,
        0,
        0,
        0,
        0,
        0.0,
        np.uint64(0),
    )
    slots = total_weight(labels).bit_length() + 3
    permutations = np.empty((slots, n_features), np.int64)
    stack, path_keys = np.empty((slots, 5), np.int64), np.empty(slots, np.uint64)
    scratch = np.empty(n, samples.dtype), np.empty(n, labels.dtype)
    counts = tuple(np.zeros(n_classes, np.int64) for _ in range(3))
    fields = Criterion(*criterion)
    arguments = fields, task, scratch, permutations, stack, path_keys, counts, settings
    kind = type(criterion), n_classes == 2, task.columns.dtype, labels.dtype
    if kind not in KERNELS:  # asking numba for the types of all arguments takes longer than a small tree
        signature = tuple(map(typeof, (fields, task, counts[0], counts[0], counts[0])))
        search = _search(type(criterion), n_classes == 2, signature)
        KERNELS[kind] = search, _driver(signature, tuple(map(typeof, arguments)))
    search, driver = KERNELS[kind]
    nodes, used = driver(search, *arguments)
    return Nodes(*(column[:used].copy() for column in nodes))


#: (criterion, two classes, type of the codes, type of the labels) -> compiled search and driver.
KERNELS = {}


@functools.cache
def _search(criterion_class, two_classes, signature):
    """The split search of one criterion, compiled for itself so that the driver need not be compiled again."""
    two = 2 if two_classes else None

    def search(criterion, task, total, permutation, moved):
        fields = criterion_class(criterion.integers, criterion.floats, criterion.a, criterion.b, criterion.c)
        return best_split(fields, two, task, total, permutation, moved)

    return first_class(search, signature, SPLIT)


@functools.cache
def _driver(search_signature, signature):
    return compiled(_grow, (types.FunctionType(SPLIT(*search_signature)), *signature))


def _grow(search, criterion, task, scratch, permutations, stack, path_keys, counts, settings):
    """Depth first; of two children the one of less weight is grown first, so the stack stays shallow.

    A slot of the stack holds a range of samples and a permutation of the features whose first entries are known to be
    constant. Columns of `stack`: first sample, behind the last one, depth, row in the node store, number of constants.
    """
    total, left, moved = counts
    for i in range(task.labels.shape[0]):
        total[label_class(task.labels[i])] += label_weight(task.labels[i])
    n_root, _ = sum_and_largest(total)
    key = mix(settings.seed)
    nodes = add_node(new_nodes(64, total.shape[0]), 0, total, key)
    for j in range(permutations.shape[1]):
        permutations[0, j] = j
    used, top = 1, 0
    if not is_final(total, 0, settings):
        push(stack, path_keys, 0, 0, task.labels.shape[0], 0, 0, 0, key)
        top = 1
    while top > 0:
        top -= 1
        first, last, depth, row, n_constant = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
        key = path_keys[top]
        for k in range(total.shape[0]):
            total[k] = nodes.counts[row, k]
        n, _ = sum_and_largest(total)
        node = GatherTask(
            task.columns,
            task.rows,
            task.many_zeros,
            task.samples,
            task.labels,
            task.keys,
            task.spare,
            task.byte_counts,
            task.bits,
            first,
            last,
            n,
            n_constant,
            n_root,
            settings.max_features,
            settings.min_samples_leaf,
            settings.min_impurity_decrease,
            key,
        )
        gain, split, low, high, n_constant = search(criterion, node, total, permutations[top], moved)
        if split < 0:
            continue
        middle = divide(task, first, last, split, low, scratch, left)
        add_split(nodes, row, used, split, low, high, gain)
        nodes = add_node(nodes, used, left, child_key(key, 0))
        for k in range(total.shape[0]):
            total[k] -= left[k]
        nodes = add_node(nodes, used + 1, total, child_key(key, 1))
        left_slot, right_slot = child_slots(left, total, depth + 1, settings, top)
        if left_slot >= 0 and right_slot >= 0:
            for j in range(permutations.shape[1]):
                permutations[top + 1, j] = permutations[top, j]
        if left_slot >= 0:
            push(stack, path_keys, left_slot, first, middle, depth + 1, used, n_constant, child_key(key, 0))
            top += 1
        if right_slot >= 0:
            push(stack, path_keys, right_slot, middle, last, depth + 1, used + 1, n_constant, child_key(key, 1))
            top += 1
        used += 2
    return nodes, used


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
    by_row = last - first < BY_ROW
    column = task.columns[split]
    for k in range(left.shape[0]):
        left[k] = 0
    write, away = np.int64(first), np.int64(0)
    for i in range(first, last):
        sample = samples[np.uint64(i)]
        label = labels[np.uint64(i)]
        code = task.rows[np.uint64(sample), split] if by_row else column[np.uint64(sample)]
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
