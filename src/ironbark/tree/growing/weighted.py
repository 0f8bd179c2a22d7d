"""Growing a tree nodewise on float class weights: for weights that are no integers, missing values, and `compat`.

Samples are sorted for every feature, missing values last; thresholds are tried in ascending order, with missing values
on the right and then on the left. Impurities come from their definitions, for tables need integer counts. Where a node
looks at all features, they are visited in the order of presorted growth, and ties fall as there.

The quirks of `compat` are those of the code of Wilton and Ye (2024): a midpoint in float32 may be rounded up to the
value above it, a later threshold needs a sample more on either side, and see `twoing_rdts`.
"""

import functools
from typing import NamedTuple

import numpy as np
from numba import typeof, types

from ironbark.criteria.base import EPS, Criterion, bound, fields, gain, impurity
from ironbark.jit import first_class, inner_kernel
from ironbark.tree.growing.driver import Driver
from ironbark.tree.growing.feature_sampling import SMALL, hide_constants
from ironbark.tree.growing.labels import BITS as ABOVE
from ironbark.tree.growing.labels import CLASS, class_weights
from ironbark.tree.growing.nodes import Node, Settings
from ironbark.tree.growing.nodewise import (
    CONSTANT,
    ENOUGH,
    VARIES,
    codes_of,
    copy_candidates,
    search,
    shared_arrays,
)
from ironbark.tree.growing.radix_sort import gather_places, sort
from ironbark.tree.growing.scan import MANY, NONE, TIE

BITS = 32  # of a key that hold the place of a sample


class Weighted(NamedTuple):
    """What all nodes of a tree share: the fields of `Nodewise`, whose labels hold sizes, and the following."""

    columns: np.ndarray
    rows: np.ndarray
    n_levels: np.ndarray
    many_zeros: np.ndarray
    samples: np.ndarray
    labels: np.ndarray
    bits: int
    keys: np.ndarray
    spare: np.ndarray
    counts: np.ndarray
    differs: np.ndarray
    differs_words: np.ndarray
    permutations: np.ndarray
    weights: np.ndarray  # float64, of each entry of `samples`
    spare_weights: np.ndarray
    missing: np.ndarray  # (n_features,), int64: code of NaN, or -1
    all_features: bool
    rises: np.ndarray  # uint8: whether the midpoint of a level and the next one is rounded up; empty without quirks
    offsets: np.ndarray  # (n_features + 1,), int64: where each feature's levels start in `rises`
    sides: np.ndarray  # (2, n_classes), float64: scratch
    sizes: np.ndarray  # (2, n_classes), int64: scratch
    quirk: np.ndarray  # (2,), int64: largest code that goes left after all, and a sample that goes right, or -1

    @staticmethod
    def divide(task, node, split, slot, total, left, right):
        codes, step, start = codes_of(task, node, split[1])
        missing, highest, odd = task.missing[split[1]], split[2], np.int64(-1)
        if task.rises.shape[0] > 0:
            highest, odd = task.quirk[0], task.quirk[1]
        write, away = np.int64(node.first), np.int64(0)
        for i in range(node.first, node.last):
            sample, label, weight = task.samples[i], task.labels[i], task.weights[i]
            code = np.int64(codes[np.uint64(sample * step + start)])
            side = np.int64(split[4] if code == missing else code <= highest) & np.int64(sample != odd)
            task.samples[write], task.labels[write], task.weights[write] = sample, label, weight
            task.keys[away], task.spare[away], task.spare_weights[away] = sample, label, weight
            write += side
            away += 1 - side
        for i in range(away):
            task.samples[write + i], task.labels[write + i] = task.keys[i], task.spare[i]
            task.weights[write + i] = task.spare_weights[i]
        tally(task, write, node.last, right)
        return write, tally(task, node.first, write, left)

    @staticmethod
    def inherit(task, node, split, slot, left_slot, right_slot, middle):
        if left_slot >= 0 and right_slot >= 0 and (task.all_features or node.size >= SMALL):
            copy_candidates(task, slot, split[5])
        return split[5], split[5]

    @staticmethod
    def hide(task, node, permutation):
        sizes = task.sizes[0]
        for k in range(sizes.shape[0]):
            sizes[k] = 0
        for i in range(node.first, node.last):
            label = np.int64(task.labels[i])
            sizes[np.uint64(label & CLASS)] += (label >> ABOVE) + 1
        n_constant = np.int64(node.n_features)
        if task.all_features or node.size < SMALL:
            n_constant = hide_constants(task, node, permutation, task.all_features)
        return n_constant, n_constant if task.all_features else np.int64(0)

    @staticmethod
    def best_threshold(task, criterion, classes, node, settings, feature, empty, total, moved, base, best):
        codes, step, start = codes_of(task, node, feature)
        first, n = np.int64(node.first), np.int64(node.last - node.first)
        n_missing, lowest, highest = gather_places(
            codes, step, start, task.samples, first, n, BITS, task.missing[feature], task.keys
        )
        if lowest == highest:
            return best, np.int64(NONE), np.int64(0), np.int64(0), np.int64(CONSTANT)
        in_spare = sort(task.keys, task.spare, task.counts, n, BITS, lowest, highest)
        keys = task.spare if in_spare else task.keys
        rises = task.rises[task.offsets[feature] :]
        run = Run(keys, n, n_missing, task.samples[first:], task.labels[first:], task.weights[first:], rises)
        scratch = Scratch(total, task.sides[0], task.sides[1], task.sizes[0], task.sizes[1], task.quirk)
        return criterion.scan(criterion.fields, run, scratch, node, settings, criterion.lightest, empty, best)


