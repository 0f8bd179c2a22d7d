"""Growing a tree nodewise on float class weights: for weights that are no integers, shares of weight, and `compat`.

Samples are sorted for every feature, missing values last; thresholds are tried in ascending order, with missing values
on the right and then on the left. Impurities come from their definitions, for tables need integer counts. Where a node
looks at all features, they are visited in the order of presorted growth, and ties fall as there.

The quirks of `compat` are those of the code of Wilton and Ye (2024): a midpoint in float32 may be rounded up to the
value above it, a later threshold needs a sample more on either side, and see `twoing_rdts`.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria.base import Criterion
from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.growing import driver, nodewise, presorted
from ironbark.tree.growing.attribute_lists import small_lists
from ironbark.tree.growing.driver import candidates, divide
from ironbark.tree.growing.nodes import SMALL, hide_constants
from ironbark.tree.growing.nodewise import Nodewise, copy_candidates
from ironbark.tree.growing.presorted import Presorted, first_above
from ironbark.tree.growing.regression import BITS, CLASS, class_weights
from ironbark.tree.growing.thresholds.node_threshold import codes_of
from ironbark.tree.growing.thresholds.radix_sort import gather, sort, without
from ironbark.tree.growing.thresholds.scan import CONSTANT, NONE
from ironbark.tree.growing.thresholds.weighted_scan import PLACE, Run, Sides, WeightedCriterion, functions


class Weighted(NamedTuple):
    """What all nodes of a tree share."""

    nodes: Nodewise  # whose labels hold sizes
    weights: np.ndarray  # float64, of each entry of `samples`
    spare_weights: np.ndarray
    all_features: bool
    rises: np.ndarray  # uint8: whether the midpoint of a level and the next one is rounded up; empty without quirks
    offsets: np.ndarray  # (n_features + 1,), int64: where each feature's levels start in `rises`
    sides: np.ndarray  # (2, n_classes), float64: scratch
    sizes: np.ndarray  # (2, n_classes), int64: scratch
    quirk: np.ndarray  # (2,), int64: largest code that goes left after all, and a sample that goes right, or -1

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        shared, weights, away = task.nodes, task.weights, np.int64(0)
        codes, step, start = codes_of(shared, node, split[1])
        missing, highest, odd = shared.missing[split[1]], split[2], np.int64(-1)
        if task.rises.shape[0] > 0:
            highest, odd = task.quirk[0], task.quirk[1]
        write = np.int64(node.first)
        for i in range(node.first, node.last):
            sample, label, weight = shared.samples[i], shared.labels[i], weights[i]
            code = np.int64(codes[np.uint64(sample * step + start)])
            side = np.int64(split[4] == 1 if code == missing else code <= highest) & np.int64(sample != odd)
            shared.samples[write], shared.labels[write], weights[write] = sample, label, weight
            shared.keys[away], shared.spare[away], task.spare_weights[away] = sample, label, weight
            write += side
            away += 1 - side
        for i in range(away):
            shared.samples[write + i], shared.labels[write + i] = shared.keys[i], shared.spare[i]
            weights[write + i] = task.spare_weights[i]
        tally(shared.labels, weights, None, write, node.last, right)
        return write, tally(shared.labels, weights, None, node.first, write, left)

    @staticmethod
    def inherit(task, node, split, slot, left_slot, right_slot, middle):
        if left_slot >= 0 and right_slot >= 0 and (task.all_features or node.size >= SMALL):
            copy_candidates(task.nodes, slot, split[5])
        return split[5], split[5]

    @staticmethod
    def candidates(task, node, slot):
        count_sizes(task.nodes.labels, None, node, task.sizes[0])
        first, permutation = np.int64(node.n_features), task.nodes.permutations[slot]
        if task.all_features or node.size < SMALL:
            first = hide_constants(task.nodes, node, permutation, task.all_features)
        return first, permutation.shape[0], first if task.all_features else np.int64(0)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        shared, first = task.nodes, node.first
        codes, step, start = codes_of(shared, node, feature)
        n, lowest, highest = gather(codes, step, start, shared.samples, None, first, node.last, 32, False, shared.keys)
        if lowest == highest:
            return best, np.int64(NONE), np.int64(0), np.int64(0), np.int64(CONSTANT)
        in_spare = sort(shared.keys, shared.spare, shared.counts, n, 32, lowest, highest)
        keys = shared.spare if in_spare else shared.keys
        n_present = without(keys, n, np.uint64(32), shared.missing[feature])
        places = shared.samples[first:], shared.labels[first:], task.weights[first:]
        run = Run(keys, n_present, n - n_present, *places, task.rises[task.offsets[feature] :])
        sides = Sides(total, task.sides[0], task.sides[1], task.sizes[0], task.sizes[1], task.quirk)
        return criterion.scan(criterion.fields, run, sides, node, settings, criterion.lightest, empty[0], best)


class WeightedLists(NamedTuple):
    """What all nodes of a tree over all features share where attribute lists are small."""

    lists: Presorted  # whose labels hold sizes
    weights: np.ndarray  # float64, by sample
    at_mode: np.ndarray  # uint8, by sample: scratch, all 1 between two uses
    keys: np.ndarray  # uint64: scratch, one for each sample and one more
    rises: np.ndarray  # as of `Weighted`, and so are the next three
    sides: np.ndarray
    sizes: np.ndarray
    quirk: np.ndarray

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        lists, sizes = task.lists, task.sizes
        middle, left_size = divide(lists, node, split, slot, sizes[0], sizes[1], sizes[2])
        tally(lists.labels, task.weights, lists.samples, middle, node.last, right)
        tally(lists.labels, task.weights, lists.samples, node.first, middle, left)
        return middle, left_size

    @staticmethod
    def candidates(task, node, slot):
        count_sizes(task.lists.labels, task.lists.samples, node, task.sizes[0])
        return candidates(task.lists, node, slot)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
        lists, keys, segments = task.lists, task.keys, task.lists.segments
        first, last = segments[1, slot, place], segments[2, slot, place]
        missing, n = lists.missing[feature], np.int64(node.last - node.first)
        write_keys(task, node, lists.mode[feature], first, last)
        n_present = without(keys, n, PLACE, missing)
        run = Run(keys, n_present, n - n_present, lists.samples, lists.labels, task.weights, task.rises)
        sides = Sides(total, task.sides[0], task.sides[1], task.sizes[0], task.sizes[1], task.quirk)
        return criterion.scan(criterion.fields, run, sides, node, settings, criterion.lightest, empty[0], best)


@inner_kernel
def write_keys(task, node, mode, first, last):
    """Write a segment as keys of sample numbers, with the samples at the mode in their place."""
    lists, keys, at_mode = task.lists, task.keys, task.at_mode
    middle, absent = first_above(lists.entries, first, last, mode, lists.shift), node.last - node.first - (last - first)
    for i in range(first, middle):
        keys[i - first] = key_of(lists, i)
    if absent > 0:
        for i in range(first, last):
            at_mode[lists.entries[i] & lists.mask] = 0
        write = middle - first
        for i in range(node.first, node.last):
            sample = lists.samples[i]
            keys[write] = (np.uint64(mode) << PLACE) | np.uint64(sample)
            write += np.int64(at_mode[sample])
            at_mode[sample] = 1
    for i in range(middle, last):
        keys[i - first + absent] = key_of(lists, i)


@inlined_kernel
def key_of(lists, i):
    """The key of an entry."""
    entry = np.uint64(lists.entries[i])
    return ((entry >> np.uint64(lists.shift)) << PLACE) | (entry & np.uint64(lists.mask))


@inner_kernel
def tally(labels, weights, order, first, last, counts):
    """Write the class weights of some samples, which are places of `order` if there is one; returns their size."""
    size = np.int64(0)
    for k in range(counts.shape[0]):
        counts[k] = 0.0
    for place in range(first, last):
        i = place if order is None else np.int64(order[place])
        label = np.int64(labels[i])
        counts[np.uint64(label & CLASS)] += weights[i]
        size += (label >> BITS) + 1
    return size


@inner_kernel
def count_sizes(labels, order, node, sizes):
    """Write the class sizes of a node, with `order` as for `tally`."""
    for k in range(sizes.shape[0]):
        sizes[k] = 0
    for place in range(node.first, node.last):
        label = np.int64(labels[place if order is None else np.int64(order[place])])
        sizes[np.uint64(label & CLASS)] += (label >> BITS) + 1


def grow(criterion, features, samples, labels, weights, root, n_classes, settings, wrap, quirks=False, share=0.0):
    """Grow a tree on distinct rows of `features`, which hold float32 numbers with `quirks`; else as for `nodewise`."""
    rises = np.zeros(0, np.uint8)
    if quirks:
        low, high = features.levels, np.append(features.levels[1:], np.nan)
        rises = (np.float32(0.5 * low + 0.5 * high) == high).astype(np.uint8)
    size, total = int(class_weights(labels, n_classes).sum()), class_weights(labels, n_classes, weights)
    every, n = settings.max_features >= features.shape[1], len(samples)
    scratch = np.empty((2, n_classes)), np.empty((3, n_classes), np.int64), np.empty(2, np.int64)
    plain = every and not quirks and not features.categorical.any()
    lists = small_lists(features) if plain and n == len(features) else None
    if lists is not None:
        nodes, n_varying = presorted.task_of(lists, features, labels, size)
        task = WeightedLists(nodes, weights, np.ones(n, np.uint8), np.empty(n + 1, np.uint64), rises, *scratch)
        kind, root_node = (lists.entries.dtype,), (n, size, n_varying)
    else:
        nodes, kept = nodewise.task_of(features, samples, labels, n_classes, size, 32), np.array(features.offsets)
        task = wrap(Weighted(nodes, weights, np.empty_like(weights), every, rises, kept, *scratch))
        kind, root_node = (nodes.columns.dtype,), (n, size, 0)
    scale = float(root if type(criterion).weighted else 1.0)
    floors = map(float, type(criterion).floors(criterion))
    kernels = functions(type(criterion))
    weighted = WeightedCriterion(Criterion(*criterion), *kernels, scale, *floors, float(share * root))
    return driver.grow(weighted, kind, task, nodes.missing, total, root_node, settings)
