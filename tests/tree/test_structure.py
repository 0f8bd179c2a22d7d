"""Fitted trees: thresholds, attributes, leaves of samples, and sums of trees against one tree after the other."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tree.shared import Forest, Tree, continuous

from ironbark.tree.regression import RegressionGrower
from ironbark.tree.traversal import ABREAST, BLOCK, total_score

PAIRS = [
    (1.0, np.nextafter(1, 2)),
    (-5e-324, 0.0),
    (0.0, 5e-324),
    (5e-324, 1e-323),
    (-1.7e308, 1.7e308),
    (1.6e308, 1.7e308),
    (-0.0, 1.0),
    (2.0**53 - 1, 2.0**53),
]


@pytest.mark.parametrize(("low", "high"), PAIRS)
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_threshold_parts_any_two_distinct_values(low, high, mirrored):
    low, high = (-high, -low) if mirrored else (low, high)
    for max_features in (None, 1):
        X = np.array([[low, 0.0], [high, 0.0], [low, 0.0]])
        tree = Tree(max_features=max_features).fit(X, [0, 1, 0])
        assert low <= tree.tree_.threshold[0] < high
        assert tree.predict(X).tolist() == [0, 1, 0]


def by_sample(tree, X, name):
    """An attribute of the nodes that each sample passes through, in the order of the path."""
    path = tree.decision_path(X)
    return [getattr(tree, name)[path.indices[a:b]] for a, b in zip(path.indptr, path.indptr[1:], strict=False)]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_attributes_are_those_of_scikit_learn(n_classes):
    X, y = continuous(n_classes)
    ours = Tree(max_depth=4).fit(X, y).tree_
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y).tree_
    for name in ("n_features", "n_outputs", "max_n_classes", "capacity", "node_count", "n_leaves", "max_depth"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.n_classes.tolist() == theirs.n_classes.tolist() == [n_classes]
    for name in ("feature", "n_node_samples", "weighted_n_node_samples", "value", "impurity", "threshold"):
        assert getattr(ours, name).shape == getattr(theirs, name).shape
        for a, b in zip(by_sample(ours, X, name), by_sample(theirs, X, name), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-12, err_msg=name)
    leaves = theirs.children_left == -1
    assert np.unique(theirs.feature[leaves]).tolist() == np.unique(ours.feature[ours.children_left == -1]).tolist()
    assert np.isin(ours.n_node_samples, theirs.n_node_samples).all()


def leaf(tree, x):
    row = 0
    while tree.children_left[row] >= 0:
        goes_left = float(x[tree.feature[row]]) <= tree.threshold[row]
        row = (tree.children_left if goes_left else tree.children_right)[row]
    return row


def data(n, n_features=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, n_features)).round(1), rng.integers(0, 3, n)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, ABREAST - 1, ABREAST, 3 * ABREAST + 5])
def test_every_sample_reaches_its_leaf(n, dtype):
    tree = Tree().fit(*data(300)).tree_
    X = data(n, seed=1)[0].astype(dtype)
    assert tree.apply(X).tolist() == [leaf(tree, x) for x in X]


def test_votes_of_a_forest_over_several_blocks():
    X, y = data(2 * BLOCK // (100 * 8) + 7, n_features=100)
    forest = Forest(n_estimators=3, max_depth=4).fit(X, y)
    expected = sum(tree.proportions[tree.apply(X)] for tree in forest.trees_) / 3
    np.testing.assert_array_equal(forest.predict_proba(X), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 15, 16, 17, 100])
def test_the_sum_of_trees(n, dtype):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(200, 3)).astype(dtype)
    trees = []
    for leaves in (1, 2, 11, 30):
        grower = RegressionGrower(X, leaves, 2)
        trees.append(grower.grow(rng.normal(size=200), rng.exponential(size=200), np.arange(3))[0])
    sizes, decays = rng.normal(size=4), rng.uniform(size=4)
    other = rng.normal(size=(n, 3)).astype(dtype)
    score = np.zeros(n)
    for tree, size, decay in zip(trees, sizes, decays, strict=True):
        score = decay * score + size * tree.predict(other)
    assert np.array_equal(total_score(trees, sizes, decays, other), score)


def test_no_trees_and_no_samples():
    X = np.zeros((2, 1))
    tree, _ = RegressionGrower(X, 2, 2).grow(np.ones(2), np.ones(2), np.arange(1))
    assert total_score([], np.empty(0), np.empty(0), X).tolist() == [0, 0]
    assert total_score([tree], np.ones(1), np.ones(1), X[:0]).shape == (0,)
