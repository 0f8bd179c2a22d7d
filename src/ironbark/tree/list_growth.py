"""Growing one tree over all features, on sorted sparse lists."""

import numpy as np
from numba import types

from ironbark.jit import inner_kernel
from ironbark.tree.grower import Grower
from ironbark.tree.list_search import ListTask, Segments, search
from ironbark.tree.nodes import add_split, child_key, child_slots, label_class, label_weight, plant, push, read


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
    n_samples, integer = len(labels), lists.entries.dtype.type
    mask = integer((1 << lists.shift) - 1)
    task = ListTask(lists.entries.copy(), lists.mode, labels, integer(lists.shift), mask)
    samples = np.arange(n_samples, dtype=np.uint32)
    scratch = np.empty(n_samples, np.uint32), np.empty(n_samples, lists.entries.dtype), np.zeros(n_samples, np.uint8)
    shape = n_samples.bit_length() + 3, len(lists.mode)
    segments = Segments(*(np.empty(shape, np.int64) for _ in range(3)))
    kind = lists.entries.dtype, labels.dtype
    return GROWER.grow(criterion, kind, task, segments, labels, n_classes, settings, lists.offsets, samples, scratch)


def _grow(
    search, criterion, task, settings, total, segments, moved, left, labels, nodes, stack, offsets, samples, scratch
):
    """Depth first. A slot holds a range of `samples` and, for each feature that varies, a segment of its list."""
    spare, spare_entries, goes_left = scratch
    n_root, top = plant(nodes, stack, labels, total, root_segments(segments, offsets), settings)
    used = 1
    while top > 0:
        top -= 1
        node, depth, row = read(stack, top, nodes, total, n_root)
        if node.n_features == 0:
            continue
        gain, place, low, high = search(criterion, task, node, settings, total, segments, top, moved)
        if place < 0:
            continue
        feature = segments.feature[top, place]
        mark_sides(task, segments, top, place, low, samples, node, goes_left)
        middle = divide_samples(samples, spare, node.first, node.last, goes_left, labels, left)
        add_split(nodes, row, used, (feature, low, high), gain, total, left, node.key)
        slots = child_slots(left, total, depth + 1, settings, top)
        sizes = divide_segments(task, segments, top, node, goes_left, spare_entries, slots, middle)
        if slots[0] >= 0:
            push(stack, slots[0], node.first, middle, depth + 1, used, sizes[0], child_key(node.key, 0))
            top += 1
        if slots[1] >= 0:
            push(stack, slots[1], middle, node.last, depth + 1, used + 1, sizes[1], child_key(node.key, 1))
            top += 1
        used += 2
    return used


SPLIT = types.Tuple((types.float64, types.int64, types.int64, types.int64))
GROWER = Grower(search, SPLIT, _grow)


@inner_kernel
def root_segments(segments, offsets):
    """Write the whole list of each feature that varies to slot 0; returns their number."""
    varying = 0
    for j in range(offsets.shape[0] - 1):
        if offsets[j + 1] > offsets[j]:
            segments.feature[0, varying], segments.begin[0, varying] = j, offsets[j]
            segments.end[0, varying] = offsets[j + 1]
            varying += 1
    return varying


@inner_kernel
def mark_sides(task, segments, slot, place, low, samples, node, goes_left):
    """Write for each sample of the node whether it goes left: the mode's side for all, then the list's entries."""
    side = np.uint8(task.mode[segments.feature[slot, place]] <= low)
    for i in range(node.first, node.last):
        goes_left[samples[np.uint64(i)]] = side
    for i in range(segments.begin[slot, place], segments.end[slot, place]):
        entry = task.entries[np.uint64(i)]
        goes_left[np.uint64(entry & task.mask)] = np.uint8(np.int64(entry >> task.shift) <= low)


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
def divide_segments(task, segments, slot, node, goes_left, spare, slots, middle):
    """Stable partition of the node's list segments among its children; features that became constant are dropped.

    A slot of -1 stands for a child that is final: its part is not kept. Returns the children's numbers of segments.
    """
    entries, shift, mask, (feature, begin, end) = task.entries, task.shift, task.mask, segments
    (left_slot, right_slot), n_left, n_right = slots, middle - node.first, node.last - middle
    n_left_segments, n_right_segments = 0, 0
    if left_slot < 0 and right_slot < 0:
        return n_left_segments, n_right_segments
    for position in range(node.n_features):
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
