"""Grown trees as arrays, under scikit-learn's attribute names."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix, get_index_dtype

from ironbark.tree.cost_complexity import node_impurities
from ironbark.tree.growing.nodes import FEATURE, HIGH, LEAF, LEFT, LOW, PREDICTION, SIZE, TO_LEFT
from ironbark.tree.traversal import climb, pack, walk, walk_missing

UNDEFINED = -2  # scikit-learn's mark for the feature and the threshold of a leaf


class Skeleton:
    """Base of trees whose nodes are arrays under scikit-learn's names: children, feature, threshold, missing values."""

    n_outputs = 1
    levels = None  # which levels of categorical features go left, if a tree has such splits

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

    def apply(self, X, missing=None):
        """Row of the leaf of each sample of a float array in C order, int64; `missing` says whether X may hold NaN."""
        leaves = np.empty(len(X), np.int64)
        if self.levels is not None or (np.isnan(X).any() if missing is None else missing):
            columns = self.feature, self.threshold, self.children_left, self.children_right, self.missing_go_to_left
            walk_missing(X, *columns, np.empty((0, 0), np.uint64) if self.levels is None else self.levels, leaves)
        else:
            walk(X, self.packed, leaves)
        return leaves

    def parents(self):
        """Row of each node's parent, -1 for the root; ndarray of shape (node_count,), int32."""
        result, inner = np.full(self.node_count, LEAF, np.int32), np.flatnonzero(self.children_left != LEAF)
        result[self.children_left[inner]] = result[self.children_right[inner]] = inner
        return result

    def depths(self):
        """Number of splits above each node, ndarray of shape (node_count,), int64."""
        result, rows, depth = np.zeros(self.node_count, np.int64), np.zeros(1, np.int64), 0
        while len(rows):
            result[rows] = depth
            rows = rows[self.children_left[rows] != LEAF]
            rows = np.concatenate([self.children_left[rows], self.children_right[rows]])
            depth += 1
        return result