class Run(NamedTuple):
    """A node's samples in the order of one feature."""

    keys: np.ndarray
    n: int
    n_missing: int  # those stand last
    samples: np.ndarray  # by place in the node; so are the next two
    labels: np.ndarray
    weights: np.ndarray
    rises: np.ndarray  # by code


class Scratch(NamedTuple):
    """Class weights and class sizes of a node and of the children of the split that is tried."""

    total: np.ndarray
    left: np.ndarray
    right: np.ndarray
    total_sizes: np.ndarray
    left_sizes: np.ndarray
    quirk: np.ndarray


class WeightedCriterion(NamedTuple):
    """A criterion on float class weights, with the operations that a search needs; gains are values of splits."""

    fields: Criterion
    appraise: object  # compiled: impurity of a node, and the bound of gains
    scan: object  # compiled: the best threshold of a run
    scale: float  # what gains are divided by to be those of the definition
    absolute: float  # gains that count as none, see `Criterion.floors`
    per_weight: float
    per_bound: float
    lightest: float  # weight that a child must have

    @staticmethod
    def start(criterion, total, n):
        return criterion.appraise(criterion.fields, total, n)[0]

    @staticmethod
    def origin(criterion, total, n):
        return 0.0

    @staticmethod
    def ceiling(criterion, total, n):
        return criterion.appraise(criterion.fields, total, n)[1]

    @staticmethod
    def unit(criterion, n, n_root):
        return criterion.scale

    @staticmethod
    def tolerance(criterion, ceiling, n, n_root):
        floor = max(criterion.absolute, criterion.per_weight * n_root)
        return max(floor, criterion.per_bound * ceiling) if ceiling < np.inf else floor


def make_appraise(criterion_class):
    """Impurity of a node, and the largest gain of its splits."""

    def appraise(criterion, total, n):
        criterion = criterion_class(*criterion)
        whole = impurity(criterion, total, n)
        return float(whole), float(bound(criterion, whole, total, n))

    return appraise


def make_scan(criterion_class):
    """Best threshold of a run, first with missing values right, then with them left."""
    early_exit = criterion_class.early_exit

    def scan(criterion, run, scratch, node, settings, lightest, whole, best):
        criterion = criterion_class(*criterion)
        total, left, right, total_sizes, left_sizes, quirk = scratch
        quirks, n_present = run.rises.shape[0] > 0, run.n - run.n_missing
        risk = relative_risk(total, node.n, node.n_root) if early_exit else np.inf
        value, low, high = best, np.int64(NONE), np.int64(0)
        to_left, status = np.int64(0), np.int64(VARIES)
        for missing_left in range(1 if run.n_missing == 0 else 2):
            for k in range(left.shape[0]):
                left[k], left_sizes[k] = 0.0, 0
            n_left = move(run, n_present, run.n, left, left_sizes) if missing_left else np.int64(0)
            stop = (
                n_present if run.n_missing == 0 or missing_left else n_present + 1
            )  # where all that go right are missing
            tried, i = False, np.int64(0)
            while i < n_present:
                code, begin = run.keys[i] >> np.uint64(BITS), i
                i = end_of_code(run.keys, i, n_present)
                n_left += move(run, begin, i, left, left_sizes)
                if i == stop:
                    break
                following, odd, highest = run.keys[i] >> np.uint64(BITS), np.int64(-1), np.int64(code)
                if quirks and following == code + np.uint64(1) and run.rises[code] != 0:
                    begin, highest = i, np.int64(following)
                    i = end_of_code(run.keys, i, n_present)
                    if i == stop:
                        i -= 1
                        odd = np.int64(run.samples[run.keys[i] & np.uint64(2**BITS - 1)])
                    n_left += move(run, begin, i, left, left_sizes)
                least = settings.min_samples_leaf + np.int64(quirks and tried)
                tried = True
                if min(n_left, node.size - n_left) < least:
                    continue
                n_a, n_b = 0.0, 0.0
                for k in range(left.shape[0]):
                    none = left_sizes[k] == total_sizes[k]  # a difference of float sums need not be zero then
                    right[k] = 0.0 if none else max(total[k] - left[k], 0.0)
                    n_a += left[k]
                    n_b += right[k]
                if min(n_a, n_b) < lightest:
                    continue
                v = gain(criterion, whole, left, right, n_a, n_b)
                if v > best:
                    value, best, low, high = v, v * (1.0 + TIE), np.int64(code), np.int64(following)
                    to_left = np.int64(missing_left if run.n_missing > 0 else n_left > node.size - n_left)
                    quirk[0], quirk[1] = highest, odd
                    if value + EPS >= risk:
                        status = np.int64(ENOUGH)
                        break
            if status == ENOUGH:
                break
        return value, low, high, to_left, status

    return scan


