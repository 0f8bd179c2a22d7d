"""Pruned forests against forests grown under the stricter rules, and scikit-learn's cost-complexity pruning."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tree.shared import COLUMNS, Forest, Tree, assert_same_trees, continuous, tied, trees_of

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier


@pytest.mark.parametrize("bootstrap", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "credal"])
def test_the_path_of_a_forest_is_that_of_forests_grown_anew(criterion, bootstrap):
    X, y = tied(1)
    forest = Forest(4, criterion=criterion, bootstrap=bootstrap, random_state=2, s=0.3)
    whole = forest.fit(X, y)
    for name, values in {"min_samples_split": [2, 8, 40], "max_depth": [None, 6, 1], "ccp_alpha": [0, 0.004]}.items():
        for value, pruned in zip(values, whole.prune_path(**{name: values}), strict=True):
            grown = RobustRandomForestClassifier(**{**forest.get_params(), name: value}).fit(X, y)
            assert pruned.get_params() == grown.get_params()
            assert_same_trees(pruned, grown)


def test_pruned_copies_share_nothing_that_can_be_changed():
    X, y = tied(2)
    options = {"criterion": "negative_exponential", "lam": 0.5, "random_state": 0}
    for estimator in (Tree(**options), Forest(2, **options)):
        whole = estimator.fit(X, y)
        before = whole.predict_proba(X)
        [copy] = whole.prune_path(min_samples_split=[2])
        for tree in trees_of(copy):
            for name in COLUMNS:
                getattr(tree, name)[:] = 0
            tree.parameters["lam"] = 3
        copy.classes_[:] = 9
        assert np.array_equal(whole.predict_proba(X), before)
        assert set(whole.predict(X)) <= {0, 1, 2}
        assert [tree.parameters["lam"] for tree in trees_of(whole)] == [0.5] * len(trees_of(whole))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("criterion", "unit"), [("gini", 1.0), ("entropy", np.log(2))])
def test_cost_complexity_pruning_is_that_of_scikit_learn(criterion, unit, n_classes):
    X, y = continuous(n_classes)
    options = {"criterion": criterion, "max_depth": 4}
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    for weight in (None, weights):
        ours = Tree(**options).cost_complexity_pruning_path(X, y, weight)
        theirs = DecisionTreeClassifier(**options, random_state=0).cost_complexity_pruning_path(X, y, weight)
        np.testing.assert_allclose(ours.ccp_alphas, unit * theirs.ccp_alphas, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(ours.impurities, unit * theirs.impurities, rtol=1e-9)
    assert len(ours.ccp_alphas) > 8
    for alpha in (0.0005, 0.002, 0.01, 0.5):
        ours = RobustDecisionTreeClassifier(criterion, max_depth=4, ccp_alpha=unit * alpha).fit(X, y)
        theirs = DecisionTreeClassifier(**options, ccp_alpha=alpha, random_state=0).fit(X, y)
        assert ours.tree_.node_count == theirs.tree_.node_count
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    assert ours.tree_.node_count == 1


@pytest.mark.parametrize("leaves", [2, 3, 7, 20, 1000])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_best_first_trees_are_scikit_learns(criterion, leaves):
    rng = np.random.default_rng(leaves)
    X = rng.normal(size=(3000, 5)).astype(np.float32).astype(float)
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=3000) > 1).astype(int) + (X[:, 2] > 1)
    limits = {"max_leaf_nodes": leaves, "min_samples_leaf": 60, "random_state": 0}  # no ties among small nodes
    ours = Tree(criterion, **limits).fit(X, y)
    theirs = DecisionTreeClassifier(criterion=criterion, **limits).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves() <= leaves
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
