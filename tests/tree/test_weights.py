"""Sample weights, class weights and missing values: against scikit-learn, copies of samples, other scales, by hand."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.class_weight import compute_sample_weight
from tree.shared import Forest, Tree, assert_same, continuous, with_gaps

from ironbark.criteria import CRITERIA
from ironbark.tree.growing.nodes import SMALL

SCALED = [name for name in CRITERIA if name not in ("credal", "twoing_rdts")]  # credal adds s samples to a node


def problem(n_classes, n=1500):
    """Data on which no two splits tie, and weights."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    y = np.digitize(X[:, 0] + X[:, 1] ** 2 + 0.4 * rng.normal(size=n), np.linspace(0, 2, n_classes - 1))
    return X, y, rng.exponential(size=n) * (rng.random(n) < 0.9)


def counted(n_classes):
    rng = np.random.default_rng(0)
    return rng.integers(0, 7, (120, 6)).astype(float), rng.integers(0, n_classes, 120), rng.integers(0, 4, 120)


def preorder(tree, row=0):
    """Rows from left to right: their numbers depend on the sizes of the nodes."""
    if tree.children_left[row] == -1:
        return [row]
    return [row, *preorder(tree, tree.children_left[row]), *preorder(tree, tree.children_right[row])]


def same_splits(a, b):
    rows, others = preorder(a), preorder(b)
    names = ("feature", "threshold", "prediction")
    return all(np.array_equal(getattr(a, name)[rows], getattr(b, name)[others]) for name in names)


RULES = [{"max_depth": 4}, {"min_samples_split": 30}, {"min_samples_leaf": 20}, {"min_weight_fraction_leaf": 0.02}]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_trees_are_those_of_scikit_learn(criterion, n_classes, rule):
    X, y, weights = problem(n_classes)
    ours = Tree(criterion, **rule).fit(X, y, weights)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **rule).fit(X, y, weights)
    new = np.random.default_rng(1).normal(size=(4000, 4)).astype(np.float32)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-9)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert 15 < ours.tree_.node_count <= theirs.tree_.node_count  # theirs may split nodes that rounding makes impure
    for name in ("n_node_samples", "weighted_n_node_samples"):
        assert getattr(ours.tree_, name)[0] == pytest.approx(getattr(theirs.tree_, name)[0])


@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize("name", SCALED)
def test_scale_does_not_matter(name, max_features):
    X, y, weights = problem(2, n=400)
    tree = Tree(name, max_features=max_features)
    once = clone(tree).fit(X, y, weights).tree_
    assert once.node_count > 5
    for factor in (2.0**-70, 0.01, 3.7, 1e20):
        other = clone(tree).fit(X, y, factor * weights).tree_
        assert same_splits(once, other)
        np.testing.assert_allclose(other.counts, factor * once.counts, rtol=1e-9)
        assert np.array_equal(other.sizes, once.sizes)


@pytest.mark.parametrize("name", CRITERIA)
def test_a_weight_of_two_is_a_second_copy(name):
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 12, (150, 5)).astype(float), rng.integers(0, 2, 150)
    halves, copies = rng.choice([0.5, 1.5, 2.5], 150), rng.integers(0, 4, 150)
    tree = Tree(name, random_state=3)
    weighted = clone(tree).fit(X, y, halves * copies).tree_
    copied = clone(tree).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies), np.repeat(halves, copies)).tree_
    assert same_splits(weighted, copied)
    np.testing.assert_allclose(weighted.counts[preorder(weighted)], copied.counts[preorder(copied)])
    assert weighted.node_count > 5


@pytest.mark.parametrize("estimator", [Tree(), Forest(4, bootstrap=False)])
@pytest.mark.parametrize("weighted", [False, True])
def test_balanced_classes_are_weights_of_samples(estimator, weighted):
    """Forests balance the sums of the weights, as scikit-learn's do."""
    X, y, weights = problem(3, n=300)
    weights = weights if weighted else np.ones(300)
    product = compute_sample_weight("balanced", y) * weights
    if hasattr(estimator, "bootstrap"):
        product = weights * (weights.sum() / 3 / np.bincount(y, weights))[y]
    balanced = clone(estimator).set_params(class_weight="balanced").fit(X, y, weights if weighted else None)
    expected = clone(estimator).fit(X, y, product).predict_proba(X)
    np.testing.assert_allclose(balanced.predict_proba(X), expected, atol=1e-12)


def test_pruning_goes_by_samples():
    X, y, weights = problem(2, n=500)
    whole = Tree("entropy").fit(X, y, weights)
    for k, pruned in zip((5, 40), whole.prune_path(min_samples_split=(5, 40)), strict=True):
        grown = Tree("entropy", min_samples_split=k).fit(X, y, weights)
        assert_same(pruned.tree_, grown.tree_)
        assert np.array_equal(pruned.tree_.sizes, grown.tree_.sizes)
    assert Tree("twoing", max_leaf_nodes=6).fit(X, y, weights).get_n_leaves() == 6
    assert 1 < Tree("entropy", ccp_alpha=0.01).fit(X, y, weights).get_n_leaves() < whole.get_n_leaves()


