"""Growing a tree over all features, on attribute lists that are sorted once.

The part of a list below the mode is scanned upwards, the part above it downwards. Side B is the node minus side A, so
the samples at the mode are never touched, and the two scans together see every threshold.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.growing import driver
from ironbark.tree.growing.attribute_lists import attribute_lists, missing_codes
from ironbark.tree.growing.nodes import stack_slots, subtract
from ironbark.tree.growing.regression import BITS, CLASS, class_weights
from ironbark.tree.growing.thresholds.scan import NONE, TIE, VARIES, codes_beside, scan


class Presorted(NamedTuple):
    """What all nodes of a tree share. A slot of the stack has, for each feature that varies, a segment of its list."""

    entries: np.ndarray  # of the attribute lists, parted in place
    mode: np.ndarray
    missing: np.ndarray  # (n_features,), int64: code of NaN, which is the largest one, or -1
    labels: np.ndarray  # packed, by sample
    shift: np.uint64  # of the type of the entries, like mask
    mask: np.uint64
    samples: np.ndarray  # uint32, parted in place
    spare: np.ndarray  # like entries, one for each sample: scratch
    goes_left: np.ndarray  # uint8, one for each sample: scratch
    segments: np.ndarray  # (3, slots, n_features), int64: feature, begin and end

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        goes_left, samples, spare = task.goes_left, task.samples, task.spare
        feature, begin, end = task.segments[0, slot], task.segments[1, slot], task.segments[2, slot]
        place, low = split[6], split[2]
        mode, missing = task.mode[feature[place]], task.missing[feature[place]]
        missing_side = np.uint8(split[4] == 1)
        mode_side = missing_side if mode == missing else np.uint8(mode <= low)
        for i in range(node.first, node.last):
            goes_left[samples[np.uint64(i)]] = mode_side
        for i in range(begin[place], end[place]):
            entry = task.entries[np.uint64(i)]
            code = np.int64(entry >> task.shift)
            goes_left[np.uint64(entry & task.mask)] = missing_side if code == missing else np.uint8(code <= low)
        for k in range(left.shape[0]):
            left[k] = 0
        write, away = np.int64(node.first), np.int64(0)
        for i in range(node.first, node.last):
            sample = samples[np.uint64(i)]
            side = np.int64(goes_left[sample])
            label = np.int64(task.labels[sample])
            left[np.uint64(label & CLASS)] += side * ((label >> BITS) + 1)
            samples[np.uint64(write)] = sample
            spare[np.uint64(away)] = sample
            write += side
            away += 1 - side
        for i in range(away):
            samples[np.uint64(write + i)] = spare[np.uint64(i)]
        return write, subtract(total, left, right)

    @staticmethod
    def inherit(task, node, split, slot, left_slot, right_slot, middle):
        segments, n_left, n_right = task.segments, 0, 0
        if left_slot < 0 and right_slot < 0:
            return n_left, n_right
        for position in range(node.n_features):
            j, first, last = segments[0, slot, position], segments[1, slot, position], segments[2, slot, position]
            if right_slot < 0:
                write = keep_side(task, first, last, 1)
            elif left_slot < 0:
                last = keep_side(task, first, last, 0)
                write = first
            else:
                write = part(task, first, last)
            if left_slot >= 0:
                n_left += add_segment(task, left_slot, n_left, j, first, write, middle - node.first)
            if right_slot >= 0:
                n_right += add_segment(task, right_slot, n_right, j, write, last, node.last - middle)
        return n_left, n_right

    @staticmethod
    def candidates(task, node, slot):
        return np.int64(0), np.int64(node.n_features), np.int64(0)

    @staticmethod
    def exchange(task, slot, position, other):
        for j in range(3):
            field = task.segments[j, slot]
            field[position], field[other] = field[other], field[position]
        return task.segments[0, slot, position]

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        segments, shift = task.segments, task.shift
        first, last = segments[1, slot, place], segments[2, slot, place]
        at_mode = last - first < node.last - node.first
        runs = runs_of(task, node, feature, first, last, at_mode)
        missing = runs[3][0] != runs[3][1] or runs[2][0] != runs[2][1]
        value, low, high, to_left = best, np.int64(NONE), np.int64(0), np.int64(-1)
        for number in range(4 if missing else 2):
            run = runs[number]
            if run[0] == run[1]:
                continue
            entries = task.spare if number == 2 else task.entries
            v, at = scan(
                classes, criterion, empty, entries, run, task.labels, task.mask, shift, total, node.n,
                settings.min_samples_leaf, moved, base, best,
            )  # fmt: skip
            if at == NONE:
                continue
            value, best = v, base + (v - base) * (1.0 + TIE)
            low, high = codes_beside(entries, run, at, shift, task.mode[feature] if at_mode else np.int64(-1))
            to_left = np.int64(number >= 2) if missing else np.int64(-1)
        return value, low, high, to_left, np.int64(VARIES)


@inlined_kernel
def keep_side(task, first, last, kept):
    """Move the entries that go to one side, left (1) or right (0), to the front of a segment; returns their end."""
    entries, write = task.entries, np.int64(first)
    for i in range(first, last):
        entry = entries[np.uint64(i)]
        entries[np.uint64(write)] = entry
        write += np.int64(task.goes_left[np.uint64(entry & task.mask)] == kept)
    return write


@inlined_kernel
def part(task, first, last):
    """Stable partition of a segment; returns where the right part starts."""
    entries, spare, write, away = task.entries, task.spare, np.int64(first), np.int64(0)
    for i in range(first, last):
        entry = entries[np.uint64(i)]
        side = np.int64(task.goes_left[np.uint64(entry & task.mask)])
        entries[np.uint64(write)] = entry
        spare[np.uint64(away)] = entry
        write += side
        away += 1 - side
    for i in range(away):
        entries[np.uint64(write + i)] = spare[np.uint64(i)]
    return write


@inlined_kernel
def add_segment(task, slot, place, feature, begin, end, n_samples):
    """Write a child's segment, and return 1, unless its feature has one value among the child's samples."""
    if begin == end:
        return 0
    entries, shift = task.entries, task.shift
    if end - begin == n_samples and entries[begin] >> shift == entries[end - 1] >> shift:
        return 0
    segments = task.segments
    segments[0, slot, place], segments[1, slot, place], segments[2, slot, place] = feature, begin, end
    return 1


@inner_kernel
def first_above(entries, begin, end, mode, shift):
    """Index of the first entry of a sorted segment whose code exceeds `mode`."""
    if np.int64(entries[begin] >> shift) > mode:
        return begin
    if np.int64(entries[end - 1] >> shift) < mode:
        return end
    while begin < end:
        middle = (begin + end) >> 1
        if np.int64(entries[middle] >> shift) < mode:
            begin = middle + 1
        else:
            end = middle
    return begin


@inlined_kernel
def runs_of(task, node, j, first, last, at_mode):
    """The runs that show all thresholds of a segment, those with missing values on the left behind the others."""
    # Each is first, stop and step. The third is of entries in `task.spare`: missing values, then what is below the
    # mode. `at_mode` says whether samples of the node are at the mode.
    entries, shift, mode, missing = task.entries, task.shift, task.mode[j], task.missing[j]
    middle, end, step = first_above(entries, first, last, mode, shift), np.int64(last), np.int64(1)
    below, above, none = (first, middle, step), (last - 1, middle - 1, -step), (first, first, step)
    if missing < 0:
        return below, above, none, none
    if mode == missing:
        return below, above, none, (last - 1, first - 1, -step) if at_mode else none
    while end > first and np.int64(entries[end - 1] >> shift) == missing:
        end -= 1
    if end == last:
        return below, above, none, none
    if not at_mode:
        return below, above, none, (end - 1, first - 1, -step)
    write = np.int64(0)
    for begin, stop in ((end, last), (first, middle)):
        for i in range(begin, stop):
            task.spare[write] = entries[i]
            write += 1
    return below, above, (np.int64(0), write, step), (end - 1, middle - 1, -step)


def task_of(lists, features, labels, size):
    """The `Presorted` of all rows of `features` on lists that will be parted, and the number of features that vary."""
    n_samples, integer = len(labels), lists.entries.dtype.type
    segments = np.empty((3, stack_slots(size), len(lists.mode)), np.int64)
    varying = np.flatnonzero(np.diff(lists.offsets))
    segments[:, 0, : len(varying)] = varying, lists.offsets[varying], lists.offsets[varying + 1]
    shift, mask = integer(lists.shift), integer((1 << lists.shift) - 1)
    samples, goes_left = np.arange(n_samples, dtype=np.uint32), np.empty(n_samples, np.uint8)
    arrays = samples, np.empty(n_samples, integer), goes_left, segments
    return Presorted(lists.entries, lists.mode, missing_codes(features), labels, shift, mask, *arrays), len(varying)


def grow(criterion, features, labels, n_classes, settings):
    """Grow a tree on all rows of `features`, with a packed label each; returns `Nodes`."""
    lists, total = attribute_lists(features), class_weights(labels, n_classes)
    size = int(total.sum())
    task, n_varying = task_of(lists._replace(entries=lists.entries.copy()), features, labels, size)
    kind, root = (lists.entries.dtype, labels.dtype), (len(labels), size, n_varying)
    return driver.grow(criterion, kind, task, task.missing, total, root, settings)
