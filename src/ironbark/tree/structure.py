"""A grown tree as arrays, under scikit-learn's attribute names, and walking it."""

from dataclasses import dataclass

import numpy as np

from ironbark.jit import kernel
from ironbark.tree.nodes import FEATURE, HIGH, LEAF, LEFT, LOW, PREDICTION, RIGHT


@dataclass(frozen=True, eq=False)
class Tree:
    """Nodes of a tree; row 0 is the root, children stand behind their parents.

    Attributes
    ----------
    children_left, children_right : ndarray of shape (node_count,), int32
        Rows of the children, -1 in leaves.
    feature : ndarray of shape (node_count,), int32
        Feature of the split, -1 in leaves.
    threshold : ndarray of shape (node_count,), float64
        Samples with ``x <= threshold`` go left; NaN in leaves.
    counts : ndarray of shape (node_count, n_classes), int64
        Weight of each class.
    prediction : ndarray of shape (node_count,), uint8
        Majority class; ties were drawn once.
    gain : ndarray of shape (node_count,), float64
        Gain of the split as the criterion defines it, 0 in leaves.
    weighted : bool
        Whether gains are weighted by the node's share of the samples already, as those of impurities are.
    """

    children_left: np.ndarray
    children_right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    counts: np.ndarray
    prediction: np.ndarray
    gain: np.ndarray
    weighted: bool = True

    @classmethod
    def from_nodes(cls, nodes, features, weighted=True):
        """Tree of a grower's nodes, on the levels of `features`."""
        records = nodes.records
        feature = records[:, FEATURE]
        start = features.offsets[np.maximum(feature, 0)]
        inner = feature != LEAF
        low = features.levels[np.where(inner, start + records[:, LOW], 0)]
        high = features.levels[np.where(inner, start + records[:, HIGH], 0)]
        middle = 0.5 * low + 0.5 * high
        threshold = np.where((middle >= low) & (middle < high), middle, low)  # neighbouring floats have no midpoint
        threshold[~inner] = np.nan
        return cls(
            records[:, LEFT].astype(np.int32),
            records[:, RIGHT].astype(np.int32),
            feature.astype(np.int32),
            threshold,
            nodes.counts,
            records[:, PREDICTION].astype(np.uint8),
            nodes.gains,
            weighted,
        )

    @property
    def node_count(self):
        return len(self.feature)

    @property
    def n_leaves(self):
        return int((self.feature == LEAF).sum())

    @property
    def max_depth(self):
        """Number of splits on the longest path; 0 for a single leaf."""
        return int(node_depths(self.children_left, self.children_right).max())

    @property
    def proportions(self):
        """Class proportions of each node, ndarray of shape (node_count, n_classes)."""
        return self.counts / self.counts.sum(axis=1, keepdims=True)

    def importances(self, n_features):
        """Gain of the splits on each feature, weighted by the node's share of the samples, summing to one.

        Returns
        -------
        ndarray of shape (n_features,), float64
            Zeros for a tree without splits.
        """
        inner = self.feature != LEAF
        size = self.counts.sum(axis=1)
        gain = self.gain if self.weighted else self.gain * size / size[0]
        total = np.bincount(self.feature[inner], gain[inner], minlength=n_features)
        return total / total.sum() if total.sum() > 0 else total

    def apply(self, X):
        """Row of the leaf that each sample falls into.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float32 or float64, C order

        Returns
        -------
        ndarray of shape (n_samples,), int64
        """
        leaves = np.empty(len(X), np.int64)
        walk(X, self.feature, self.threshold, self.children_left, self.children_right, leaves)
        return leaves


@kernel
def walk(X, feature, threshold, left, right, leaves):
    """Write the leaf of each row of X."""
    for i in range(X.shape[0]):
        row = 0
        while feature[row] != LEAF:
            row = left[row] if X[i, feature[row]] <= threshold[row] else right[row]
        leaves[i] = row


@kernel
def node_depths(left, right):
    """Depth of each node; the root has 0."""
    depths = np.zeros(left.shape[0], np.int64)
    for row in range(left.shape[0]):
        if left[row] != LEAF:
            depths[left[row]] = depths[row] + 1
            depths[right[row]] = depths[row] + 1
    return depths
