"""Growth of trees: large and small nodes, and heavy weights, against the naive tree."""

import naive_criteria as naive
import numpy as np
import pytest
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
    X, y = problem(1, n_classes, gaps)
    model = Tree(name, random_state=1, min_samples_split=12, **options).fit(X, y)
    assert assert_naive(model, X, y) > 4
    assert (model.tree_.missing_go_to_left.sum() > 0) or not gaps


@pytest.mark.parametrize("max_features", [None, 1])
def test_weights_beyond_one_byte(max_features):
    for seed in range(10):
        X, y = tied(seed, 30)
        weights = np.random.default_rng(seed).integers(1, 400, len(y))
        assert_naive(Tree(max_features=max_features, random_state=seed).fit(X, y, weights), X, y, weights)
