"""Sums of trees against one tree after the other."""

import numpy as np
import pytest

from ironbark.tree.traversal import total_score
from ironbark.tree.regression import RegressionGrower


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
