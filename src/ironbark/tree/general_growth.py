"""Growing one tree on float class weights, off the hot path: real weights, missing values, Wilton and Ye's quirks."""

import functools

import numpy as np
from numba import typeof, types

from ironbark.criteria import base
from ironbark.criteria.base import Criterion
from ironbark.jit import compiled, first_class, inner_kernel
from ironbark.tree.general_keys import GeneralTask, Sides
from ironbark.tree.general_nodes import FEATURE, HIGH, LOW, MISSING_LEFT, ODD, ROSE, add_leaf, is_final, write_split
from ironbark.tree.general_search import GeneralNode, Rules, search
from ironbark.tree.keys import BUCKETS
from ironbark.tree.nodes import Nodes, Stack, child_key, mix, push


def grow(criterion, features, y, weights, sizes, n_classes, settings, quirks=False, share=0.0):
    """Grow a tree.

    Parameters
    ----------
    criterion : Criterion
        Its tables are not used.
    features : EncodedFeatures
    y : ndarray of shape (n_samples,), int
        Class indices.
    weights : ndarray of shape (n_samples,), float64
        Samples of weight 0 are left out.
    sizes : ndarray of shape (n_samples,), int64
        How often each sample counts for stopping rules.
    n_classes : int
    settings : Settings
    quirks : bool, default=False
        Whether to treat `min_samples_leaf` and thresholds as the code of Wilton and Ye (2024) does; levels must be
        float32 numbers then.
    share : float, default=0.0
        Smallest share of the weight of all samples that a child must have.

    Returns
    -------
    Nodes
        Of float64 counts, and with two more columns in the records.
    """
    task = _task(features, y, weights, sizes, quirks)
    root = weights.sum()
    absolute, per_weight, per_bound = type(criterion).floors(criterion)
    rules = Rules(
        settings.max_features >= features.shape[1],
        quirks,
        type(criterion).early_exit,
        *(float(floor) for floor in (absolute, per_weight, per_bound)),
        float(root if type(criterion).weighted else 1.0),
        float(share * root),
    )
    sides = Sides(*(np.zeros(n_classes) for _ in range(3)), *(np.zeros(n_classes, np.int64) for _ in range(2)))
    depth = int(sizes.sum()).bit_length() + 3
    permutations = np.empty((depth, features.shape[1]), np.int32)
    permutations[0] = np.arange(features.shape[1])
    stack = Stack(np.empty((depth, 5), np.int64), np.empty(depth, np.uint64))
    rows = 2 * len(task.samples) - 1
    nodes = Nodes(np.empty((rows, 8), np.int64), np.empty(rows), np.empty((rows, n_classes)))
    found = np.zeros(6, np.int64)
    fields = Criterion(*criterion)
    arguments = fields, task, settings, rules, sides, permutations, nodes, stack, found
    appraise, gain = _functions(type(criterion))
    used = _driver(*map(typeof, arguments))(appraise, gain, *arguments)
    return Nodes(*(column[:used].copy() for column in nodes))


def _task(features, y, weights, sizes, quirks):
    codes = np.asarray(features.codes).view()
    codes.flags.writeable = False  # one type for arrays in memory and for maps of files
    samples = np.flatnonzero(weights).astype(np.uint32)
    missing = np.where(features.missing, np.diff(features.offsets) - 1, -1)
    keys, spare = (np.empty(len(samples), np.uint64) for _ in range(2))
    rises = np.zeros(0, np.uint8)
    if quirks:
        low, high = features.levels, np.append(features.levels[1:], np.nan)
        rises = (np.float32(0.5 * low + 0.5 * high) == high).astype(np.uint8)
    offsets = np.array(features.offsets)
    return GeneralTask(
        codes,
        missing.astype(np.int64),
        y.astype(np.uint8),
        weights.astype(np.float64),
        sizes.astype(np.int64),
        samples,
        keys,
        spare,
        np.empty(BUCKETS, np.int32),
        rises,
        offsets,
    )


def _appraise(criterion_class):
    def appraise(criterion, total, n):
        fields = criterion_class(criterion.integers, criterion.floats, criterion.a, criterion.b, criterion.c)
        whole = base.impurity(fields, total, n)
        return float(whole), float(base.bound(fields, whole, total, n))

    return appraise


def _gain(criterion_class):
    def gain(criterion, whole, left, right, n_left, n_right):
        fields = criterion_class(criterion.integers, criterion.floats, criterion.a, criterion.b, criterion.c)
        return float(base.gain(fields, whole, left, right, n_left, n_right))

    return gain


FIELDS = typeof(Criterion(*base.fields()))
COUNTS, NUMBER = types.Array(types.float64, 1, "C"), types.float64
GAIN = FIELDS, NUMBER, COUNTS, COUNTS, NUMBER, NUMBER
APPRAISE = FIELDS, COUNTS, NUMBER
PAIR = types.UniTuple(NUMBER, 2)


