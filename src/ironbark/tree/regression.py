"""Small regression trees on weighted samples, for boosters that grow hundreds of them on the same features."""

from dataclasses import dataclass

import numpy as np

from ironbark.encoding import encode
from ironbark.tree.growing import regression as growth
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.structure import UNDEFINED, Skeleton, thresholds


@dataclass(frozen=True, eq=False)
class RegressionTree(Skeleton):
    """Nodes of a tree under scikit-learn's names, as of `ironbark.tree.structure.Tree`."""

    children_left: np.ndarray
    children_right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    means: np.ndarray  # what a node predicts
    impurity: np.ndarray  # weighted variance of its targets
    n_node_samples: np.ndarray  # of positive weight
    weighted_n_node_samples: np.ndarray
    n_features: int

    @property
    def tree_(self):
        """The nodes, as of scikit-learn's estimators: this object."""
        return self

    @property
    def value(self):
        """What each node predicts, ndarray of shape (node_count, 1, 1), float64, as of scikit-learn's trees."""
        return self.means[:, None, None]

    def predict(self, X):
        """Mean target of the leaf of each sample of a finite float array; ndarray of shape (n_samples,), float64."""
        return self.means[self.apply(np.ascontiguousarray(X), missing=False)]

    def decreases(self):
        """Decrease of the weighted squared error by the splits on each feature, ndarray of shape (n_features,)."""
        error = self.impurity * self.weighted_n_node_samples
        inner = self.feature != UNDEFINED
        left, right = self.children_left[inner], self.children_right[inner]
        gain = np.maximum(error[inner] - error[left] - error[right], 0)
        return np.bincount(self.feature[inner], gain, minlength=self.n_features)


class RegressionGrower:
    """Grows trees on the same finite features, best split first, by the reduction of the weighted squared error."""

    def __init__(self, X, max_leaf_nodes, min_samples_split):
        features = encode(X)
        self.X, self.levels, self.offsets = X, features.levels, features.offsets
        n = X.shape[0]
        self.order = features.codes.astype(np.int64)
        self.order <<= growth.RANK
        self.order |= np.arange(n)
        self.order.sort(axis=1)
        self.lists, self.spare = np.empty_like(self.order), np.empty(n, np.int64)
        self.side, self.leaf_of = np.empty(n, np.uint8), np.empty(n, np.int32)
        self.limits = min(max_leaf_nodes, n), min_samples_split
        self.nodes = np.empty((2 * self.limits[0] - 1, growth.COLUMNS), np.int64)
        self.sums = np.empty((2 * self.limits[0] - 1, growth.SUMS))

    def grow(self, target, weight, features):
        """A `RegressionTree`, and what it predicts for each sample, also for those of weight 0, which it leaves out."""
        # Features are looked at in the order of `features`, and of equally good splits the first is taken.
        kept = weight > 0
        whole = kept.all()
        if whole:
            self.lists[:] = self.order  # growth reorders them
        lists = self.lists if whole else self.order[kept[self.order & growth.SAMPLE]].reshape(len(self.order), -1)
        count = growth.grow(
            lists, features, np.stack([weight, weight * target], axis=1), target, *self.limits, self.nodes, self.sums,
            self.side, self.spare, self.leaf_of,
        )  # fmt: skip
        tree = self._tree(count)
        if whole:
            return tree, tree.means[self.leaf_of]
        values = np.empty(len(weight))
        values[kept] = tree.means[self.leaf_of[kept]]
        values[~kept] = tree.predict(self.X[~kept])
        return tree, values

    def _tree(self, count):
        nodes, sums = self.nodes[:count], self.sums[:count]
        leaf, weight = nodes[:, growth.LEFT] < 0, sums[:, growth.WEIGHT].copy()
        left, feature, low, high = nodes[:, [growth.LEFT, growth.FEATURE, growth.LOW, growth.HIGH]].T
        right, means = left + 1, sums[:, growth.FIRST] / weight
        feature[leaf], left[leaf], right[leaf], low[leaf], high[leaf] = 0, LEAF, LEAF, 0, 0
        start = self.offsets[feature]
        feature[leaf] = UNDEFINED
        left, right, feature = (places.astype(np.int32) for places in (left, right, feature))
        limits = thresholds(self.levels, start + low, start + high, leaf)
        sizes, variance = nodes[:, growth.END] - nodes[:, growth.START], sums[:, growth.SECOND] / weight - means**2
        return RegressionTree(
            left, right, feature, limits, means, np.maximum(variance, 0), sizes, weight, self.X.shape[1]
        )
