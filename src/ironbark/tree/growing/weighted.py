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
from ironbark.jit import inner_kernel
from ironbark.tree.growing import driver
from ironbark.tree.growing.feature_sampling import SMALL, hide_constants
from ironbark.tree.growing.labels import BITS, CLASS, class_weights
from ironbark.tree.growing.node_threshold import codes_of
from ironbark.tree.growing.nodewise import Nodewise, copy_candidates, task_of
from ironbark.tree.growing.radix_sort import gather, sort, without
from ironbark.tree.growing.scan import CONSTANT, NONE
from ironbark.tree.growing.search import exchange
from ironbark.tree.growing.weighted_scan import Run, Sides, WeightedCriterion, functions


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
        tally(task, write, node.last, right)
        return write, tally(task, node.first, write, left)

    @staticmethod
    def inherit(task, node, split, slot, left_slot, right_slot, middle):
        if left_slot >= 0 and right_slot >= 0 and (task.all_features or node.size >= SMALL):
            copy_candidates(task.nodes, slot, split[5])
        return split[5], split[5]

    @staticmethod
    def candidates(task, node, slot):
        sizes, labels = task.sizes[0], task.nodes.labels
        for k in range(sizes.shape[0]):
            sizes[k] = 0
        for i in range(node.first, node.last):
            label = np.int64(labels[i])
            sizes[np.uint64(label & CLASS)] += (label >> BITS) + 1
        first, permutation = np.int64(node.n_features), task.nodes.permutations[slot]
        if task.all_features or node.size < SMALL:
            first = hide_constants(task.nodes, node, permutation, task.all_features)
        return first, permutation.shape[0], first if task.all_features else np.int64(0)

    @staticmethod
    def exchange(task, slot, position, other):
        return exchange(task.nodes, slot, position, other)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, slot, position, empty, total, moved, base, best):
        shared, first = task.nodes, node.first
        feature = np.int64(shared.permutations[slot, position])
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


@inner_kernel
def tally(task, first, last, counts):
    """Write the class weights of some samples; returns their size."""
    size = np.int64(0)
    for k in range(counts.shape[0]):
        counts[k] = 0.0
    for i in range(first, last):
        label = np.int64(task.nodes.labels[i])
        counts[np.uint64(label & CLASS)] += task.weights[i]
        size += (label >> BITS) + 1
    return size


def grow(criterion, features, samples, labels, weights, root, n_classes, settings, quirks=False, share=0.0):
    """Grow a tree; returns `Nodes`.

    Parameters
    ----------
    criterion : Criterion
        Its tables are not used.
    features : EncodedFeatures
        Of float32 numbers with `quirks`.
    samples, labels, weights : ndarray of shape (n,), uint32, uint32 and float64
        Distinct rows to grow on, the packed class of each and how often it counts for stopping rules, and its positive
        weight; all of them are rearranged.
    root : float
        Sum of the weights.
    share : float, default=0.0
        Smallest share of that sum that a child must have.
    """
    rises = np.zeros(0, np.uint8)
    if quirks:
        low, high = features.levels, np.append(features.levels[1:], np.nan)
        rises = (np.float32(0.5 * low + 0.5 * high) == high).astype(np.uint8)
    size, total = int(class_weights(labels, n_classes).sum()), class_weights(labels, n_classes, weights)
    task = Weighted(
        task_of(features, samples, labels, n_classes, size, 32),
        weights,
        np.empty_like(weights),
        settings.max_features >= features.shape[1],
        rises,
        np.array(features.offsets),
        np.empty((2, n_classes)),
        np.empty((2, n_classes), np.int64),
        np.empty(2, np.int64),
    )
    scale = float(root if type(criterion).weighted else 1.0)
    floors = map(float, type(criterion).floors(criterion))
    kernels = functions(type(criterion))
    weighted = WeightedCriterion(Criterion(*criterion), *kernels, scale, *floors, float(share * root))
    kind, root = (task.nodes.columns.dtype,), (len(samples), size, 0)
    return driver.grow(weighted, kind, task, task.nodes.missing, total, root, settings)
