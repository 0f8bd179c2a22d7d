"""A way to grow trees: a driver that is compiled once, and a search for splits that is compiled for each criterion."""

import functools

import numpy as np
from numba import typeof, types

from ironbark.criteria.base import Criterion
from ironbark.jit import compiled, first_class
from ironbark.tree.nodes import Node, Nodes, new_nodes, new_stack

NODE = Node(0, 0, 0, 0, 0, np.uint64(0))


class Grower:
    """Kernels of one way to grow trees, compiled when they are first needed.

    Parameters
    ----------
    search : function
        Makes the search for a class of criteria and None or 2, the number of classes if kernels shall know it. It takes
        criterion, task, node, settings, class counts of the node, `place`, the node's slot in it, and an array for
        class counts.
    split : numba type
        What a search returns.
    drive : function
        Takes a search, its arguments and what else is in `grow`; returns the number of nodes.
    """

    def __init__(self, search, split, drive):
        self._search = search
        self._split = split
        self._driver = functools.cache(lambda *signature: compiled(drive, signature))
        #: (criterion, two classes, what the caller says of its types) -> search and driver.
        self.kernels = {}

    def grow(self, criterion, kind, task, place, labels, n_classes, settings, *rest):
        """Grow a tree.

        Parameters
        ----------
        criterion : Criterion
        kind : tuple
            Tells apart what has other types; asking numba takes longer than to grow a small tree.
        task : NamedTuple
            Arrays that all nodes share.
        place : NamedTuple or ndarray
            What each slot of the stack knows of the features.
        labels : ndarray of shape (n_samples,)
            Of `pack_labels`.
        n_classes : int
        settings : Settings
        rest : arrays
            What else the driver takes.

        Returns
        -------
        Nodes
        """
        if criterion.scratch:
            criterion = criterion._replace(integers=criterion.integers.copy())
        fields, nodes, stack = Criterion(*criterion), new_nodes(len(labels), n_classes, settings), new_stack(labels)
        total, left, moved = (np.zeros(n_classes, np.int64) for _ in range(3))
        arguments = fields, task, settings, total, place, moved, left, labels, nodes, stack, *rest
        kind = type(criterion), n_classes == 2, *kind
        if kind not in self.kernels:
            search_types = tuple(map(typeof, (fields, task, NODE, settings, total, place, 0, moved)))
            function = types.FunctionType(self._split(*search_types))
            driver = self._driver(function, *map(typeof, arguments))
            search = self._search(type(criterion), 2 if n_classes == 2 else None)
            self.kernels[kind] = first_class(search, search_types, self._split, criterion.cached), driver
        search, driver = self.kernels[kind]
        used = driver(search, *arguments)
        return Nodes(*(column[:used].copy() for column in nodes))
