"""What fitted trees predict together."""

import numpy as np
from scipy.sparse import hstack
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t  # for annotations
from ironbark.tree.traversal import proportions


class AveragedTrees:
    """Predictions and summaries of an estimator that has `trees_` and checks samples by `_check_samples`."""

    def predict_proba(self, X: t.Features) -> t.Floats:
        """Mean over the trees of the class proportions of each sample's leaf.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        X, missing = self._check_samples(X)
        return proportions(self.trees_, X, missing)

    def predict(self, X: t.Features) -> t.Labels:
        """The class of the largest probability; the first one among several."""
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def apply(self, X: t.Features) -> t.Integers:
        """Leaf of each sample in each tree, as a row of that tree; ndarray of shape (n_samples, n_estimators)."""
        samples = self._check_samples(X)
        return np.column_stack([tree.apply(*samples) for tree in self.trees_])

    def decision_path(self, X: t.Features) -> tuple[t.csr_matrix, t.Integers]:
        """Nodes that each sample passes through, in all trees.

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, number of nodes of all trees), int64
            1 where the sample passes through the node.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,), int64
            Columns ``n_nodes_ptr[i]:n_nodes_ptr[i + 1]`` are the nodes of tree i.
        """
        samples = self._check_samples(X)
        paths = [tree.decision_path(*samples) for tree in self.trees_]
        return hstack(paths, format="csr"), np.cumsum([0, *(path.shape[1] for path in paths)])

    @property
    def feature_importances_(self) -> t.Floats:
        """Mean over the trees of the features' shares in the weighted gain; ndarray of shape (n_features,)."""
        check_is_fitted(self)
        return np.mean([tree.importances() for tree in self.trees_], axis=0)

    def get_n_leaves(self) -> float:
        """Mean number of leaves of the trees."""
        return float(np.mean([tree.n_leaves for tree in self.trees_]))

    def get_depth(self) -> float:
        """Mean depth of the trees."""
        return float(np.mean([tree.max_depth for tree in self.trees_]))
