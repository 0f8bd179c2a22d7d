"""Missing values: against scikit-learn, and by hand; against the naive tree in the tests of growth."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tree.shared import Tree, continuous, with_gaps


def problem(n_classes=3, n=2000, share=0.15, seed=0):
    """No two splits tie; some of the missing values are where the first feature is large."""
    X, y = continuous(n_classes, n, seed)
    X[(X[:, 0] > 0.8) & (np.arange(n) % 2 == 0), 2] = np.nan
    return with_gaps(X, share, seed), y


def splits(tree, row=0):
    """Inner nodes from left to right, without pure ones, which scikit-learn splits where weights are rounded."""
    if tree.children_left[row] == -1 or tree.impurity[row] < 1e-9:
        return []
    return [row, *splits(tree, tree.children_left[row]), *splits(tree, tree.children_right[row])]


@pytest.mark.parametrize("rule", [{"max_depth": 5, "min_samples_leaf": 5}, {"min_samples_leaf": 15}], ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_trees_are_those_of_scikit_learn(criterion, n_classes, rule):
    for seed in range(3):
        X, y = problem(n_classes, seed=seed)
        weights = np.random.default_rng(seed).uniform(0.5, 1.5, len(y))  # so that no two splits tie
        ours = Tree(criterion, **rule).fit(X, y, weights)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **rule).fit(X, y, weights)
        new, _ = problem(n_classes, 5000, 0.3, seed + 10)
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
        one, other = ours.tree_, theirs.tree_
        rows, others = splits(one), splits(other)
        assert len(rows) > 15
        for name in ("feature", "missing_go_to_left", "n_node_samples"):
            assert np.array_equal(getattr(one, name)[rows], getattr(other, name)[others]), name
        np.testing.assert_allclose(one.threshold[rows], other.threshold[others], rtol=1e-6)


def test_a_gap_may_be_all_that_tells_the_classes_apart():
    X = np.array([[1.0], [2.0], [np.nan], [3.0], [np.nan]])
    tree = Tree().fit(X, ["a", "a", "b", "a", "b"])
    assert tree.tree_.threshold.tolist() == [np.inf, -2, -2]
    assert tree.tree_.missing_go_to_left.tolist() == [0, 0, 0]
    assert tree.predict([[1e300], [np.nan], [-5.0]]).tolist() == ["a", "b", "a"]
    assert Tree().fit(np.full((4, 1), np.nan), [0, 1, 0, 1]).get_n_leaves() == 1


@pytest.mark.parametrize("max_features", [None, 2])
def test_gaps_that_training_had_none_of_go_to_the_larger_child(max_features):
    X, y = continuous()
    ours = Tree(max_features=max_features, max_depth=3).fit(X, y)
    gaps = with_gaps(X, 0.4)
    if max_features is None:
        theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(gaps), theirs.predict_proba(gaps))
    tree = ours.tree_
    for x, leaf in zip(gaps[:200], ours.apply(gaps[:200]), strict=True):
        row = 0
        while tree.children_left[row] != -1:
            value, children = x[tree.feature[row]], (tree.children_left[row], tree.children_right[row])
            heavier = children[0] if tree.counts[children[0]].sum() > tree.counts[children[1]].sum() else children[1]
            row = heavier if np.isnan(value) else children[0 if value <= tree.threshold[row] else 1]
        assert row == leaf
