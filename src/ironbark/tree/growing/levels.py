"""Levels of categorical features in orders that depend on a node, so that thresholds part them.

With two classes levels are ordered by the share of one class: of all ways to part them in two, the best one for Gini
impurity and entropy is a threshold in this order (Breiman, Friedman, Olshen, Stone 1984, theorem 4.5). With more
classes there is no such order. Up to four levels have all their partitions among the thresholds of three orders. For
more, thresholds are tried in the order of each class against the others, and in that of the first principal component
of the class shares (Coppersmith, Hong, Hosking 1999).

Levels of few samples in the node go together, at the place of the node's own class shares where levels are sorted by
shares. Levels that the node lacks go with them, or else to the side of more samples.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inlined_kernel
from ironbark.tree.growing.regression import BITS, CLASS

FEWEST = 5.0  # samples of mean weight in a node from which on a level has a place of its own, or
SHARE = 0.25  # this part of the number of levels, if it is less
STEPS = 8  # of the power iteration
FEW = 4  # places, all of whose partitions are tried with three and more classes
SPLITS, PRESENT, PLACES, GAPS = range(4)  # what is counted


class Levels(NamedTuple):
    """What growers share to arrange levels; all but the first three and `sets` is scratch."""

    categorical: np.ndarray  # (n_features,), uint8
    fewest: np.ndarray  # (n_features,), float64
    n_ways: int  # orders that are tried
    column: np.ndarray  # read-only view of the next one
    places: np.ndarray  # (n_samples,), like the codes: place of each sample's level
    counts: np.ndarray  # (levels * n_classes,), float64: class weights of the levels of the node
    deviations: np.ndarray  # (levels * n_classes,), float64: class shares less those of the node
    sizes: np.ndarray  # (levels,), float64: weights of levels that have a place of their own, else 0
    order: np.ndarray  # (levels,), float64: what levels are sorted by, 0 for the node itself; place of few levels
    present: np.ndarray  # (levels,), int64: the levels of the node
    rank: np.ndarray  # (levels,), int64: their places, -1 for levels that are not in the node
    total: np.ndarray  # (n_classes,), float64: class weights of all levels of the node
    missing: np.ndarray  # (n_classes,), float64: of missing values
    direction: np.ndarray  # (n_classes,), float64
    following: np.ndarray  # likewise
    counted: np.ndarray  # (4,), int64: splits of the tree so far, levels of the node, rare ones as one, places
    sets: np.ndarray  # (splits, words), uint64: bits of the levels that go left


def levels_of(features, code_type, n_classes, n_samples, unit):
    """The `Levels` of a tree on so many samples, of which one has the weight `unit` on average."""
    flags, sizes = features.categorical, np.diff(features.offsets)
    most = int(sizes[flags].max())
    places = np.empty(len(features), code_type)
    column = places.view()
    column.flags.writeable = False
    of_levels = (
        *(np.empty(shape) for shape in (most * n_classes, most * n_classes, most, most)),
        np.empty(most, np.int64),
    )
    of_classes = *(np.empty(n_classes) for _ in range(4)), np.zeros(4, np.int64)
    sets = np.empty((n_samples, -(-most // 64)), np.uint64)
    fewest = np.minimum(FEWEST, SHARE * sizes) * unit * (1 - 1e-9)  # sums of weights are rounded
    first = flags.view(np.uint8), fewest, 1 if n_classes == 2 else n_classes + 1
    return Levels(*first, column, places, *of_levels, np.full(most, -1), *of_classes, sets)


@inlined_kernel
def count(levels, codes, step, start, samples, labels, weights, node, missing, fewest):
    """Write the class weights of the levels of the node, without missing values; returns how many codes occur."""
    # `weights` is None where labels hold them.
    n_classes, n_present, at = np.uint64(levels.total.shape[0]), np.int64(0), np.int64(-1)
    for i in range(levels.counted[PRESENT]):
        levels.rank[np.uint64(levels.present[np.uint64(i)])] = -1
    for i in range(node.first, node.last):
        j = np.uint64(i)
        code, label = np.uint64(codes[np.uint64(samples[j] * step + start)]), np.int64(labels[j])
        if levels.rank[code] < 0:
            levels.rank[code] = 0
            at = n_present if np.int64(code) == missing else at
            levels.present[np.uint64(n_present)] = np.int64(code)
            n_present += 1
            for k in range(n_classes):
                levels.counts[code * n_classes + k] = 0.0
        weight = np.float64((label >> BITS) + 1) if weights is None else weights[j]
        levels.counts[code * n_classes + np.uint64(label & CLASS)] += weight
    for k in range(n_classes):
        levels.missing[k] = levels.counts[np.uint64(missing) * n_classes + k] if at >= 0 else 0.0
    n_codes = n_present
    if at >= 0:
        n_present -= 1
        levels.rank[missing] = -1
        levels.present[at] = levels.present[n_present]
    levels.counted[PRESENT] = n_present
    deviate(levels, fewest)
    return n_codes


@inlined_kernel
def n_orders(levels):
    """How many orders of the levels that were counted are tried."""
    return max(levels.counted[PLACES] - 1, 1) if are_few(levels) else levels.n_ways


@inlined_kernel
def are_few(levels):
    """Whether all partitions of the levels that were counted are tried."""
    return levels.total.shape[0] > 2 and levels.counted[PLACES] <= FEW


@inlined_kernel
def arrange(levels, way):
    """Give the levels that were counted their places in one of the orders."""
    n_present, place = levels.counted[PRESENT], np.int64(-1)
    if are_few(levels):  # all places but the last one turn
        last = levels.counted[PLACES] - 1
        for i in range(n_present):
            place = np.int64(levels.order[levels.present[i]])
            levels.rank[levels.present[i]] = place if place == last else (place + last - way) % last
        levels.counted[GAPS] = last + 1
        return
    aim(levels, way)
    sort(levels, n_present)
    for i in range(n_present):
        level = levels.present[i]
        place += np.int64(i == 0 or levels.order[level] > levels.order[levels.present[i - 1]])
        levels.rank[level] = place
    levels.counted[GAPS] = place + 1


@inlined_kernel
def tally(levels, counts):
    """Write ``counts[place * n_classes + class]`` of arranged levels, missing values last; returns their code."""
    n_classes, n_present, gaps = levels.total.shape[0], levels.counted[PRESENT], levels.counted[GAPS]
    for i in range(gaps * n_classes):
        counts[i] = 0
    for i in range(n_present):
        level = levels.present[i]
        for k in range(n_classes):
            counts[levels.rank[level] * n_classes + k] += np.int64(levels.counts[level * n_classes + k])
    for k in range(n_classes):
        counts[gaps * n_classes + k] = np.int64(levels.missing[k])
    return gaps


@inlined_kernel
def fill(levels, codes, step, start, samples, node, missing):
    """Write the place of each sample's level; missing values keep their code."""
    for i in range(node.first, node.last):
        sample = np.int64(samples[i])
        code = np.int64(codes[sample * step + start])
        levels.places[sample] = code if code == missing else levels.rank[code]


