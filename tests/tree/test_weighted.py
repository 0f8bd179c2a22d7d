"""Growth on float class weights against growth on counts, node by node, wherever both can be taken."""

import naive_criteria as naive
import numpy as np
import pytest
from sklearn.base import clone
from tree.shared import Tree, assert_same

from ironbark.tree import growth
from ironbark.tree.growing import weighted


def problem(seed, n_classes):
    """Ties, copies, constants and small nodes; every third one has more than `SMALL` samples, every second weights."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 40)) if seed % 3 else 300, int(rng.integers(1, 8))
    X = np.floor(rng.choice([1, 2, 3, 9, 40, 400], d) * rng.random((n, d)) ** rng.choice([1, 4], d))
    if seed % 4 == 1:
        X[:, 0] = rng.normal(size=n)
    y = rng.integers(0, n_classes, n)
    if seed % 5:
        y = np.where(rng.random(n) < 0.6, X.argmax(axis=1) % n_classes, y)
    weights = None if seed % 2 else rng.integers(0, 4, n)
    return X, y, weights if weights is not None and weights.any() else None


#: Of growth; no gain is exactly the smallest decrease, or rounding would decide.
LIMITS = [{}, {}, {}, {"max_depth": 3}, {"min_samples_split": 9, "min_samples_leaf": 4}]
LIMITS += [{"min_impurity_decrease": 0.0123}]


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize(
    ("name", "parameters", "n_classes"), [case for case in naive.settings(2, 3, 10) if case[0] != "twoing_rdts"]
)  # whose early exits need floats
def test_integer_weights_give_the_trees_of_growth_on_counts(name, parameters, n_classes, max_features, monkeypatch):
    sizes = []
    for seed in range(24):
        rule = {"constant_features": ("skip", "count")[seed % 2], **LIMITS[seed // 2 % len(LIMITS)]}
        tree = Tree(name, max_features=max_features, random_state=seed, **rule, **parameters)
        data = problem(seed, n_classes)
        counted = clone(tree).fit(*data)
        with monkeypatch.context() as patch:
            patch.setattr(growth, "needs_floats", lambda *_, **__: True)
            weighted = clone(tree).fit(*data)
        assert weighted.tree_.directions is not None and counted.tree_.directions is None
        assert_same(counted.tree_, weighted.tree_, rtol=1e-7)
        sizes.append(counted.tree_.node_count)
    assert np.mean(sizes) > 4


@pytest.mark.parametrize("n_classes", [2, 4])
def test_attribute_lists_give_the_trees_of_keys_sorted_in_each_node(n_classes, monkeypatch):
    found = []
    lists = weighted.small_lists
    monkeypatch.setattr(weighted, "small_lists", lambda features: found.append(lists(features)) or found[-1])
    for seed in range(30):
        X, y, _ = problem(seed, n_classes)
        rng = np.random.default_rng(seed)
        X[rng.random(X.shape) < rng.choice([0, 0.1, 0.7])] = np.nan  # 0.7: missing values are the mode
        data = X, y, rng.uniform(0.1, 2, len(y))
        tree = Tree(random_state=seed, min_samples_leaf=1 + seed % 2)
        one = clone(tree).fit(*data).tree_
        with monkeypatch.context() as patch:
            patch.setattr(weighted, "small_lists", lambda features: None)
            other = clone(tree).fit(*data).tree_
        assert_same(one, other)
        assert np.array_equal(one.sizes, other.sizes)
    assert 5 < sum(own is not None for own in found) < 30
