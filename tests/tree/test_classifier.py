"""The tree estimator: against scikit-learn, and what must not change a tree."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tree.shared import Tree, tied

from ironbark.criteria import CRITERIA


def fit(X, y, criterion="gini", **parameters):
    return Tree(criterion, **parameters).fit(X, y)


def splits(tree, row=0):
    """Nested (feature, class counts of the children) of a tree: what a partition is, whatever the thresholds."""
    if tree.feature[row] < 0:
        return tuple(tree.counts[row].tolist())
    left, right = (splits(tree, rows[row]) for rows in (tree.children_left, tree.children_right))
    return int(tree.feature[row]), tuple(tree.counts[row].tolist()), left, right


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
    ours = fit(X, y, max_depth=3, max_features=max_features)
    gains = np.sort(ours.tree_.gain[ours.tree_.feature >= 0])
    np.testing.assert_allclose(gains, decreases(theirs), atol=1e-12)


def test_twoing_of_two_classes_grows_the_gini_tree():
    for seed in range(5):
        X, y = tied(seed, n_classes=2)
        twoing, gini = (fit(X, y, name, random_state=seed).tree_ for name in ("twoing", "gini"))
        assert splits(twoing) == splits(gini)
        size = gini.counts.sum(axis=1) / len(y)
        np.testing.assert_allclose(2 * twoing.gain * size, gini.gain, atol=1e-12)


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_ends_of_lambda(n_classes, max_features):
    """lambda = 1 is misclassification; a lambda with lambda^2 <= K / (2 (K-1) N) is the square root of Gini."""
    for seed in range(3):
        X, y = tied(seed, n=120, n_classes=n_classes)
        options = {"random_state": seed, "max_features": max_features}
        one = fit(X, y, "negative_exponential", lam=1.0, **options)
        assert splits(one.tree_) == splits(fit(X, y, "misclassification", **options).tree_)
        small = np.sqrt(n_classes / (2 * (n_classes - 1) * len(y)))
        root = splits(fit(X, y, "sqrt_gini", **options).tree_)
        for lam in (0.0, 0.5 * small, 0.99 * small):
            assert splits(fit(X, y, "negative_exponential", lam=lam, **options).tree_) == root
        assert splits(fit(X, y, "negative_exponential", lam=0.7, **options).tree_) not in (root, splits(one.tree_))


@pytest.mark.parametrize("criterion", list(CRITERIA))
def test_exclusive_or_stays_a_single_leaf(criterion):
    """No split of it has a gain, and splits without gain are refused."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    for max_features in (None, 1):
        assert fit(X, X[:, 0] ^ X[:, 1], criterion, max_features=max_features).tree_.node_count == 1


def test_a_gain_is_refused_up_to_the_smallest_decrease_that_is_asked_for():
    X, y = np.arange(10.0)[:, None], [0] * 5 + [1] * 5
    for criterion, gain in (("gini", 0.5), ("misclassification", 0.5), ("twoing", 0.25), ("pairwise_gain", 12.5)):
        assert fit(X, y, criterion).tree_.gain[0] == pytest.approx(gain)
        assert fit(X, y, criterion, min_impurity_decrease=0.99 * gain).get_n_leaves() == 2
        assert fit(X, y, criterion, min_impurity_decrease=1.01 * gain).get_n_leaves() == 1


def test_ties_between_features_are_broken_evenly():
    X, y = np.repeat(np.arange(2.0), 10)[:, None] * np.ones(4), np.repeat([0, 1], 10)
    drawn = [int(fit(X, y, random_state=s, max_features=m).tree_.feature[0]) for s in range(200) for m in (None, 2)]
    assert np.bincount(drawn, minlength=4).min() > 60  # 100 expected, standard deviation 8.7
