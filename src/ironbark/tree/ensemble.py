"""The trees of a fitted forest: what they predict together, as estimators, and kept by a warm start."""

import warnings

import numpy as np
from scipy.sparse import hstack
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t
from ironbark.errors import InputError
from ironbark.tree.classifier import RobustDecisionTreeClassifier
from ironbark.tree.growing.bootstrap import fitted_bags
from ironbark.tree.size_selection import is_chosen
from ironbark.tree.traversal import proportions


class TreeEnsemble:
    """Predictions of an estimator that has `trees_`, and scikit-learn's attributes of them, made when asked for."""

    def predict_proba(self, X: t.Features) -> t.Floats:
        """Mean over the trees of the class proportions of each sample's leaf; of shape (n_samples, n_classes)."""
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
        """Mean of the features' shares in the weighted gain of trees with splits; ndarray of shape (n_features,)."""
        check_is_fitted(self)
        shares = [share for share in (tree.importances() for tree in self.trees_) if share.any()]
        return np.mean(shares or np.zeros((1, self.n_features_in_)), axis=0)

    def get_n_leaves(self) -> float:
        """Mean number of leaves of the trees."""
        check_is_fitted(self)
        return float(np.mean([tree.n_leaves for tree in self.trees_]))

    def get_depth(self) -> float:
        """Mean depth of the trees."""
        check_is_fitted(self)
        return float(np.mean([tree.max_depth for tree in self.trees_]))

    @property
    def estimator_(self) -> RobustDecisionTreeClassifier:
        """An unfitted tree with the parameters that all trees have."""
        check_is_fitted(self)
        names = RobustDecisionTreeClassifier().get_params()
        tree = RobustDecisionTreeClassifier(**{name: getattr(self, name) for name in names})
        return tree.set_params(random_state=None, ccp_alpha=self.ccp_alpha_)

    @property
    def estimators_(self) -> list[RobustDecisionTreeClassifier]:
        """The trees as estimators."""
        check_is_fitted(self)
        names = {"ccp_alpha_", "classes_", "n_classes_", "n_features_in_", "categories_", "is_categorical_"}
        fitted = {name: value for name, value in vars(self).items() if name in names}
        members = [self.estimator_.set_params(random_state=int(seed)) for seed in self.seeds_]
        for member, tree in zip(members, self.trees_, strict=True):
            vars(member).update(fitted, tree_=tree)
        return members

    @property
    def estimators_samples_(self) -> list[t.Integers]:
        """Samples that each tree was grown on, ascending, as often as they were drawn."""
        check_is_fitted(self)
        if not self.digest_ or not hasattr(self, "n_samples_"):
            raise AttributeError(
                "estimators_samples_ needs the labels of one training set for all trees, but a warm start went on with "
                "another one, y held probabilities, or an earlier version of ironbark saved the forest; fit again."
            )
        samples = np.arange(self.n_samples_)
        if not hasattr(self, "n_draws_"):
            return [samples for _ in self.trees_]
        bags = fitted_bags(self)
        return [np.repeat(samples, bags.counts(seed)) for seed in self.seeds_]

    def _kept_trees(self):
        """The trees that the next fit keeps, as they were grown, or pruned with no larger alpha than the next."""
        if not self.warm_start or not hasattr(self, "trees_"):
            return []
        if self.n_estimators < len(self.trees_):
            raise ValueError(
                f"n_estimators={self.n_estimators} is less than the {len(self.trees_)} trees that warm_start keeps."
            )
        if self.n_estimators == len(self.trees_):
            warnings.warn("warm_start without a larger n_estimators grows no trees.", stacklevel=4)
        kept = getattr(self, "_whole_trees", self.trees_)
        pruned = kept is self.trees_ and self.ccp_alpha_ > 0
        if pruned and (is_chosen(self.ccp_alpha) or self.ccp_alpha < self.ccp_alpha_):
            raise InputError(
                f"the trees that warm_start keeps were pruned with ccp_alpha={self.ccp_alpha_:g}; set warm_start=True "
                "before the first fit, or give a number as ccp_alpha that is no smaller."
            )
        return kept

    def _refusal(self, before, digest):
        """Why trees cannot be kept for data of this digest, whose classes and features are set; None if they can."""
        now = vars(self)
        names = ["classes_", "n_features_in_", "is_categorical_"]
        names += ["feature_names_in_"] if "feature_names_in_" in now.keys() & before.keys() else []
        same = all(np.array_equal(now.get(name), before.get(name)) for name in names)
        if not same or now.get("categories_") != before.get("categories_"):
            return "y has other classes, or X other features or texts, than the trees that warm_start keeps."
        if digest == self.digest_ or not (self.oob_score or is_chosen(self.ccp_alpha)):
            return None
        return (
            f"{'oob_score' if self.oob_score else 'the choice of ccp_alpha'} needs the samples that all trees were "
            "drawn from, but warm_start keeps trees of other samples than X and y, or of other weights or max_samples; "
            "fit with warm_start=False, or with oob_score=False and a number as ccp_alpha."
        )