@inlined_kernel
def deviate(levels, fewest):
    """Write how far the class shares of the levels of the node are from its own, and the weights of levels."""
    # Both are 0 for levels of few samples.
    n, n_classes = 0.0, np.uint64(levels.total.shape[0])
    for k in range(n_classes):
        levels.total[k] = 0.0
    for i in range(levels.counted[PRESENT]):
        level, size = np.uint64(levels.present[np.uint64(i)]), 0.0
        for k in range(n_classes):
            weight = levels.counts[level * n_classes + k]
            size += weight
            levels.total[k] += weight
        levels.sizes[level] = size
        n += size
    share, n_rare = 1.0 / n, 0
    for i in range(levels.counted[PRESENT]):
        level = np.uint64(levels.present[np.uint64(i)])
        own = 1.0 / levels.sizes[level]
        few = levels.sizes[level] < fewest
        n_rare += np.int64(few)
        levels.sizes[level] = 0.0 if few else levels.sizes[level]
        for k in range(n_classes):
            deviation = levels.counts[level * n_classes + k] * own - levels.total[k] * share
            levels.deviations[level * n_classes + k] = 0.0 if few else deviation
    levels.counted[PLACES] = levels.counted[PRESENT] - max(n_rare - 1, 0)
    if are_few(levels):
        number(levels)


