"""Estimators that grow whole trees from seed 0, and what tests of trees share."""

from functools import partial

import numpy as np

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier

Tree = partial(RobustDecisionTreeClassifier, ccp_alpha=0.0, random_state=0)
Forest = partial(RobustRandomForestClassifier, ccp_alpha=0.0, random_state=0)
COLUMNS = ("children_left", "children_right", "feature", "threshold", "counts", "prediction", "gain")


def assert_same(a, b):
    """Every array of two trees is the same, row by row."""
    for name in COLUMNS:
        one, other = getattr(a, name), getattr(b, name)
        assert np.array_equal(one, other) and one.dtype == other.dtype, name
    for name in ("n_features", "weighted", "criterion", "parameters"):
        assert getattr(a, name) == getattr(b, name), name


def trees_of(estimator):
    return [estimator.tree_] if hasattr(estimator, "tree_") else estimator.trees_


def assert_same_trees(one, other):
    """All trees of two estimators are the same."""
    for a, b in zip(trees_of(one), trees_of(other), strict=True):
        assert_same(a, b)


def continuous(n_classes=3, n=2000):
    """Data on which scikit-learn grows the same trees if they are shallow: float32, and no two splits tie."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    return X, np.digitize(X[:, 0] + X[:, 1] ** 2 + 0.4 * rng.normal(size=n), np.linspace(0, 2, n_classes - 1))
