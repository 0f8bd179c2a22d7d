"""Fitted trees: thresholds, attributes, leaves, sums of trees, and scikit-learn's estimators around the same trees."""

import pickle

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, export_text, plot_tree
from tree.shared import Forest, Tree, continuous, with_gaps

from ironbark.tree.traversal import ABREAST, BLOCK

PAIRS = [(1.0, np.nextafter(1, 2)), (-5e-324, 0.0), (0.0, 5e-324), (5e-324, 1e-323), (-1.7e308, 1.7e308)]
PAIRS += [(1.6e308, 1.7e308), (-0.0, 1.0), (2.0**53 - 1, 2.0**53)]


@pytest.mark.parametrize(("low", "high"), PAIRS)
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_threshold_parts_any_two_distinct_values(low, high, mirrored):
    low, high = (-high, -low) if mirrored else (low, high)
    for max_features in (None, 1):
        X = np.array([[low, 0.0], [high, 0.0], [low, 0.0]])
        tree = Tree(max_features=max_features).fit(X, [0, 1, 0])
        assert low <= tree.tree_.threshold[0] < high and tree.predict(X).tolist() == [0, 1, 0]


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
    """Missing values, of which training had none, go to the larger child."""
    row = 0
    while tree.children_left[row] >= 0:
        value, left, right = x[tree.feature[row]], tree.children_left[row], tree.children_right[row]
        larger = left if tree.counts[left].sum() > tree.counts[right].sum() else right
        row = larger if np.isnan(value) else left if float(value) <= tree.threshold[row] else right
    return row


def data(n, n_features=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, n_features)).round(1), rng.integers(0, 3, n)


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize("n", [1, ABREAST - 1, ABREAST, 9 * ABREAST + 5])
def test_every_sample_reaches_its_leaf(n, max_features):
    tree, X = Tree(max_features=max_features).fit(*data(300)).tree_, data(n, seed=1)[0]
    for own in (X, X.astype(np.float32), with_gaps(X, 0.4)):
        assert tree.apply(own).tolist() == [leaf(tree, x) for x in own]


def test_votes_of_a_forest_over_several_blocks():
    X, y = data(2 * BLOCK // (100 * 8) + 7, n_features=100)
    forest = Forest(n_estimators=3, max_depth=4).fit(X, y)
    expected = sum(tree.proportions[tree.apply(X)] for tree in forest.trees_) / 3
    np.testing.assert_array_equal(forest.predict_proba(X), expected)


def problem(n_classes=3):
    """Noisy labels that are texts."""
    X, y = continuous(n_classes, 250)
    y = np.where(np.arange(250) % 4 == 0, np.arange(250) // 4 % n_classes, y)
    return X, np.array(["a", "b", "c", "d"])[y]


@pytest.mark.parametrize("n_classes", [1, 2, 4])
@pytest.mark.parametrize("criterion", ["gini", "misclassification", "twoing", "credal"])
def test_trees_predict_the_same(criterion, n_classes):
    X, y = problem(n_classes)
    ours = Tree(criterion, max_depth=5).fit(X, y)
    theirs = pickle.loads(pickle.dumps(ours.to_sklearn()))
    assert type(theirs) is DecisionTreeClassifier
    new = np.random.default_rng(1).normal(size=(500, 4)).astype(np.float32)
    for data in (X, new):
        assert np.array_equal(theirs.apply(data), ours.apply(data))
        assert np.array_equal(theirs.predict_proba(data), ours.predict_proba(data))
        assert (theirs.decision_path(data) != ours.decision_path(data)).nnz == 0
        shares = np.sort(ours.predict_proba(data))
        untied = n_classes == 1 or shares[:, -1] > shares[:, -2]
        assert np.array_equal(theirs.predict(data)[untied], ours.predict(data)[untied])
    assert theirs.get_n_leaves() == ours.get_n_leaves() and theirs.get_depth() == ours.get_depth()
    for name in ("feature", "threshold", "impurity", "value", "n_node_samples", "children_right"):
        assert np.array_equal(getattr(theirs.tree_, name), getattr(ours.tree_, name)), name


@pytest.mark.parametrize("bootstrap", [False, True])
def test_forests_predict_the_same(bootstrap):
    X, y = problem()
    ours = Forest(6, criterion="sqrt_gini", bootstrap=bootstrap).fit(X, y)
    theirs = ours.to_sklearn()
    assert type(theirs) is RandomForestClassifier and is_classifier(theirs)
    np.testing.assert_allclose(theirs.predict_proba(X), ours.predict_proba(X), atol=1e-12)
    assert np.array_equal(theirs.apply(X), ours.apply(X))
    assert np.mean(theirs.predict(X) == ours.predict(X)) > 0.99  # sums in another order may break ties


def test_text_and_plot_are_those_of_a_tree_that_scikit_learn_grew():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(2000, 2)).astype(np.float32), columns=["height", "width"])
    y = (X["height"] + X["width"] ** 2 + 0.4 * rng.normal(size=2000) > 1).astype(int)
    ours = Tree(max_depth=3).fit(X, y).to_sklearn()
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    names = ["height", "width"]
    assert export_text(ours, feature_names=names) == export_text(theirs, feature_names=names)
    assert [box.get_text() for box in plot_tree(ours)] == [box.get_text() for box in plot_tree(theirs)]
    assert ours.feature_names_in_.tolist() == ["height", "width"]
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
