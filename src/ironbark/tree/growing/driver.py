"""Growing a tree depth first: one driver for all ways and all criteria.

The operations below belong to a way to grow, see `ironbark.tree.growing.driver`.
"""

import functools

import numba
import numpy as np
from numba import typeof, types

from ironbark.criteria.base import Criterion, ceiling, origin, origin_two, start, tolerance, unit
from ironbark.jit import compiled, first_class, inlined_by_class, inner_kernel
from ironbark.tree.growing import nodes as store
from ironbark.tree.growing.nodes import child_key, draw, mix
from ironbark.tree.growing.thresholds.scan import CONSTANT, ENOUGH, MANY, NONE, TIE, TWO

#: What a search returns: gain, feature or -1, largest code that goes left, smallest that goes right, whether missing
#: values go left (-1: there are none; then to the larger child), number of constant candidates, and feature's position.
SPLIT = types.Tuple((types.float64, *[types.int64] * 6))


@inlined_by_class
def divide(task, node, split, slot, total, left, right):
    """Stable partition of the node's samples by the split of a search; writes the class weights of both parts."""
    # Returns where the right part starts, and the size of the left one. `slot` is that of the node in the stack.


@inlined_by_class
def inherit(task, node, split, slot, left_slot, right_slot, middle):
    """Give the children in these slots, -1 for a final one, what the node knows of the features."""
    # Returns `Node.n_features` of both.


#: Class of the task, class of the criterion, classes, what the caller says of its types -> search and driver.
KERNELS: dict = {}


def grow(criterion, kind: tuple, task, missing: np.ndarray, total: np.ndarray, root, settings):
    """Grow a tree; returns `Nodes`, views of much larger arrays."""
    nodes, stack = store.new_nodes(root[0], total, settings, bool((missing >= 0).any())), store.new_stack(root[1])
    weights = np.zeros((4, len(total)), total.dtype)
    weights[1] = total
    classes = TWO if len(total) == 2 and total.dtype == np.int64 else MANY
    criterion_class = type(criterion)
    arguments = own(criterion), task, settings, weights, nodes, stack, root
    kind = type(task), criterion_class, type(classes), *kind  # Many and Two are equal as tuples
    if kind not in KERNELS:
        KERNELS[kind] = _compile(criterion_class, classes, arguments)
    found, driver = KERNELS[kind]
    used = driver(found, *arguments)
    return store.Nodes(*(column[:used] for column in nodes))


def _compile(criterion_class, classes, arguments):
    """The search and the driver for these arguments."""
    function = search(criterion_class, classes)
    if numba.config.DISABLE_JIT:
        return function, _grow
    criterion, task, settings, weights, *_ = arguments
    weight = weights.dtype.type(0).item()
    node = store.Node(0, 0, 0, weight, weight, 0, np.uint64(0))
    signature = tuple(map(typeof, (criterion, task, node, settings, weights[0], 0, weights[0])))
    function = first_class(function, signature, SPLIT, getattr(criterion_class, "cached", True))
    return function, _driver(types.FunctionType(SPLIT(*signature)), *map(typeof, arguments))


@functools.cache
def _driver(*signature):
    return compiled(_grow, signature)


def own(criterion):
    """A criterion as kernels take it: its fields, with scratch of its own if it needs any."""
    if not isinstance(criterion, Criterion):
        return criterion
    return Criterion(*(criterion._replace(integers=criterion.integers.copy()) if criterion.scratch else criterion))


