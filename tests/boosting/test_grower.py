"""Trees of boosters against scikit-learn's, and against counts by hand."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ironbark.boosting.stagewise.base import Grower, output

SIZE = {"max_leaf_nodes": 6, "min_samples_split": 10}


def problem(seed, n=300, d=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, np.where(X[:, 0] * X[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0), rng.exponential(size=n)


@pytest.mark.parametrize("seed", range(20))
def test_classification_is_scikit_learns_by_the_gini_index(seed):
    X, y, weight = problem(seed)
    tree, votes = Grower("classification", X, *SIZE.values(), np.random.RandomState(seed)).grow(y, weight)
    twin = DecisionTreeClassifier(**SIZE).fit(X, y, sample_weight=weight)
    assert np.array_equal(votes, twin.predict(X)) and np.array_equal(tree.predict(X), votes)
    assert np.array_equal(output(twin, X), votes)
    assert np.array_equal(tree.tree_.n_node_samples, twin.tree_.n_node_samples)  # equal but for ties between features


def test_regression_is_scikit_learns():
    X, y, weight = problem(0)
    tree, values = Grower("regression", X, *SIZE.values(), 0).grow(y, weight)
    twin = DecisionTreeRegressor(**SIZE).fit(X, y, sample_weight=weight)
    assert np.allclose(values, twin.predict(X), rtol=1e-12, atol=0) and np.array_equal(tree.predict(X), values)


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 7.0])
def test_a_tie_in_a_leaf_is_the_first_class(weight):
    X = np.zeros((12, 1), np.float32)
    for order in range(10):
        y = np.random.default_rng(order).permutation([-1.0] * 6 + [1.0] * 6)
        _, votes = Grower("classification", X, *SIZE.values(), 0).grow(y, np.full(12, weight))
        assert (votes == -1).all()