@inlined_kernel
def aim(levels, way):
    """Write what levels are sorted by: the deviation of a class, or along the first principal component."""
    n_classes = levels.total.shape[0]
    if n_classes > 2 and way == 0:
        principal_component(levels)
        return
    own = 1 if n_classes == 2 else way - 1
    for i in range(levels.counted[PRESENT]):
        level = levels.present[i]
        levels.order[level] = levels.deviations[level * n_classes + own]


@inlined_kernel
def number(levels):
    """Write a place of each of few levels, by class shares, the last one for all rare ones."""
    n_classes, n_present = levels.total.shape[0], levels.counted[PRESENT]
    for i in range(n_present):
        level = levels.present[i]
        levels.order[level] = 0.0
        for k in range(1, n_classes):
            levels.order[level] += k * levels.deviations[level * n_classes + k]
    for i in range(n_present):
        level = levels.present[i]
        levels.rank[level] = 0 if levels.sizes[level] > 0.0 else levels.counted[PLACES] - 1
        for j in range(n_present if levels.sizes[level] > 0.0 else 0):
            other = levels.present[j]
            levels.rank[level] += np.int64(is_before(levels, other, level) and levels.sizes[other] > 0.0)
    for i in range(n_present):
        levels.order[levels.present[i]] = levels.rank[levels.present[i]]


@inlined_kernel
def is_before(levels, one, other):
    """Whether a level comes before another one: by `order`, then by number."""
    return levels.order[one] < levels.order[other] or (levels.order[one] == levels.order[other] and one < other)


@inlined_kernel
def principal_component(levels):
    """Write the deviations along the direction in which they vary most, by power iteration; of two levels one step."""
    n_classes, last = levels.total.shape[0], STEPS if levels.counted[PRESENT] > 2 else 1
    for k in range(n_classes):
        levels.direction[k] = np.float64(k + 1)  # no symmetric start: deviations add up to 0
    for step in range(last + 1):
        for k in range(n_classes):
            levels.following[k] = 0.0
        for i in range(levels.counted[PRESENT]):
            project(levels, levels.present[i])
        length = 0.0
        for k in range(n_classes):
            length += levels.following[k] * levels.following[k]
        if length == 0.0 or step == last:
            return
        scale = 1.0 / np.sqrt(length)
        for k in range(n_classes):
            levels.direction[k] = levels.following[k] * scale


@inlined_kernel
def project(levels, level):
    """Write the deviation of a level along the direction, and add its part of the next direction."""
    n_classes, value = levels.total.shape[0], 0.0
    for k in range(n_classes):
        value += levels.direction[k] * levels.deviations[level * n_classes + k]
    levels.order[level] = value
    for k in range(n_classes):
        levels.following[k] += levels.sizes[level] * value * levels.deviations[level * n_classes + k]


@inlined_kernel
def sort(levels, n):
    """Sort the levels of the node (Shell's sort)."""
    present, gap = levels.present, n // 2
    while gap > 0:
        for i in range(gap, n):
            level, j = present[i], i
            while j >= gap and not is_before(levels, present[j - gap], level):
                present[j] = present[j - gap]
                j -= gap
            present[j] = level
        gap //= 2


@inlined_kernel
def record(levels, feature, low):
    """Keep which levels go left at the next split, up to this place, and on which side others go."""
    split, balance, rare = levels.counted[SPLITS], 0.0, 0
    levels.counted[SPLITS] += 1
    n_classes, n_present = levels.total.shape[0], levels.counted[PRESENT] if levels.categorical[feature] else 0
    for i in range(n_present):
        level = levels.present[i]
        side = 1 if levels.rank[level] <= low else -1
        rare = side if levels.sizes[level] == 0.0 else rare
        for k in range(n_classes):
            balance += side * levels.counts[level * n_classes + k]
    others_left = rare > 0 or (rare == 0 and balance > 0.0)
    for word in range(levels.sets.shape[1]):
        levels.sets[split, word] = ~np.uint64(0) if others_left else np.uint64(0)
    for i in range(n_present):
        level = levels.present[i]
        word, bit = level >> 6, np.uint64(1) << np.uint64(level & 63)
        if levels.rank[level] <= low:
            levels.sets[split, word] |= bit
        else:
            levels.sets[split, word] &= ~bit
