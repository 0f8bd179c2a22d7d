"""Both growers against the naive tree, node by node: splits, ties, counts, predictions and gains."""

import naive
import numpy as np
import pytest
from tree.whole import Tree

from ironbark.criteria import CRITERIA
from ironbark.tree.growing.bootstrap import bootstrap_weights

pytestmark = [
    pytest.mark.filterwarnings("ignore:invalid value encountered in reduce"),  # of inf - inf in a check of X
    pytest.mark.filterwarnings("ignore:The number of unique classes"),
]
SETTINGS = [
    *(("gini", None), ("entropy", None), ("misclassification", None), ("sqrt_gini", None)),
    *(("negative_exponential", lam) for lam in (0.05, 0.5, 0.8)),
    *(("generalized_cross_entropy", q) for q in (0.3, 0.7)),
    *(("credal", s) for s in (0.5, 1.0, 2.5)),
    *(("twoing", None), ("pairwise_gain", None)),
]
EXTREMES = np.array(
    [-1.7e308, -1e300, -1.0, np.nextafter(-1, 0), -5e-324, 0.0, 5e-324, 1e-310, 1.0, np.nextafter(1, 2), 1e300, 1.7e308]
)


def problem(seed, n_classes):
    """A small data set with ties, copies, constant features, and missing classes now and then."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 30)), int(rng.integers(1, 7))
    X = rng.integers(0, rng.choice([1, 2, 3, 9, 40], d), (n, d)).astype(float)
    if seed % 4 == 0:
        X = EXTREMES[np.minimum(X, len(EXTREMES) - 1).astype(int)]
    if seed % 4 == 1:
        X[:, 0] = rng.normal(size=n)
    y = rng.integers(0, n_classes, n)
    if seed % 3:
        y = np.where(rng.random(n) < 0.6, X.argmax(axis=1) % n_classes, y)
    return X, y


def tree_seed(random_state):
    return np.random.RandomState(random_state).randint(np.iinfo(np.int32).max)


def arguments(name, parameter):
    return {} if parameter is None else {CRITERIA[name].parameter: parameter}


def check(name, parameter, X, y, seed, max_features, weights=None, constant_features="skip", **limits):
    options = {"max_features": max_features, "constant_features": constant_features, "random_state": seed}
    tree = Tree(name, **options, **arguments(name, parameter), **limits)
    tree.fit(X, y, sample_weight=weights)
    y = np.searchsorted(tree.classes_, y)
    if weights is not None:
        X, y = np.repeat(X, weights, axis=0), np.repeat(y, weights)
    n_classes = max(2, tree.n_classes_)
    options = {"seed": tree_seed(seed), "max_features": max_features, "n_classes": n_classes}
    options["count"] = constant_features == "count"
    root = naive.grow(X, y, name, parameter, **options, **limits)
    naive.assert_same_tree(tree.tree_, root)
    assert tree.tree_.node_count == naive.node_count(root)
    return tree.tree_.node_count


@pytest.mark.parametrize("n_classes", [2, 3, 20])
@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize(("name", "parameter"), SETTINGS)
def test_trees_are_the_naive_trees(name, parameter, max_features, n_classes):
    if name == "pairwise_gain" and n_classes > 2:
        pytest.skip("a criterion for two classes")
    sizes = [check(name, parameter, *problem(s, n_classes), s, max_features) for s in range(30)]
    assert np.mean(sizes) > (3 if n_classes < 20 else 1.5)  # not only single leaves


@pytest.mark.parametrize("constant_features", ["skip", "count"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(("name", "parameter"), SETTINGS)
def test_drawn_features_in_large_and_small_nodes(name, parameter, n_classes, constant_features):
    """Nodes above and below the limits of sorting, of counting, and of looking for constant features."""
    if name == "pairwise_gain" and n_classes > 2:
        pytest.skip("a criterion for two classes")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        levels = np.array([1, 2, 2, 3, 5, 30, 300, 300, 20, 1])  # some features nearly constant, some with many zeros
        X = np.floor(levels * rng.random((260, 10)) ** rng.choice([1, 4], 10))
        X[rng.random(260) < 0.9, 2] = 0
        y = (X[:, 4] + X[:, 7]).astype(int) % n_classes
        y = np.where(rng.random(260) < 0.5, y, rng.integers(0, n_classes, 260))
        size = check(name, parameter, X, y, seed, 2, constant_features=constant_features, min_samples_split=12)
        assert size > 4


@pytest.mark.parametrize("max_features", [None, 1])
def test_weights_beyond_one_byte(max_features):
    for seed in range(10):
        X, y = problem(seed, 3)
        weights = np.random.default_rng(seed).integers(1, 400, len(y))
        check("gini", None, X, y, seed, max_features, weights)


def test_a_bootstrap_draws_as_many_samples_as_there_are():
    weights = bootstrap_weights(1000, 7)
    assert (weights.sum(), len(weights)) == (1000, 1000)
    assert 0.58 < (weights > 0).mean() < 0.68
    assert not np.array_equal(weights, bootstrap_weights(1000, 8))
