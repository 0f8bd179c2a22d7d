"""The trees of a forest as estimators, and the samples that each one was grown on."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t  # for annotations
from ironbark.tree.classifier import RobustDecisionTreeClassifier
from ironbark.tree.growing.bootstrap import fitted_bags


class Members:
    """Attributes that scikit-learn's forests have for their trees, made from `trees_` and `seeds_` when asked for."""

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
        return [self._member(tree, int(seed)) for tree, seed in zip(self.trees_, self.seeds_, strict=True)]

    def _member(self, tree, seed):
        """One of the trees as an estimator."""
        member = self.estimator_.set_params(random_state=seed)
        member.ccp_alpha_ = self.ccp_alpha_
        member.classes_, member.n_classes_ = self.classes_, self.n_classes_
        member.n_features_in_, member.tree_ = self.n_features_in_, tree
        return member

    @property
    def estimators_samples_(self) -> list[t.Integers]:
        """Samples that each tree was grown on, ascending, as often as they were drawn."""
        check_is_fitted(self)
        if not self.digest_ or not hasattr(self, "n_samples_"):
            raise AttributeError(
                "estimators_samples_ needs the training set of all trees, but a warm start went on with another one, "
                "or an earlier version of ironbark saved the forest; fit again."
            )
        samples = np.arange(self.n_samples_)
        if not hasattr(self, "n_draws_"):
            return [samples for _ in self.trees_]
        bags = fitted_bags(self)
        return [np.repeat(samples, bags.counts(seed)) for seed in self.seeds_]