@functools.cache
def _functions(criterion_class):
    """Impurity and bound of a node, and gain of a split, as values that the driver is passed."""
    cached = criterion_class.cached
    appraise = first_class(_appraise(criterion_class), APPRAISE, PAIR, cached)
    return appraise, first_class(_gain(criterion_class), GAIN, NUMBER, cached)


@functools.cache
def _driver(*signature):
    functions = types.FunctionType(PAIR(*APPRAISE)), types.FunctionType(NUMBER(*GAIN))
    return compiled(_grow, (*functions, *signature))


def _grow(appraise, gain, criterion, task, settings, rules, sides, permutations, nodes, stack, found):
    """Depth first; returns the number of nodes. The order of nodes is that of the fast growers."""
    n_features, used, key = permutations.shape[1], 1, mix(settings.seed)
    root, size = tally(task, 0, task.samples.shape[0], sides)
    add_leaf(nodes, 0, sides, size, key)
    top = 0
    if not is_final(sides, size, 0, settings):
        push(stack, 0, 0, task.samples.shape[0], 0, 0, 0, key)
        top = 1
    while top > 0:
        top -= 1
        slot, key = stack.slots[top], stack.keys[top]
        first, last, depth, row, n_constant = slot[0], slot[1], slot[2], slot[3], slot[4]
        n, size = tally(task, first, last, sides)
        whole, bound = appraise(criterion, sides.total, n)
        node = GeneralNode(first, last, size, n, root, n_constant, key, whole, bound)
        value, n_constant = search(gain, criterion, task, rules, settings, node, sides, permutations[top], found)
        if found[FEATURE] < 0 or value <= largest_refused(rules, settings, root, bound):
            continue
        middle = divide(task, first, last, found)
        write_split(nodes, row, used, value / rules.scale, found)
        left_key, right_key, below = child_key(key, 0), child_key(key, 1), depth + 1
        n_left, left_open = tally_child(task, nodes, used, first, middle, below, settings, sides, left_key)
        n_right, right_open = tally_child(task, nodes, used + 1, middle, last, below, settings, sides, right_key)
        left_slot = top + 1 if left_open and right_open and n_left <= n_right else top
        right_slot = top + 1 if left_open and right_open and n_left > n_right else top
        if left_open and right_open:
            for j in range(n_constant, n_features):
                permutations[top + 1, j] = permutations[top, j]
        if left_open:
            push(stack, left_slot, first, middle, below, used, n_constant, left_key)
            top += 1
        if right_open:
            push(stack, right_slot, middle, last, below, used + 1, n_constant, right_key)
            top += 1
        used += 2
    return used


@inner_kernel
def tally(task, first, last, sides):
    """Write the class weights and sizes of some samples to `sides`; returns the sums of both."""
    for k in range(sides.total.shape[0]):
        sides.total[k], sides.total_sizes[k] = 0.0, 0
    size, n = np.int64(0), 0.0
    for i in range(first, last):
        sample = task.samples[i]
        k = task.classes[sample]
        sides.total[k] += task.weights[sample]
        sides.total_sizes[k] += task.sizes[sample]
        size += task.sizes[sample]
    for k in range(sides.total.shape[0]):
        n += sides.total[k]
    return n, size


@inner_kernel
def tally_child(task, nodes, row, first, last, depth, settings, sides, key):
    """Make a child a leaf for now; returns its size and whether it may be split."""
    _, size = tally(task, first, last, sides)
    add_leaf(nodes, row, sides, size, key)
    return size, not is_final(sides, size, depth, settings)


@inner_kernel
def largest_refused(rules, settings, root, bound):
    """Largest value of a split that counts as no gain, or too little of it."""
    floor = max(rules.absolute, rules.per_weight * root)
    if bound < np.inf:
        floor = max(floor, rules.per_bound * bound)
    return max(floor, settings.min_impurity_decrease * rules.scale)


@inner_kernel
def divide(task, first, last, found):
    """Stable partition of the node's samples by the split `found`; returns where the right part starts."""
    feature, highest = found[FEATURE], found[HIGH] if found[ROSE] else found[LOW]
    write, away = np.int64(first), np.int64(0)
    for i in range(first, last):
        sample = task.samples[i]
        code = np.int64(task.codes[feature, sample])
        to_left = found[MISSING_LEFT] != 0 if code == task.missing[feature] else code <= highest
        if to_left and sample != found[ODD]:
            task.samples[write] = sample
            write += 1
        else:
            task.spare[away] = sample
            away += 1
    for i in range(away):
        task.samples[write + i] = task.spare[i]
    return write
