"""Growing one tree over all features, on sorted sparse lists."""

import functools

import numpy as np
from numba import typeof, types

from ironbark.criteria.base import Criterion
from ironbark.jit import compiled, first_class, inner_kernel
from ironbark.tree.list_search import SplitTask, best_split
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

SPLIT = types.Tuple((types.float64, types.int64, types.int64, types.int64))  # what a search returns


def grow(criterion, lists, labels, n_classes, settings):
    """Grow a tree.

    Parameters
    ----------
    criterion : Criterion
    lists : SortedLists
        Left as they are.
    labels : ndarray of shape (n_samples,)
        Of `pack_labels`.
    n_classes : int
    settings : Settings

    Returns
    -------
    Nodes
    """
    n_samples, n_features = len(labels), len(lists.mode)
    slots = total_weight(labels).bit_length() + 3
    integer = lists.entries.dtype.type
    entries, shift, mask = lists.entries.copy(), integer(lists.shift), integer((1 << lists.shift) - 1)
    task = SplitTask(entries, lists.mode, shift, mask, 0, 0, n_samples, 0, 0, 0.0, np.uint64(0))
    scratch = np.empty(n_samples, np.uint32), np.empty(n_samples, entries.dtype), np.zeros(n_samples, np.uint8)
    segments = tuple(np.empty((slots, n_features), np.int64) for _ in range(3))
    stack, keys = np.empty((slots, 5), np.int64), np.empty(slots, np.uint64)
    samples = np.arange(n_samples, dtype=np.uint32)
    fields = Criterion(*criterion)
    counts = tuple(np.zeros(n_classes, np.int64) for _ in range(3))
    arguments = fields, task, lists.offsets, samples, scratch, segments, stack, keys, labels, counts, settings
    kind = type(criterion), n_classes == 2, entries.dtype, labels.dtype
    if kind not in KERNELS:  # asking numba for the types of all arguments takes longer than a small tree
        row = counts[0]
        signature = tuple(map(typeof, (fields, task, row, (row, row, row), labels, row)))
        search = _search(type(criterion), n_classes == 2, signature)
        KERNELS[kind] = search, _driver(signature, tuple(map(typeof, arguments)))
    search, driver = KERNELS[kind]
    nodes, used = driver(search, *arguments)
    return Nodes(*(column[:used].copy() for column in nodes))


#: (criterion, two classes, type of the entries, type of the labels) -> compiled search and driver.
KERNELS = {}


@functools.cache
def _search(criterion_class, two_classes, signature):
    """The split search of one criterion, compiled for itself so that the driver need not be compiled again."""
    two = 2 if two_classes else None

    def search(criterion, task, total, segments, labels, moved):
        fields = criterion_class(criterion.integers, criterion.floats, criterion.a, criterion.b, criterion.c)
        return best_split(fields, two, task, total, segments, labels, moved)

    return first_class(search, signature, SPLIT)


@functools.cache
def _driver(search_signature, signature):
    return compiled(_grow, (types.FunctionType(SPLIT(*search_signature)), *signature))


def _grow(search, criterion, task, offsets, samples, scratch, segments, stack, keys, labels, counts, settings):
    """Depth first; of two children the one of less weight is grown first, so the stack stays shallow.

    A slot of the stack holds a range of `samples` and, for each feature that still varies, a segment of its list.
    Columns of `stack`: first sample, behind the last one, depth, row in the node store, number of segments.
    """
    total, left, moved = counts
    spare, spare_entries, goes_left = scratch
    entries, mode, shift, mask = task.entries, task.mode, task.shift, task.mask
    feature, begin, end = segments
    for i in range(labels.shape[0]):
        total[label_class(labels[i])] += label_weight(labels[i])
    n_root, _ = sum_and_largest(total)
    keys[0] = mix(settings.seed)
    nodes = add_node(new_nodes(64, total.shape[0]), 0, total, keys[0])
    varying = 0
    for j in range(offsets.shape[0] - 1):
        if offsets[j + 1] > offsets[j]:
            feature[0, varying], begin[0, varying], end[0, varying] = j, offsets[j], offsets[j + 1]
            varying += 1
    used, top = 1, 0
    if not is_final(total, 0, settings):
        push(stack, keys, 0, 0, labels.shape[0], 0, 0, varying, keys[0])
        top = 1
    while top > 0:
        top -= 1
        first, last, depth, row, varying = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
        if varying == 0:
            continue
        key = keys[top]
        for k in range(total.shape[0]):
            total[k] = nodes.counts[row, k]
        n, _ = sum_and_largest(total)
        task = SplitTask(
            entries,
            mode,
            shift,
            mask,
            varying,
            n,
            last - first,
            n_root,
            settings.min_samples_leaf,
            settings.min_impurity_decrease,
            key,
        )
        gain, place, low, high = search(criterion, task, total, (feature[top], begin[top], end[top]), labels, moved)
        if place < 0:
            continue
        split = feature[top, place]
        mark_sides(
            entries, shift, mask, mode[split], begin[top, place], end[top, place], low, samples, first, last, goes_left
        )
        middle = divide_samples(samples, spare, first, last, goes_left, labels, left)
        add_split(nodes, row, used, split, low, high, gain)
        nodes = add_node(nodes, used, left, child_key(key, 0))
        for k in range(total.shape[0]):
            total[k] -= left[k]
        nodes = add_node(nodes, used + 1, total, child_key(key, 1))
        left_slot, right_slot = child_slots(left, total, depth + 1, settings, top)
        n_left, n_right = divide_segments(
            entries,
            shift,
            mask,
            segments,
            top,
            varying,
            goes_left,
            spare_entries,
            left_slot,
            right_slot,
            middle - first,
            last - middle,
        )
        if left_slot >= 0:
            push(stack, keys, left_slot, first, middle, depth + 1, used, n_left, child_key(key, 0))
            top += 1
        if right_slot >= 0:
            push(stack, keys, right_slot, middle, last, depth + 1, used + 1, n_right, child_key(key, 1))
            top += 1
        used += 2
    return nodes, used


