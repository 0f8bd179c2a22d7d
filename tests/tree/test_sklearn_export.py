"""scikit-learn's estimators around the same trees."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, export_text, plot_tree
from tree.shared import Forest, Tree, continuous


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
        untied = _untied(ours, data)
        assert np.array_equal(theirs.predict(data)[untied], ours.predict(data)[untied])
    assert theirs.get_n_leaves() == ours.get_n_leaves()
    assert theirs.get_depth() == ours.get_depth()
    for name in ("feature", "threshold", "impurity", "value", "n_node_samples", "children_right"):
        assert np.array_equal(getattr(theirs.tree_, name), getattr(ours.tree_, name)), name


def _untied(estimator, X):
    proportions = estimator.predict_proba(X)
    return (proportions == proportions.max(axis=1, keepdims=True)).sum(axis=1) == 1


@pytest.mark.parametrize("bootstrap", [False, True])
def test_forests_predict_the_same(bootstrap):
    X, y = problem()
    ours = Forest(6, criterion="sqrt_gini", bootstrap=bootstrap).fit(X, y)
    theirs = ours.to_sklearn()
    assert type(theirs) is RandomForestClassifier
    assert is_classifier(theirs)
    np.testing.assert_allclose(theirs.predict_proba(X), ours.predict_proba(X), atol=1e-12)
    assert np.array_equal(theirs.apply(X), ours.apply(X))
    assert np.mean(theirs.predict(X) == ours.predict(X)) > 0.99  # sums in another order may break ties


def test_text_and_plot_are_those_of_a_tree_that_scikit_learn_grew():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(2000, 2)).astype(np.float32), columns=["height", "width"])
    y = (X["height"] + X["width"] ** 2 + 0.4 * rng.normal(size=2000) > 1).astype(int)
    ours = Tree(max_depth=3).fit(X, y).to_sklearn()
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    assert export_text(ours, feature_names=["height", "width"]) == export_text(
        theirs, feature_names=["height", "width"]
    )
    assert [box.get_text() for box in plot_tree(ours)] == [box.get_text() for box in plot_tree(theirs)]
    assert ours.feature_names_in_.tolist() == ["height", "width"]
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
