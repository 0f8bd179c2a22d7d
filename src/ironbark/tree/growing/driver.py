"""Growing a tree depth first: one driver for all ways, and a search for splits that is compiled for each criterion.

A way to grow is a NamedTuple of the arrays that all nodes share, with the operations below as static methods.
"""

import functools

import numba
import numpy as np
from numba import typeof, types

from ironbark.criteria.base import Criterion
from ironbark.jit import compiled, first_class, inlined_by_class, inner_kernel
from ironbark.tree.growing.feature_sampling import child_key, mix
from ironbark.tree.growing.nodes import (
    DEPTH,
    FEATURE,
    FIRST,
    HIGH,
    LAST,
    LEFT,
    LOW,
    N_FEATURES,
    N_SAMPLES,
    ROW,
    TO_LEFT,
    Node,
    Nodes,
    add_leaf,
    new_nodes,
    new_stack,
    push,
)

#: What a search returns: gain, feature or -1, largest code that goes left, smallest that goes right, whether missing
#: values go left (-1 where none are missing: then the larger child will have them), and a number that is the way's own.
SPLIT = types.Tuple((types.float64, *[types.int64] * 5))


@inlined_by_class
def divide(task, node, split, slot, total, left, right):
    """Stable partition of the node's samples; writes the class weights of both parts.

    Parameters
    ----------
    split : tuple
        Of the search.
    slot : int
        Of the node in the stack.
    total, left, right : ndarray of shape (n_classes,)

    Returns
    -------
    middle : int
        Where the right part starts.
    left_size : int
    """


@inlined_by_class
def inherit(task, node, split, slot, left_slot, right_slot, middle):
    """Give the children in these slots, -1 for a final one, what the node knows of the features.

    Returns
    -------
    left, right : int
        `Node.n_features` of both.
    """


class Driver:
    """Kernels of one way to grow trees, compiled when they are first needed.

    Parameters
    ----------
    search : function
        Makes the search for a class of criteria, and for two classes or many. It takes
        criterion, task, node, settings, class weights of the node, its slot, and an array for class weights.
    """

    def __init__(self, search):
        self._search = search
        self._driver = functools.cache(lambda *signature: compiled(_grow, signature))
        #: (criterion, classes, what the caller says of its types) -> search and driver.
        self.kernels = {}

    def grow(self, criterion, criterion_class, classes, kind, task, total, root, settings):
        """Grow a tree.

        Parameters
        ----------
        criterion : NamedTuple
            As the search takes it.
        criterion_class : type
        classes : Many or Two
            What the search is made for.
        kind : tuple
            Tells apart what has other types; asking numba takes longer than to grow a small tree.
        task : NamedTuple
        total : ndarray of shape (n_classes,), int64 or float64
            Class weights of all samples.
        root : tuple of two ints
            Size of the root, and its `Node.n_features`.
        settings : Settings

        Returns
        -------
        Nodes
        """
        missing = bool((task.missing >= 0).any())
        nodes, stack = new_nodes(len(task.samples), total, settings, missing), new_stack(root[0])
        weights = np.zeros((4, len(total)), total.dtype)
        weights[1] = total
        arguments = criterion, task, settings, weights, nodes, stack, root
        kind = criterion_class, type(classes), *kind
        if kind not in self.kernels:
            self.kernels[kind] = self._compile(criterion_class, classes, arguments)
        search, driver = self.kernels[kind]
        used = driver(search, *arguments)
        return Nodes(*(column[:used].copy() for column in nodes))

    def _compile(self, criterion_class, classes, arguments):
        search = self._search(criterion_class, classes)
        if numba.config.DISABLE_JIT:
            return search, _grow
        criterion, task, settings, weights, *_ = arguments
        weight = weights.dtype.type(0).item()
        node = Node(0, 0, 0, weight, weight, 0, np.uint64(0))
        signature = tuple(map(typeof, (criterion, task, node, settings, weights[0], 0, weights[0])))
        cached = getattr(criterion_class, "cached", True)
        function = first_class(search, signature, SPLIT, cached)
        return function, self._driver(types.FunctionType(SPLIT(*signature)), *map(typeof, arguments))


def own(criterion):
    """The fields of a criterion as kernels take them, with scratch of its own if it needs any."""
    return Criterion(*(criterion._replace(integers=criterion.integers.copy()) if criterion.scratch else criterion))


def _grow(search, criterion, task, settings, weights, nodes, stack, root):
    """Returns the number of nodes."""
    total, left, right, moved = weights[0], weights[1], weights[2], weights[3]
    slots, records, counts = stack.slots, nodes.records, nodes.counts
    key = mix(settings.seed)
    n_root = weight_of(left)
    used, top = 1, 0
    if add_leaf(nodes, 0, left, root[0], 0, settings, key):
        push(stack, 0, 0, task.samples.shape[0], 0, 0, root[1], root[0], key)
        top = 1
    while top > 0:
        top -= 1
        row, depth, key = slots[top, ROW], slots[top, DEPTH] + 1, stack.keys[top]
        for k in range(total.shape[0]):
            total[k] = counts[row, k]
        n, n_features = weight_of(total), slots[top, N_FEATURES]
        node = Node(slots[top, FIRST], slots[top, LAST], slots[top, N_SAMPLES], n, n_root, n_features, key)
        split = search(criterion, task, node, settings, total, top, moved)
        if split[1] < 0:
            continue
        middle, left_size = divide(task, node, split, top, total, left, right)
        right_size = node.size - left_size
        nodes.gains[row] = split[0]
        records[row, FEATURE], records[row, LOW], records[row, HIGH], records[row, LEFT] = (
            split[1],
            split[2],
            split[3],
            used,
        )
        if records.shape[1] > TO_LEFT:
            records[row, TO_LEFT] = split[4] if split[4] >= 0 else np.int64(left_size > right_size)
        left_key, right_key = child_key(key, 0), child_key(key, 1)
        left_open = add_leaf(nodes, used, left, left_size, depth, settings, left_key)
        right_open = add_leaf(nodes, used + 1, right, right_size, depth, settings, right_key)
        lighter = left_open and right_open and left_size <= right_size
        left_slot = top + np.int64(lighter) if left_open else -1
        right_slot = top + np.int64(left_open and not lighter) if right_open else -1
        n_left, n_right = inherit(task, node, split, top, left_slot, right_slot, middle)
        if left_open:
            push(stack, left_slot, node.first, middle, depth, used, n_left, left_size, left_key)
        if right_open:
            push(stack, right_slot, middle, node.last, depth, used + 1, n_right, right_size, right_key)
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