@dataclass(frozen=True, eq=False)
class Tree(Skeleton):
    """Nodes of a tree; row 0 is the root, children stand behind their parents.

    Names, shapes and the marks of leaves are those of scikit-learn's ``tree_``, so that what walks its trees can walk
    this one. Sizes of nodes are sums of the sample weights; how many distinct samples they come from is not kept.

    Attributes
    ----------
    children_left, children_right : ndarray of shape (node_count,), int32
        Rows of the children, -1 in leaves.
    feature : ndarray of shape (node_count,), int32
        Feature of the split, -2 in leaves.
    threshold : ndarray of shape (node_count,), float64
        Samples with ``x <= threshold`` go left; -2.0 in leaves.
    counts : ndarray of shape (node_count, n_classes), int32, or float64 where weights are no integers
        Weight of each class; int64 where the weights add up to 2**31 or more.
    prediction : ndarray of shape (node_count,), uint8
        Majority class; ties were drawn once.
    gain : ndarray of shape (node_count,), float64
        Gain of the split as the criterion defines it, 0 in leaves.
    n_features : int
    weighted : bool
        Whether gains are weighted by the node's share of the samples already, as those of impurities are.
    criterion : str
    parameters : dict
        Value of the criterion's parameter by name; empty if it has none.
    directions : ndarray of shape (node_count,), uint8, or None
        `missing_go_to_left`, where a grower has seen to it.
    sizes : ndarray of shape (node_count,), int64, or None
        Number of samples of each node where weights are no integers, else None.
    levels : ndarray of shape (node_count, n_words), uint64, or None
        Where a split of a categorical feature, whose threshold is NaN, sends its levels: bit ``v % 64`` of word
        ``v // 64`` is 1 if level v goes left. None in a tree without such splits.
    """

    children_left: np.ndarray
    children_right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    counts: np.ndarray
    prediction: np.ndarray
    gain: np.ndarray
    n_features: int
    weighted: bool = True
    criterion: str = "gini"
    parameters: dict = field(default_factory=dict)
    directions: np.ndarray | None = None
    sizes: np.ndarray | None = None
    levels: np.ndarray | None = None

    @classmethod
    def from_nodes(cls, nodes, features, n_classes, weighted, counted=True, single=False, sets=None):
        """Tree of a grower's nodes, on the levels of `features`; `counted` weights are integers."""
        records, counts = nodes.records, nodes.counts[:, :n_classes]  # kernels count two classes even if there is one
        feature, left = records[:, FEATURE].astype(np.int32), records[:, LEFT].astype(np.int32)
        leaf = np.flatnonzero(feature == LEAF)
        start = features.offsets.take(feature)  # in leaves, whose columns are -1, behind the last level
        low, high, by_set, levels = start + records[:, LOW], start + records[:, HIGH], None, None
        if sets is not None:
            by_set = features.categorical.take(feature) & (feature != LEAF)
            low, high = np.where(by_set, start, low), np.where(by_set, start, high)
        threshold = thresholds(features.levels, low, high, leaf, single)
        if by_set is not None and by_set.any():
            threshold[by_set] = np.nan
            levels = sets[(left - 1) // 2] * by_set[:, None]  # splits are in the order of their children
        right = left + np.int32(1)
        right[leaf], feature[leaf] = LEAF, UNDEFINED
        prediction, directions, sizes = records[:, PREDICTION].astype(np.uint8), None, None
        if records.shape[1] > TO_LEFT:
            directions = records[:, TO_LEFT].astype(np.uint8)
        if not counted:
            sizes = records[:, SIZE].copy()
        elif counts.dtype == np.float64:
            counts = np.rint(counts).astype(np.int64)
        columns = left, right, feature, threshold, compact(counts), prediction, nodes.gains.copy()
        return cls(*columns, features.shape[1], weighted, directions=directions, sizes=sizes, levels=levels)

    @property
    def capacity(self):
        return len(self.feature)

    @property
    def n_classes(self):
        """Number of classes, as scikit-learn has it: ndarray of shape (1,), for one output."""
        return np.array([self.counts.shape[1]])

    @property
    def max_n_classes(self):
        return self.counts.shape[1]

    @property
    def n_node_samples(self):
        """Size of each node as stopping rules count it: the sum of integer weights, else the number of samples."""
        return self.counts.sum(axis=1) if self.sizes is None else self.sizes

    @property
    def missing_go_to_left(self):
        """Whether missing values go left: as learnt, or to the larger child; ndarray of shape (node_count,), uint8."""
        if self.directions is not None:
            return self.directions
        size, inner = self.n_node_samples, self.children_left != LEAF
        return (inner & (size[self.children_left] > size[self.children_right])).astype(np.uint8)

    @property
    def weighted_n_node_samples(self):
        """Weight of each node, ndarray of shape (node_count,), float64."""
        return self.counts.sum(axis=1).astype(np.float64)

    @property
    def proportions(self):
        """Class proportions of each node, ndarray of shape (node_count, n_classes)."""
        return self.counts / self.counts.sum(axis=1, keepdims=True)

    @property
    def value(self):
        """Class proportions of each node, ndarray of shape (node_count, 1, n_classes)."""
        return self.proportions[:, None, :]

    @property
    def impurity(self):
        """Impurity of each node, ndarray of shape (node_count,), float64.

        It is in the units of the criterion's definition, so entropy is in nats. The criteria "twoing", "credal" and
        "pairwise_gain" judge pairs of children and give a single node no impurity; here it has its Gini impurity.
        """
        return node_impurities(self.criterion, self.parameters, self.counts)

    def importances(self):
        """Share of each feature in the gain of the splits, weighted by the share of samples; zeros without splits."""
        inner = self.children_left != LEAF
        size = self.counts.sum(axis=1)
        gain = self.gain if self.weighted else self.gain * size / size[0]
        total = np.bincount(self.feature[inner], gain[inner], minlength=self.n_features)
        return total / total.sum() if total.sum() > 0 else total

    def decision_path(self, X, missing=None):
        """Nodes that each sample passes through, csr_matrix of shape (n_samples, node_count), int64, of ones."""
        leaves = self.apply(X, missing)
        ends = np.cumsum(self.depths()[leaves] + 1)
        starts, indices = np.concatenate([[0], ends]), np.empty(ends[-1], get_index_dtype(maxval=ends[-1]))
        climb(self.parents(), leaves, ends, indices)
        return csr_matrix((np.ones(ends[-1], np.int64), indices, starts), shape=(len(X), self.node_count))


def compact(counts):
    """Class counts, if they are integers, in a type that holds their sums: they are most of what a large tree keeps."""
    narrow = counts.dtype.kind == "i" and counts[0].sum() < 2**31
    return counts.astype(np.int32 if narrow else counts.dtype, order="C")


def thresholds(levels, low, high, leaf, single=False):
    """Midpoints, in float32 if `single`, of levels; infinity where only NaN go right, and `UNDEFINED` in leaves."""
    low, high = levels.take(low), levels.take(high)
    middle = 0.5 * low + 0.5 * high
    if single:
        middle = middle.astype(np.float32).astype(np.float64)
    else:
        middle = np.where((middle >= low) & (middle < high), middle, low)  # neighbouring floats have no midpoint
    middle[np.isnan(high)] = np.inf
    middle[leaf] = UNDEFINED
    return middle
