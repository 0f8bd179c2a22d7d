"""Small regression trees against scikit-learn's, against brute force, and by hand."""

from fractions import Fraction

import numpy as np
import pytest
from naive_boosters import best_split, leaf
from sklearn.tree import DecisionTreeRegressor

from ironbark.tree.regression import RegressionGrower


def problem(seed, n=200, d=4, levels=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    X = np.round(levels * X) if levels else X
    return X, rng.normal(size=n) + X[:, 0] * X[:, -1], rng.exponential(size=n)


def grown(X, y, weight, leaves=11, least=10):
    return RegressionGrower(X, leaves, least).grow(y, weight, np.arange(X.shape[1]))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("leaves", "least", "d"), [(2, 2, 4), (11, 10, 4), (64, 5, 1), (500, 2, 1)])
def test_scikit_learns_tree(seed, leaves, least, d):
    """With one feature in deep trees: of several, many split a small node alike."""
    X, y, weight = problem(seed, d=d)
    tree, values = grown(X, y, weight, leaves, least)
    twin = DecisionTreeRegressor(max_leaf_nodes=leaves, min_samples_split=least).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(values, twin.predict(X), rtol=1e-9, atol=1e-12)
    assert np.array_equal(tree.predict(X), values)
    root = twin.tree_
    assert (tree.node_count, tree.n_leaves, tree.max_depth) == (root.node_count, root.n_leaves, root.max_depth)
    other = np.random.default_rng(99).normal(size=(1000, d)).astype(np.float32)
    np.testing.assert_allclose(tree.predict(other), twin.predict(other), rtol=1e-9, atol=1e-12)
    assert (tree.feature[0], tree.n_node_samples[0]) == (root.feature[0], root.n_node_samples[0])
    assert tree.threshold[0] == pytest.approx(root.threshold[0], rel=1e-6)
    assert tree.impurity[0] == pytest.approx(root.impurity[0])
    assert sorted(tree.n_node_samples) == sorted(root.n_node_samples)
    np.testing.assert_allclose(sorted(tree.weighted_n_node_samples), sorted(root.weighted_n_node_samples))


def test_the_first_of_equally_good_features_counts():
    X = np.repeat(np.arange(20.0)[:, None], 3, axis=1)
    y, weight = (X[:, 0] > 8).astype(float), np.ones(20)
    grower = RegressionGrower(X, 2, 2)
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        tree, _ = grower.grow(y, weight, np.array(order))
        assert tree.feature.tolist() == [order[0], -2, -2] and tree.threshold.tolist() == [8.5, -2, -2]


def test_a_node_of_one_feature_value_and_neighbouring_floats():
    low = np.float64(1.0)
    X = np.array([[low], [np.nextafter(low, 2)]] * 5)
    tree, values = grown(X, (X[:, 0] > low).astype(float), np.ones(10), least=2)
    assert tree.threshold[0] == low and np.array_equal(values, (X[:, 0] > low))


@pytest.mark.parametrize("seed", range(20))
def test_weights_too_small_to_be_felt(seed):
    """Beside weights of 1, rounding leaves nothing of the last ones; the split is that of the others."""
    X, y, weight = problem(seed, n=30, d=3)
    weight[np.random.default_rng(seed).random(30) < 0.3] *= 1e-25
    tree, _ = grown(X, y, weight, leaves=2, least=2)
    exact = [Fraction(float(v)) for v in y], [Fraction(float(v)) for v in weight]
    _, left, _ = best_split(range(30), X, lambda rows: -leaf(rows, *exact)[1])
    felt = weight > 1e-20
    chosen = X[:, tree.feature[0]] <= tree.threshold[0]
    assert np.array_equal(chosen[felt], np.isin(np.flatnonzero(felt), left))