def test_large_weights_do_not_overflow():
    X, y, weights = counted(3)
    weights *= SMALL  # below, what is drawn depends on the weight of a node
    plain = Tree(max_features=2).fit(X, y, sample_weight=weights).tree_
    large = Tree(max_features=2).fit(X, y, sample_weight=400 * weights).tree_
    assert np.array_equal(400 * plain.counts, large.counts)


@pytest.mark.parametrize("weight", [2**18, 2**20])
def test_integers_beyond_what_counts_hold_are_real_weights(weight):
    X, y, weights = counted(2)
    small, large = (Tree().fit(X, y, w * weights).tree_ for w in (0.5, weight))
    assert large.counts.dtype == np.float64 and large.n_node_samples[0] == np.count_nonzero(weights)
    assert np.array_equal(large.feature, small.feature)


def test_importances_weight_the_gains_of_unweighted_criteria():
    X, y = load_iris(return_X_y=True)
    twoing = Tree("twoing").fit(X, y)
    tree, expected = twoing.tree_, np.zeros(4)
    for row in range(tree.node_count):
        if tree.feature[row] >= 0:
            expected[tree.feature[row]] += tree.gain[row] * tree.counts[row].sum() / 150
    np.testing.assert_allclose(twoing.feature_importances_, expected / expected.sum())
    assert Forest(5).fit(X, y).feature_importances_.sum() == pytest.approx(1)
    noise = np.random.default_rng(0).permutation(y)
    pruned = Forest(20, ccp_alpha=0.03, random_state=0).fit(X, noise)
    assert min(tree.n_leaves for tree in pruned.trees_) == 1 < pruned.get_n_leaves()
    np.testing.assert_allclose(pruned.feature_importances_, pruned.to_sklearn().feature_importances_)


@pytest.mark.parametrize("names", [[0, 1, 2], ["x", "y", "z"]])
def test_class_weights_multiply_the_weights_of_samples(names):
    X, y, weights = counted(3)
    named, factor = np.array(names)[y], np.array([0.25, 1, 3])
    class_weight = {names[0]: 0.25, names[2]: 3.0}  # what is not named counts once
    for estimator in (Tree(), Forest(3)):
        for weight, product in ((None, factor[y]), (weights, weights * factor[y])):
            expected = clone(estimator).fit(X, named, product).predict_proba(X)
            found = clone(estimator).set_params(class_weight=class_weight).fit(X, named, weight).predict_proba(X)
            assert np.array_equal(found, expected)


def gapped(n_classes=3, n=2000, share=0.15, seed=0):
    """No two splits tie; some of the missing values are where the first feature is large."""
    X, y = continuous(n_classes, n, seed)
    X[(X[:, 0] > 0.8) & (np.arange(n) % 2 == 0), 2] = np.nan
    return with_gaps(X, share, seed), y


def splits(tree, row=0):
    """Inner nodes from left to right, without pure ones, which scikit-learn splits where weights are rounded."""
    if tree.children_left[row] == -1 or tree.impurity[row] < 1e-9:
        return []
    return [row, *splits(tree, tree.children_left[row]), *splits(tree, tree.children_right[row])]


@pytest.mark.parametrize("rule", [{"max_depth": 5, "min_samples_leaf": 5}, {"min_samples_leaf": 15}], ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_trees_with_gaps_are_those_of_scikit_learn(criterion, n_classes, rule):
    for seed in range(3):
        X, y = gapped(n_classes, seed=seed)
        weights = np.random.default_rng(seed).uniform(0.5, 1.5, len(y))  # so that no two splits tie
        ours = Tree(criterion, **rule).fit(X, y, weights)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **rule).fit(X, y, weights)
        new, _ = gapped(n_classes, 5000, 0.3, seed + 10)
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
        one, other = ours.tree_, theirs.tree_
        rows, others = splits(one), splits(other)
        assert len(rows) > 15
        for name in ("feature", "missing_go_to_left", "n_node_samples"):
            assert np.array_equal(getattr(one, name)[rows], getattr(other, name)[others]), name
        np.testing.assert_allclose(one.threshold[rows], other.threshold[others], rtol=1e-6)


def test_a_gap_may_be_all_that_tells_the_classes_apart():
    X = np.array([[1.0], [2.0], [np.nan], [3.0], [np.nan]])
    tree = Tree().fit(X, ["a", "a", "b", "a", "b"])
    assert tree.tree_.threshold.tolist() == [np.inf, -2, -2]
    assert tree.tree_.missing_go_to_left.tolist() == [0, 0, 0]
    assert tree.predict([[1e300], [np.nan], [-5.0]]).tolist() == ["a", "b", "a"]
    assert Tree().fit(np.full((4, 1), np.nan), [0, 1, 0, 1]).get_n_leaves() == 1
