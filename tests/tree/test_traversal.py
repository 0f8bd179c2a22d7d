"""Leaves of samples against a walk one step at a time, votes and sums of trees against one tree after the other."""

import pickle

import numpy as np
import pytest
from tree.shared import Forest, Tree

from ironbark.tree.regression import RegressionGrower
from ironbark.tree.traversal import ABREAST, BLOCK, total_score


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


def test_pickles_leave_the_walking_copy_out():
    tree = Tree().fit(*data(300)).tree_
    before = len(pickle.dumps(tree))
    tree.apply(data(1)[0])
    assert len(pickle.dumps(tree)) == before


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
