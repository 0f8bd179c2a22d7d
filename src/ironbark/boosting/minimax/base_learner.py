"""Rules from any classifier, fitted to weighted samples: on a bootstrap sample, or with the weights themselves."""

from copy import copy

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from ironbark.boosting.stagewise.base import Grower
from ironbark.criteria import resolve
from ironbark.encoding import encode
from ironbark.errors import InputError
from ironbark.tree.base import TreeClassifierBase
from ironbark.tree.classifier import RobustDecisionTreeClassifier

LEAVES, TO_SPLIT = 11, 10  # `max_leaf_nodes` and `min_samples_split` of the trees that estimator=None stands for
FLOOR = 1e-6  # share of the weights that is spread evenly, so that no sample drops out of a weighted tree


class BootstrapLearner:
    """Fits a clone of a classifier, None being a Gini tree, to n draws with replacement, in proportion to weights."""

    # Trees of ironbark get the draws as counts of samples that are encoded once: the same splits in less time.

    randomised = True

    def __init__(self, estimator, leaves, X, random_state):
        tree = RobustDecisionTreeClassifier(ccp_alpha=0.0, max_leaf_nodes=leaves, min_samples_split=TO_SPLIT)
        self.estimator = tree if estimator is None else estimator
        self.X, self.rng = X, check_random_state(random_state)
        is_ours = isinstance(self.estimator, TreeClassifierBase)
        self.features = encode(X) if is_ours and isinstance(self.estimator.categorical_features, str | None) else None
        self.checked = self._checked() if is_plain_tree(self.estimator) else None

    def fit(self, labels, weights):
        """A rule fitted to labels -1 and +1, with weights that are not negative and have any positive sum."""
        counts = self.rng.multinomial(len(weights), weights / weights.sum())
        rows = np.repeat(np.arange(len(counts)), counts)
        if len(np.unique(labels[rows])) == 1:
            return DummyClassifier(strategy="most_frequent").fit(self.X[rows], labels[rows])
        if self.checked is not None:
            rule = copy(self.checked)
            rule.random_state = self.rng.randint(np.iinfo(np.int32).max)  # as `seeded` does
            return rule._fit(self.features, (labels > 0).astype(np.intp), None if (counts == 1).all() else counts)
        rule = seeded(self.estimator, self.rng)
        if self.features is None:
            return rule.fit(self.X[rows], labels[rows])
        return rule.fit(self.features, labels, sample_weight=counts)

    def _checked(self):
        """A tree with the labels -1 and +1 and the features set, so that its copies need no checks in each round."""
        tree = clone(self.estimator)
        tree._validate_params()
        resolve(tree.criterion)
        tree.classes_, tree.n_classes_, tree.n_features_in_ = np.array([-1, 1]), 2, self.X.shape[1]
        return tree


class WeightedLearner:
    """Fits a clone of a classifier, None being the classification tree of the other boosters, with sample weights."""

    randomised = False

    def __init__(self, estimator, leaves, X, random_state):
        self.estimator, self.X, self.rng = estimator, X, check_random_state(random_state)
        self.grower = Grower("classification", X, leaves, TO_SPLIT, self.rng) if estimator is None else None
        if estimator is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise InputError(
                f"{type(self.estimator).__name__} takes no sample_weight in fit, which base='weighted' needs; "
                "use base='bootstrap'."
            )

    def fit(self, labels, weights):
        """A fitted rule; see `BootstrapLearner.fit`."""
        weights = (1 - FLOOR) * (weights / weights.mean()) + FLOOR
        if self.grower is not None:
            return self.grower.grow(labels.astype(np.float64), weights)[0]
        return seeded(self.estimator, self.rng).fit(self.X, labels, sample_weight=weights)


#: Value of the parameter `base` -> learner.
BASES = {"bootstrap": BootstrapLearner, "weighted": WeightedLearner}


def is_plain_tree(rule):
    """Whether a rule, or what rules are made from, is a tree of ironbark that takes samples as boosters hold them."""
    plain = type(rule) is RobustDecisionTreeClassifier and rule.class_weight is None and rule.compat is None
    return plain and isinstance(rule.categorical_features, str | None)


def rule_values(rule, X: np.ndarray) -> np.ndarray:
    """Predictions of a rule."""
    return np.asarray(rule._predict(X, False) if is_plain_tree(rule) else rule.predict(X), dtype=np.float64)


def seeded(estimator, rng):
    """An unfitted clone; each of its parameters called `random_state`, nested ones too, is a seed from `rng`."""
    twin = clone(estimator)
    names = [name for name in sorted(twin.get_params()) if name.split("__")[-1] == "random_state"]
    return twin.set_params(**{name: rng.randint(np.iinfo(np.int32).max) for name in names})
