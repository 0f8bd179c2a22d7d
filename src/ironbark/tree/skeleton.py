"""What all grown trees have in common: their splits and how nodes hang together."""

from functools import cached_property

import numpy as np

from ironbark.jit import kernel
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.traversal import pack

UNDEFINED = -2  # scikit-learn's mark for the feature and the threshold of a leaf


class Skeleton:
    """Base of trees whose nodes are arrays under scikit-learn's names.

    A subclass has `children_left`, `children_right`, `feature` and `threshold`, each of shape (node_count,).
    """

    n_outputs = 1

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "packed"}

    @cached_property
    def packed(self):
        """The nodes as `ironbark.tree.traversal.walk` reads them."""
        return pack(self)

    @property
    def node_count(self):
        return len(self.feature)

    @property
    def n_leaves(self):
        return int((self.children_left == LEAF).sum())

    @property
    def max_depth(self):
        """Number of splits on the longest path; 0 for a single leaf."""
        return int(self.depths().max())

    def depths(self):
        """Number of splits above each node, ndarray of shape (node_count,), int64."""
        return node_depths(self.children_left, self.children_right)


def thresholds(levels, low, high, inner):
    """Midpoints of the values on both sides of each split, `UNDEFINED` in leaves.

    Parameters
    ----------
    levels : ndarray of shape (n_levels,), float64
        Distinct values of all features.
    low, high : ndarray of shape (node_count,), int
        Places in `levels`; those of leaves do not count.
    inner : ndarray of shape (node_count,), bool

    Returns
    -------
    ndarray of shape (node_count,), float64
    """
    low, high = levels[np.where(inner, low, 0)], levels[np.where(inner, high, 0)]
    middle = 0.5 * low + 0.5 * high
    middle = np.where((middle >= low) & (middle < high), middle, low)  # neighbouring floats have no midpoint
    middle[~inner] = UNDEFINED
    return middle


@kernel
def node_depths(left, right):
    """Depth of each node; the root has 0."""
    depths = np.zeros(left.shape[0], np.int64)
    for row in range(left.shape[0]):
        if left[row] != LEAF:
            depths[left[row]] = depths[row] + 1
            depths[right[row]] = depths[row] + 1
    return depths