@inner_kernel
def tally(task, first, last, counts):
    """Write the class weights of some samples; returns their size."""
    size = np.int64(0)
    for k in range(counts.shape[0]):
        counts[k] = 0.0
    for i in range(first, last):
        label = np.int64(task.labels[i])
        counts[np.uint64(label & CLASS)] += task.weights[i]
        size += (label >> ABOVE) + 1
    return size


@inner_kernel
def move(run, begin, end, weights, sizes):
    """Add some samples to the left side; returns their size."""
    moved = np.int64(0)
    for i in range(begin, end):
        place = run.keys[i] & np.uint64(2**BITS - 1)
        label = np.int64(run.labels[place])
        k, size = np.uint64(label & CLASS), (label >> ABOVE) + 1
        weights[k] += run.weights[place]
        sizes[k] += size
        moved += size
    return moved


@inner_kernel
def end_of_code(keys, begin, stop):
    """Index behind the keys that share the code of the key at `begin`."""
    i, code = begin + 1, keys[begin] >> np.uint64(BITS)
    while i < stop and keys[i] >> np.uint64(BITS) == code:
        i += 1
    return i


@inner_kernel
def relative_risk(total, n, n_root):
    """What Wilton and Ye's code compares twoing with: n / n_root (1 - max_k p_k) K / (K-1)."""
    most = total[0]
    for k in range(1, total.shape[0]):
        most = max(most, total[k])
    return (n - most) / n_root * total.shape[0] / (total.shape[0] - 1.0)


DRIVER = Driver(search)


def grow(criterion, features, samples, labels, weights, n_classes, settings, quirks=False, share=0.0):
    """Grow a tree.

    Parameters
    ----------
    criterion : Criterion
        Its tables are not used.
    features : EncodedFeatures
        Of float32 numbers with `quirks`.
    samples : ndarray of shape (n,), uint32
        Rows to grow on; rearranged, as the next two.
    labels : ndarray of shape (n,), uint32
        Packed class of each, and how often it counts for stopping rules.
    weights : ndarray of shape (n,), float64
        Positive.
    n_classes : int
    settings : Settings
    quirks : bool, default=False
    share : float, default=0.0
        Smallest share of the weight of all samples that a child must have.

    Returns
    -------
    Nodes
    """
    missing, rises = np.where(features.missing, np.diff(features.offsets) - 1, -1), np.zeros(0, np.uint8)
    if quirks:
        low, high = features.levels, np.append(features.levels[1:], np.nan)
        rises = (np.float32(0.5 * low + 0.5 * high) == high).astype(np.uint8)
    size, total = int(class_weights(labels, n_classes).sum()), class_weights(labels, n_classes, weights)
    task = Weighted(
        *shared_arrays(features, samples, labels, n_classes, size, BITS),
        weights,
        np.empty_like(weights),
        missing,
        settings.max_features >= features.shape[1],
        rises,
        np.array(features.offsets),
        np.empty((2, n_classes)),
        np.empty((2, n_classes), np.int64),
        np.empty(2, np.int64),
    )
    root = weights.sum()
    scale = float(root if type(criterion).weighted else 1.0)
    floors = map(float, type(criterion).floors(criterion))
    kernels = functions(type(criterion))
    weighted = WeightedCriterion(Criterion(*criterion), *kernels, scale, *floors, float(share * root))
    kind = (task.columns.dtype,)
    return DRIVER.grow(weighted, WeightedCriterion, MANY, kind, task, total, (size, 0), settings)


@functools.cache
def functions(criterion_class):
    """What a `WeightedCriterion` calls, compiled."""
    appraise = first_class(make_appraise(criterion_class), APPRAISE, PAIR, criterion_class.cached)
    return appraise, first_class(make_scan(criterion_class), SCAN, FOUND, criterion_class.cached)


COUNTS, NUMBER = np.zeros(1), types.float64
RUN = Run(np.zeros(0, np.uint64), 0, 0, *(np.zeros(0, np.uint32) for _ in range(2)), COUNTS, np.zeros(0, np.uint8))
SCRATCH = Scratch(COUNTS, COUNTS, COUNTS, *(np.zeros(0, np.int64) for _ in range(3)))
NODE, SETTINGS = Node(0, 0, 0, 0.0, 0.0, 0, np.uint64(0)), Settings(0, 0, 0, 0.0, 0, False, np.uint64(0))
APPRAISE = (*map(typeof, (Criterion(*fields()), COUNTS)), NUMBER)
SCAN = (*map(typeof, (Criterion(*fields()), RUN, SCRATCH, NODE, SETTINGS)), NUMBER, NUMBER, NUMBER)
PAIR, FOUND = types.UniTuple(NUMBER, 2), types.Tuple((NUMBER, *[types.int64] * 4))
