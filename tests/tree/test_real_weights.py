"""Weights that are no integers: against scikit-learn, copies of samples, other scales, and the naive formulas."""

import naive_criteria as naive
import numpy as np
import pytest
from python_calls import python_call
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.class_weight import compute_sample_weight
from tree.whole import Forest, Tree

from ironbark import RobustDecisionTreeClassifier
from ironbark.criteria import CRITERIA, base, build

bound, gain, impurity = map(python_call, (base.bound, base.gain, base.impurity))
SETTINGS = [
    *(("gini", None), ("entropy", None), ("misclassification", None), ("sqrt_gini", None)),
    *(("negative_exponential", lam) for lam in (0, 0.25, 0.75, 1)),
    *(("generalized_cross_entropy", q) for q in (0, 0.05, 0.7, 0.99, 1)),
    *(("credal", s) for s in (0.5, 1.0, 2.5)),
    *(("twoing", None), ("twoing_rdts", None), ("pairwise_gain", None)),
]
SCALED = [name for name in CRITERIA if name not in ("credal", "twoing_rdts")]  # credal adds s samples to a node


def continuous(n_classes, n=1500):
    """Data on which no two splits tie, and weights."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    y = np.digitize(X[:, 0] + X[:, 1] ** 2 + 0.4 * rng.normal(size=n), np.linspace(0, 2, n_classes - 1))
    return X, y, rng.exponential(size=n) * (rng.random(n) < 0.9)


def options(name, parameter):
    return {} if parameter is None else {CRITERIA[name].parameter: parameter}


def preorder(tree, row=0):
    """Rows from left to right: their numbers depend on the sizes of the nodes."""
    if tree.children_left[row] == -1:
        return [row]
    return [row, *preorder(tree, tree.children_left[row]), *preorder(tree, tree.children_right[row])]


def same_splits(a, b):
    rows, others = preorder(a), preorder(b)
    return all(
        np.array_equal(getattr(a, name)[rows], getattr(b, name)[others])
        for name in ("feature", "threshold", "prediction")
    )


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize(("name", "parameter"), SETTINGS)
def test_gains_follow_the_definition(name, parameter, n_classes):
    if n_classes > 2 and "multiclass" not in CRITERIA[name].tasks:
        pytest.skip("a criterion for two classes")
    criterion, rng = build(name, 1, n_classes, options(name, parameter)), np.random.default_rng(0)
    for _ in range(60):
        left, right = rng.exponential(size=(2, n_classes)) * (rng.random((2, n_classes)) < 0.7) + 1e-9
        total = left + right
        whole = impurity(criterion, total, total.sum())
        found = gain(criterion, whole, left, right, left.sum(), right.sum())
        root = total.sum() if criterion.weighted else 1.0
        expected = naive.gain(name.removesuffix("_rdts"), left, right, total.sum(), parameter) * root
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-10)
        assert found <= bound(criterion, whole, total, total.sum()) * (1 + 1e-9)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize(("name", "parameter"), SETTINGS)
def test_two_pure_children_reach_the_bound(name, parameter, n_classes):
    left, right = 0.3 * np.eye(n_classes)[0], 0.7 * np.eye(n_classes)[1]
    if n_classes > 2 and "multiclass" not in CRITERIA[name].tasks:
        pytest.skip("a criterion for two classes")
    criterion = build(name, 1, n_classes, options(name, parameter))
    whole = impurity(criterion, left + right, 1.0)
    limit = bound(criterion, whole, left + right, 1.0)
    if np.isfinite(limit):
        assert gain(criterion, whole, left, right, 0.3, 0.7) == pytest.approx(limit, rel=1e-12)
    else:
        assert name == "credal" or (n_classes > 2 and "twoing" in name)


@pytest.mark.parametrize(
    "rule",
    [{"max_depth": 4}, {"min_samples_split": 30}, {"min_samples_leaf": 20}, {"min_weight_fraction_leaf": 0.02}],
    ids=str,
)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_trees_are_those_of_scikit_learn(criterion, n_classes, rule):
    X, y, weights = continuous(n_classes)
    ours = Tree(criterion, **rule).fit(X, y, weights)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **rule).fit(X, y, weights)
    new = np.random.default_rng(1).normal(size=(4000, 4)).astype(np.float32)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-9)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert 15 < ours.tree_.node_count <= theirs.tree_.node_count  # theirs may split nodes that rounding makes impure
    a, b = (model.tree_.decision_path(data).sum(axis=1) for model, data in ((ours, X), (theirs, X)))
    assert (a <= b).all()
    for name in ("n_node_samples", "weighted_n_node_samples"):
        assert getattr(ours.tree_, name)[0] == pytest.approx(getattr(theirs.tree_, name)[0])


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize("name", SCALED)
def test_scale_does_not_matter(name, max_features):
    X, y, weights = continuous(2, n=400)
    tree = Tree(name, max_features=max_features)
    once = clone(tree).fit(X, y, weights).tree_
    assert once.node_count > 5
    for factor in (2.0**-70, 0.01, 3.7, 1e20):
        other = clone(tree).fit(X, y, factor * weights).tree_
        assert same_splits(once, other)
        np.testing.assert_allclose(other.counts, factor * once.counts, rtol=1e-9)
        assert np.array_equal(other.sizes, once.sizes)


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize("name", [*CRITERIA])
def test_a_weight_of_two_is_a_second_copy(name, max_features):
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 12, (150, 5)).astype(float), rng.integers(0, 2, 150)
    halves, copies = rng.choice([0.5, 1.5, 2.5], 150), rng.integers(0, 4, 150)
    tree = Tree(name, max_features=max_features, random_state=3)
    weighted = clone(tree).fit(X, y, halves * copies).tree_
    copied = clone(tree).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies), np.repeat(halves, copies)).tree_
    if max_features is None:  # else what is drawn depends on the number of samples in a node
        assert same_splits(weighted, copied)
        np.testing.assert_allclose(weighted.counts[preorder(weighted)], copied.counts[preorder(copied)])
    assert weighted.node_count > 5


@pytest.mark.parametrize(
    "estimator",
    [
        Tree(random_state=1),
        Forest(4),
        Forest(4, bootstrap=False),
    ],
)
def test_balanced_classes_are_weights_of_samples(estimator):
    X, y, weights = continuous(3, n=300)
    y = np.array(["u", "v", "w"])[y]
    options = {"class_weight": "balanced", "random_state": 1}
    for weight in (None, weights):
        product = compute_sample_weight("balanced", y) * (1.0 if weight is None else weight)
        if weight is not None and hasattr(estimator, "bootstrap"):  # as in scikit-learn's forests
            product = weight * (weight.sum() / 3 / np.array([weight[y == label].sum() for label in "uvw"]))[codes(y)]
        balanced = clone(estimator).set_params(**options).fit(X, y, weight).predict_proba(X)
        by_hand = clone(estimator).set_params(random_state=1).fit(X, y, product).predict_proba(X)
        np.testing.assert_allclose(balanced, by_hand, atol=1e-12)
    fractions = clone(estimator).set_params(class_weight={"u": 0.25}, random_state=1).fit(X, y)
    expected = clone(estimator).set_params(random_state=1).fit(X, y, np.where(y == "u", 0.25, 1.0))
    assert np.array_equal(fractions.predict_proba(X), expected.predict_proba(X))


def codes(y):
    return np.unique(y, return_inverse=True)[1]


def test_stopping_rules_count_samples_and_draws():
    X, y, weights = continuous(2, n=300)
    tree = Tree(min_samples_leaf=25).fit(X, y, weights).tree_
    leaves = tree.children_left == -1
    assert tree.n_node_samples[leaves].min() >= 25
    assert tree.n_node_samples[0] == np.count_nonzero(weights)
    forest = Forest(3, min_samples_leaf=25).fit(X, y, weights + 0.1)
    for member in forest.trees_:
        assert member.n_node_samples[0] == 300 and member.counts.dtype == np.int32
        assert member.n_node_samples[member.children_left == -1].min() >= 25


def test_pruning_and_paths_go_by_samples():
    X, y, weights = continuous(2, n=500)
    whole = Tree("entropy").fit(X, y, weights)
    for k, pruned in zip((5, 40), whole.prune_path(min_samples_split=(5, 40)), strict=True):
        grown = Tree("entropy", min_samples_split=k).fit(X, y, weights)
        assert np.array_equal(pruned.predict_proba(X), grown.predict_proba(X))
        assert np.array_equal(pruned.tree_.sizes[preorder(pruned.tree_)], grown.tree_.sizes[preorder(grown.tree_)])
    small = Tree("twoing", max_leaf_nodes=6).fit(X, y, weights)
    assert small.get_n_leaves() == 6
    priced = RobustDecisionTreeClassifier("entropy", ccp_alpha=0.01, random_state=0).fit(X, y, weights)
    assert 1 < priced.get_n_leaves() < whole.get_n_leaves()
