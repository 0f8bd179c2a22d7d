"""Growth of trees: large and small nodes against the naive tree, many levels, small gains, ties."""

import naive_criteria as naive
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tree.shared import Tree, assert_naive, tied, with_gaps

#: Whether all features are searched, what constant features count as, and the share of missing values.
RULES = [(2, "skip", 0), (2, "count", 0), (None, "skip", 0), (2, "skip", 0.3), (None, "skip", 0.1)]


def problem(seed, n_classes, gaps):
    """Nodes above and below the limits of sorting, counting and looking for constant features."""
    rng = np.random.default_rng(seed)
    levels = np.array([1, 2, 2, 3, 5, 30, 300, 300, 20, 1])
    X = np.floor(levels * rng.random((260, 10)) ** rng.choice([1, 4], 10))
    X[rng.random(260) < 0.9, 2] = 0
    y = (X[:, 4] + X[:, 7]).astype(int) % n_classes
    return with_gaps(X, gaps), np.where(rng.random(260) < 0.5, y, rng.integers(0, n_classes, 260))


@pytest.mark.parametrize(("max_features", "constant_features", "gaps"), RULES)
@pytest.mark.parametrize(("name", "parameters", "n_classes"), naive.settings(2, 4))
def test_trees_are_the_naive_trees(name, parameters, n_classes, max_features, constant_features, gaps):
    options = {"max_features": max_features, "constant_features": constant_features, **parameters}
    for seed in range(2):
        X, y = problem(seed, n_classes, gaps)
        model = Tree(name, random_state=seed, min_samples_split=12, **options).fit(X, y)
        assert assert_naive(model, X, y) > 4
        assert (model.tree_.missing_go_to_left.sum() > 0) or not gaps


@pytest.mark.parametrize("max_features", [None, 1])
def test_weights_beyond_one_byte(max_features):
    for seed in range(10):
        X, y = tied(seed, 30)
        weights = np.random.default_rng(seed).integers(1, 400, len(y))
        assert_naive(Tree(max_features=max_features, random_state=seed).fit(X, y, weights), X, y, weights)


def decreases(fitted):
    """Sorted weighted impurity decreases of a scikit-learn tree."""
    tree = fitted.tree_
    inner = np.flatnonzero(tree.children_left >= 0)
    weighted = tree.weighted_n_node_samples * tree.impurity
    below = weighted[tree.children_left[inner]] + weighted[tree.children_right[inner]]
    return np.sort((weighted[inner] - below) / tree.weighted_n_node_samples[0])


@pytest.mark.parametrize("max_features", [None, 1])
def test_more_than_65536_levels(max_features):
    """Codes of 32 bits and entries of 64."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.permutation(70_000), np.zeros(70_000)]).astype(np.float32)
    y = (X[:, 0] // 9000 % 2 + (rng.random(70_000) < 0.2)).astype(int) % 2
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    ours = Tree(max_depth=3, max_features=max_features).fit(X, y)
    gains = np.sort(ours.tree_.gain[ours.tree_.feature >= 0])
    np.testing.assert_allclose(gains, decreases(theirs), atol=1e-12)


def test_a_gain_is_refused_up_to_the_smallest_decrease_that_is_asked_for():
    X, y = np.arange(10.0)[:, None], [0] * 5 + [1] * 5
    for criterion, gain in (("gini", 0.5), ("misclassification", 0.5), ("twoing", 0.25), ("pairwise_gain", 12.5)):
        assert Tree(criterion).fit(X, y).tree_.gain[0] == pytest.approx(gain)
        assert Tree(criterion, min_impurity_decrease=0.99 * gain).fit(X, y).get_n_leaves() == 2
        assert Tree(criterion, min_impurity_decrease=1.01 * gain).fit(X, y).get_n_leaves() == 1


def test_ties_between_features_are_broken_evenly():
    X, y = np.repeat(np.arange(2.0), 10)[:, None] * np.ones(4), np.repeat([0, 1], 10)
    drawn = [
        int(Tree(random_state=s, max_features=m).fit(X, y).tree_.feature[0]) for s in range(200) for m in (None, 2)
    ]
    assert np.bincount(drawn, minlength=4).min() > 60  # 100 expected, standard deviation 8.7