@inner_kernel
def mark_sides(entries, shift, mask, mode, begin, end, low, samples, first, last, goes_left):
    """Write for each sample of the node whether it goes left: the mode's side for all, then the list's entries."""
    side = np.uint8(mode <= low)
    for i in range(first, last):
        goes_left[samples[np.uint64(i)]] = side
    for i in range(begin, end):
        entry = entries[np.uint64(i)]
        goes_left[np.uint64(entry & mask)] = np.uint8(np.int64(entry >> shift) <= low)


@inner_kernel
def divide_samples(samples, spare, first, last, goes_left, labels, left_counts):
    """Stable partition of the node's samples and class counts of the left part; returns where the right part starts."""
    for k in range(left_counts.shape[0]):
        left_counts[k] = 0
    write, away = np.int64(first), np.int64(0)
    for i in range(first, last):
        sample = samples[np.uint64(i)]
        side = np.int64(goes_left[sample])
        label = labels[sample]
        left_counts[np.uint64(label_class(label))] += side * label_weight(label)
        samples[np.uint64(write)] = sample
        spare[np.uint64(away)] = sample
        write += side
        away += 1 - side
    for i in range(away):
        samples[np.uint64(write + i)] = spare[np.uint64(i)]
    return write


@inner_kernel
def divide_segments(
    entries, shift, mask, segments, slot, varying, goes_left, spare, left_slot, right_slot, n_left, n_right
):
    """Stable partition of the node's list segments among its children; features that became constant are dropped.

    A slot of -1 stands for a child that is final: its part is not kept. Returns the children's numbers of segments.
    """
    feature, begin, end = segments
    n_left_segments, n_right_segments = 0, 0
    if left_slot < 0 and right_slot < 0:
        return n_left_segments, n_right_segments
    for position in range(varying):
        j, first, last = feature[slot, position], begin[slot, position], end[slot, position]
        write, away = first, np.int64(0)
        if left_slot < 0:
            for i in range(first, last):
                entry = entries[np.uint64(i)]
                entries[np.uint64(write)] = entry
                write += 1 - np.int64(goes_left[np.uint64(entry & mask)])
        elif right_slot < 0:
            for i in range(first, last):
                entry = entries[np.uint64(i)]
                entries[np.uint64(write)] = entry
                write += np.int64(goes_left[np.uint64(entry & mask)])
        else:
            for i in range(first, last):
                entry = entries[np.uint64(i)]
                side = np.int64(goes_left[np.uint64(entry & mask)])
                entries[np.uint64(write)] = entry
                spare[np.uint64(away)] = entry
                write += side
                away += 1 - side
            for i in range(away):
                entries[np.uint64(write + i)] = spare[np.uint64(i)]
        if left_slot >= 0 and varies(entries, first, write, shift, n_left):
            feature[left_slot, n_left_segments] = j
            begin[left_slot, n_left_segments] = first
            end[left_slot, n_left_segments] = write
            n_left_segments += 1
        if right_slot >= 0:
            start, stop = (first, write) if left_slot < 0 else (write, last)
            if varies(entries, start, stop, shift, n_right):
                feature[right_slot, n_right_segments] = j
                begin[right_slot, n_right_segments] = start
                end[right_slot, n_right_segments] = stop
                n_right_segments += 1
    return n_left_segments, n_right_segments


@inner_kernel
def varies(entries, begin, end, shift, n_samples):
    """Whether a feature with this list segment has two values or more among the node's samples."""
    if begin == end:
        return False
    return end - begin < n_samples or entries[begin] >> shift != entries[end - 1] >> shift
