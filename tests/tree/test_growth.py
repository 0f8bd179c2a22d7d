"""Growth of trees: large and small nodes, and heavy weights, against the naive tree; random numbers by node path."""

import naive
import naive_criteria
import numpy as np
import pytest
from python_calls import python_call
from tree.shared import Tree, assert_naive, tied, with_gaps

from ironbark.tree.growing import nodes

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
@pytest.mark.parametrize(("name", "parameters", "n_classes"), naive_criteria.settings(2, 4))
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


def test_mix_is_the_published_finalizer():
    """First outputs of splitmix64 seeded with 1234567, as printed in the test vectors of Rosetta Code."""
    step = 0x9E3779B97F4A7C15
    outputs = [naive.mix((1234567 + i * step) & naive.BITS) for i in (1, 2, 3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_majority_of_floats_is_up_to_rounding():
    majority, weights = python_call(nodes.majority), np.array([0.1 + 0.2, 0.3, 0.2])
    drawn = np.bincount([majority(weights, np.uint64(naive.mix(key))) for key in range(500)], minlength=3)
    assert drawn[2] == 0 and abs(drawn[:2] / 500 - 0.5).max() < 0.09
    assert majority(np.array([0.3, 0.3 * (1 + 1e-6)]), np.uint64(9)) == 1