def _grow(search, criterion, task, settings, weights, nodes, stack, root):
    """Returns the number of nodes."""
    total, left, right, moved = weights[0], weights[1], weights[2], weights[3]
    slots, records, counts = stack.slots, nodes.records, nodes.counts
    key = mix(settings.seed)
    n_root = weight_of(left)
    used, top = 1, 0
    if store.add_leaf(nodes, 0, left, root[1], 0, settings, key):
        store.push(stack, 0, 0, root[0], 0, 0, root[2], root[1], key)
        top = 1
    while top > 0:
        top -= 1
        row, depth, key = slots[top, store.ROW], slots[top, store.DEPTH] + 1, stack.keys[top]
        for k in range(total.shape[0]):
            total[k] = counts[row, k]
        first, last, size = slots[top, store.FIRST], slots[top, store.LAST], slots[top, store.N_SAMPLES]
        node = store.Node(first, last, size, weight_of(total), n_root, slots[top, store.N_FEATURES], key)
        split = search(criterion, task, node, settings, total, top, moved)
        if split[1] < 0:
            continue
        middle, left_size = divide(task, node, split, top, total, left, right)
        right_size = node.size - left_size
        nodes.gains[row] = split[0]
        records[row, store.FEATURE], records[row, store.LEFT] = split[1], used
        records[row, store.LOW], records[row, store.HIGH] = split[2], split[3]
        if records.shape[1] > store.TO_LEFT:
            records[row, store.TO_LEFT] = split[4] if split[4] >= 0 else np.int64(left_size > right_size)
        left_key, right_key = child_key(key, 0), child_key(key, 1)
        left_open = store.add_leaf(nodes, used, left, left_size, depth, settings, left_key)
        right_open = store.add_leaf(nodes, used + 1, right, right_size, depth, settings, right_key)
        lighter = left_open and right_open and left_size <= right_size
        left_slot = top + np.int64(lighter) if left_open else -1
        right_slot = top + np.int64(left_open and not lighter) if right_open else -1
        n_left, n_right = inherit(task, node, split, top, left_slot, right_slot, middle)
        if left_open:
            store.push(stack, left_slot, node.first, middle, depth, used, n_left, left_size, left_key)
        if right_open:
            store.push(stack, right_slot, middle, node.last, depth, used + 1, n_right, right_size, right_key)
        top += np.int64(left_open) + np.int64(right_open)
        used += 2
    return used


@inner_kernel
def weight_of(counts):
    """Sum of class weights, in their order."""
    n = counts[0]
    for k in range(1, counts.shape[0]):
        n += counts[k]
    return n


@inlined_by_class
def candidates(task, node, slot):
    """The features that a node may draw: the first position, behind constant features, the end, and an offset."""
    # The offset is a number of positions that do not count in the numbers of draws.


@inlined_by_class
def exchange(task, slot, position, other):
    """Exchange two features of a node; returns the one that is at `position` then."""


@inlined_by_class
def best_threshold(task, criterion, classes, node, settings, slot, place, feature, empty, total, moved, base, best):
    """Best split of a node by the feature at this position; classes, empty, base and best are as for `scan`.

    Returns the value, the codes next to the threshold (the lower one is NONE if no split exceeds `best`), whether
    missing values go left (-1 where none are missing), and CONSTANT, VARIES or ENOUGH.
    """


def search(criterion_class, classes):
    """The search for one class of criteria; the cache distinguishes kernels by what this function encloses."""
    two = classes.two

    def search(criterion, task, node, settings, total, slot, moved):
        criterion = criterion_class(*criterion)
        limit = ceiling(criterion, total, node.n)
        if two:
            base, empty = origin_two(criterion, total[1], node.n), (np.int64(0),)
        else:
            base, empty = origin(criterion, total, node.n), start(criterion, total, node.n)
        best, value, winner, place = base, base, np.int64(-1), np.int64(0)
        low, high, to_left = np.int64(0), np.int64(0), np.int64(0)
        first, end, offset = candidates(task, node, slot)
        hidden = first - offset if settings.constants_count else np.int64(0)
        position, drawn, varying = first, 0, 0
        while position < end:
            if (drawn if settings.constants_count else varying) >= settings.max_features and varying > 0:
                break
            number = draw(node.key, position - offset - hidden, hidden + end - position) - hidden
            drawn += 1
            if number < 0:  # one of the constant features
                hidden -= 1
                continue
            feature = exchange(task, slot, position, position + number)
            v, below, above, missing_left, status = best_threshold(
                task, criterion, classes, node, settings, slot, position, feature, empty, total, moved, base, best
            )
            position += 1
            if status == CONSTANT:
                exchange(task, slot, first, position - 1)
                first += 1
                continue
            varying += 1
            if below == NONE:
                continue
            value, winner, place, low, high, to_left = v, feature, position - 1, below, above, missing_left
            best = base + (value - base) * (1.0 + TIE)
            if value - base >= limit * (1.0 - TIE) or status == ENOUGH:  # both children pure
                break
        weight, floor = unit(criterion, node.n, node.n_root), tolerance(criterion, limit, node.n, node.n_root)
        if value - base <= max(floor, settings.min_impurity_decrease * weight):
            winner = np.int64(-1)
        return (value - base) / weight, winner, low, high, to_left, first, place

    return search
