"""Growth against the naive tree, and the quirks of Wilton and Ye's code by examples and a naive tree that has them."""

from functools import partial

import naive
import naive_criteria
import numpy as np
import pytest
from criteria.splits import python_call
from tree.shared import Forest, Tree, assert_naive, tied, with_gaps

from ironbark.tree.growing import nodes

KINDS = [Tree, partial(Forest, 1, bootstrap=False, max_features=None)]
ODD, EVEN = (float(np.uint32(bits).view(np.float32)) for bits in (0x3F800001, 0x3F800002))  # neighbours above 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("compat", "leaves"), [(None, (2, 2)), ("rdts", (1, 2))])
def test_a_last_sample_alone_is_split_off_only_at_the_first_threshold(kind, compat, leaves):
    y = ["A", "A", "B"]
    for x, expected in zip(([0, 1, 2], [2, 1, 0]), leaves, strict=True):
        model = kind(criterion="misclassification", compat=compat).fit(np.array(x, float)[:, None], y)
        assert model.get_n_leaves() == expected


@pytest.mark.parametrize("criterion", ["gini", "twoing", "misclassification"])
def test_later_children_must_be_larger_than_min_samples_leaf(criterion):
    X, y = np.arange(5.0)[:, None], [0, 0, 0, 1, 1]
    plain, quirky = (Tree(criterion, min_samples_leaf=2, compat=compat).fit(X, y).tree_ for compat in (None, "rdts"))
    assert plain.threshold[0] == 2.5
    assert quirky.threshold[0] != 2.5  # two samples on the right are one too few
    mirrored = Tree(criterion, min_samples_leaf=2, compat="rdts").fit(-X, y).tree_
    assert mirrored.threshold[0] != -2.5  # the second threshold; the first would leave one sample


def test_a_midpoint_that_is_rounded_up_takes_all_but_the_last_sample_left():
    X, y = np.array([[ODD], [ODD], [EVEN], [EVEN]]), [0, 0, 1, 1]
    plain = Tree().fit(X, y)
    assert ODD < plain.tree_.threshold[0] < EVEN and plain.predict(X).tolist() == y
    quirky = Tree(compat="rdts", max_depth=1).fit(X, y)
    assert quirky.tree_.threshold[0] == EVEN
    assert quirky.tree_.counts.tolist() == [[2, 2], [2, 1], [0, 1]]
    assert set(quirky.apply(X)) == {1}  # predict sends all left


def problem(seed, n_classes):
    """Every third one has neighbouring float32 numbers, odd and even ones."""
    rng = np.random.default_rng(seed)
    n, d = (int(rng.integers(2, 40)), int(rng.integers(1, 6))) if seed % 6 else (250, 4)
    X = rng.integers(0, rng.choice([1, 2, 5, 40], d), (n, d)).astype(float)
    if seed % 3 == 0:
        X = (np.uint32(0x3F800000) + X.astype(np.uint32)).view(np.float32).astype(float)
    y = np.where(rng.random(n) < 0.6, X.argmax(axis=1) % n_classes, rng.integers(0, n_classes, n))
    y[:n_classes] = np.arange(n_classes)[: len(y)]
    return X, y


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize(("name", "parameters", "n_classes"), naive_criteria.settings(2, 5))
def test_trees_are_the_naive_trees(name, parameters, n_classes, max_features):
    for seed in range(8):
        X, y = problem(seed, n_classes)
        options = {"max_features": max_features, "min_samples_leaf": 1 + seed % 3, "random_state": seed, **parameters}
        assert_naive(Tree(name, compat="rdts", **options).fit(X, y), X, y)


#: Whether all features are searched, what constant features count as, and the share of missing values.
RULES = [(2, "skip", 0), (2, "count", 0), (None, "skip", 0), (2, "skip", 0.3), (None, "skip", 0.1)]


def large(seed, n_classes, gaps):
    """Nodes above and below the limits of sorting, counting and looking for constant features."""
    rng = np.random.default_rng(seed)
    levels = np.array([1, 2, 2, 3, 5, 30, 300, 300, 20, 1])
    X = np.floor(levels * rng.random((260, 10)) ** rng.choice([1, 4], 10))
    X[rng.random(260) < 0.9, 2] = 0
    y = (X[:, 4] + X[:, 7]).astype(int) % n_classes
    return with_gaps(X, gaps), np.where(rng.random(260) < 0.5, y, rng.integers(0, n_classes, 260))


@pytest.mark.parametrize(("max_features", "constant_features", "gaps"), RULES)
@pytest.mark.parametrize(("name", "parameters", "n_classes"), naive_criteria.settings(2, 4))
def test_trees_of_large_nodes_are_the_naive_trees(name, parameters, n_classes, max_features, constant_features, gaps):
    options = {"max_features": max_features, "constant_features": constant_features, **parameters}
    X, y = large(1, n_classes, gaps)
    model = Tree(name, random_state=1, min_samples_split=12, **options).fit(X, y)
    assert assert_naive(model, X, y) > 4 and ((model.tree_.missing_go_to_left.sum() > 0) or not gaps)


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
