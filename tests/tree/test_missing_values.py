"""Missing values: against the naive tree and scikit-learn, and through everything that walks a tree."""

import pickle

import naive
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from tree.whole import Forest, Tree

from ironbark import (
    RobustDecisionTreeClassifier,
    RobustRandomForestClassifier,
    encode,
)
from ironbark.criteria import CRITERIA

SETTINGS = [
    *(("gini", None), ("entropy", None), ("misclassification", None), ("sqrt_gini", None)),
    *(("negative_exponential", 0.5), ("generalized_cross_entropy", 0.7), ("credal", 1.0)),
    *(("twoing", None), ("twoing_rdts", None), ("pairwise_gain", None)),
]


def with_gaps(X, share, seed=0):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X).astype(X.dtype)


def continuous(n_classes=3, n=2000, share=0.15, seed=0):
    """Data on which no two splits tie; half of the gaps stand where the first feature is large."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    y = np.digitize(X[:, 0] + X[:, 1] ** 2 + 0.4 * rng.normal(size=n), np.linspace(0, 2, n_classes - 1))
    X[(X[:, 0] > 0.8) & (rng.random(n) < 0.5), 2] = np.nan
    return with_gaps(X, share, seed), y


def splits(tree, row=0):
    """Inner nodes from left to right, without pure ones, which scikit-learn splits where weights are rounded."""
    if tree.children_left[row] == -1 or tree.impurity[row] < 1e-9:
        return []
    return [row, *splits(tree, tree.children_left[row]), *splits(tree, tree.children_right[row])]


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("max_features", [None, 2])
@pytest.mark.parametrize(("name", "parameter"), SETTINGS)
def test_trees_are_the_naive_trees(name, parameter, max_features, n_classes):
    if n_classes > 2 and "multiclass" not in CRITERIA[name].tasks:
        pytest.skip("a criterion for two classes")
    options = {} if parameter is None else {CRITERIA[name].parameter: parameter}
    infinite = learnt = 0
    for seed in range(14):
        rng = np.random.default_rng(seed)
        n, d = (int(rng.integers(2, 30)), int(rng.integers(1, 6))) if seed % 6 else (200, 4)
        X = with_gaps(rng.integers(0, rng.choice([1, 2, 3, 9], d), (n, d)).astype(float), rng.choice([0.1, 0.4]), seed)
        y = np.where(rng.random(n) < 0.6, np.isnan(X).sum(axis=1) % n_classes, rng.integers(0, n_classes, n))
        y[:n_classes] = np.arange(n_classes)[: len(y)]
        weights = rng.integers(1, 4, n) if seed % 2 else np.ones(n, int)
        rule = {"max_features": max_features, "min_samples_leaf": 1 + seed % 3}
        tree = Tree(name, random_state=seed, **rule, **options).fit(X, y, weights)
        root = naive.grow(
            np.repeat(X, weights, axis=0),
            np.repeat(y, weights),
            name,
            parameter,
            seed=np.random.RandomState(seed).randint(np.iinfo(np.int32).max),
            n_classes=max(2, tree.n_classes_),
            **rule,
        )
        naive.assert_same_tree(tree.tree_, root)
        infinite += np.isinf(tree.tree_.threshold).sum()
        learnt += tree.tree_.missing_go_to_left.sum()
    assert infinite > 2 and learnt > 5


@pytest.mark.parametrize("rule", [{"max_depth": 5, "min_samples_leaf": 5}, {"min_samples_leaf": 15}], ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_trees_are_those_of_scikit_learn(criterion, n_classes, rule):
    for seed in range(3):
        X, y = continuous(n_classes, seed=seed)
        weights = np.random.default_rng(seed).uniform(0.5, 1.5, len(y))  # so that no two splits tie
        ours = Tree(criterion, **rule).fit(X, y, weights)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **rule).fit(X, y, weights)
        new, _ = continuous(n_classes, 5000, 0.3, seed + 10)
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


@pytest.mark.parametrize("max_features", [None, 2])
def test_gaps_that_training_had_none_of_go_to_the_larger_child(max_features):
    X, y = continuous(share=0.0)
    X = np.where(np.isnan(X), 0.5, X)
    rule = {"max_depth": 3, "random_state": 0}
    ours = Tree(max_features=max_features, **rule).fit(X, y)
    gaps = with_gaps(X, 0.4)
    if max_features is None:
        theirs = DecisionTreeClassifier(**rule).fit(X.astype(np.float32), y)
        np.testing.assert_allclose(ours.predict_proba(gaps), theirs.predict_proba(gaps))
    tree = ours.tree_
    for x, leaf in zip(gaps[:200], ours.apply(gaps[:200]), strict=True):
        row = 0
        while tree.children_left[row] != -1:
            value, children = x[tree.feature[row]], (tree.children_left[row], tree.children_right[row])
            heavier = children[0] if tree.counts[children[0]].sum() > tree.counts[children[1]].sum() else children[1]
            row = heavier if np.isnan(value) else children[0 if value <= tree.threshold[row] else 1]
        assert row == leaf


def test_samples_reach_the_leaves_that_counted_them():
    X, y = continuous()
    weights = np.random.default_rng(1).random(len(y))
    for sample_weight in (None, weights):
        fitted = Tree("misclassification").fit(X, y, sample_weight)
        leaves, tree = fitted.apply(X), fitted.tree_
        mass = np.zeros((tree.node_count, 3))
        np.add.at(mass, (leaves, y), 1 if sample_weight is None else sample_weight)
        at_leaves = tree.children_left == -1
        np.testing.assert_allclose(mass[at_leaves], tree.counts[at_leaves])
        path = fitted.decision_path(X)
        assert np.array_equal(path.indices[path.indptr[1:] - 1], leaves)
        sizes = np.asarray(path.sum(axis=0)).ravel()
        assert np.array_equal(sizes, tree.n_node_samples)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_forests(n_jobs):
    X, y = continuous(n=1000, share=0.3)
    forest = Forest(30, oob_score=True, n_jobs=n_jobs).fit(X, y)
    theirs = RandomForestClassifier(30, oob_score=True, random_state=0).fit(X, y)
    assert forest.oob_score_ == pytest.approx(theirs.oob_score_, abs=0.04)
    encoded = Forest(30, n_jobs=2).fit(encode(X), y)
    assert np.array_equal(encoded.predict_proba(encode(X)), forest.predict_proba(X))
    again = pickle.loads(pickle.dumps(forest))
    assert np.array_equal(again.apply(X), forest.apply(X))
    members = [member.apply(X) for member in forest.estimators_]
    assert np.array_equal(np.column_stack(members), forest.apply(X))


@pytest.mark.parametrize("kind", [RobustDecisionTreeClassifier, RobustRandomForestClassifier])
def test_scikit_learns_copies_predict_the_same(kind):
    X, y = continuous(n=600)
    ours = kind(criterion="entropy", random_state=0).fit(X, y)
    theirs = ours.to_sklearn()
    assert np.array_equal(theirs.apply(X), ours.apply(X))
    np.testing.assert_allclose(theirs.predict_proba(X), ours.predict_proba(X), atol=1e-12)


def test_pruned_trees_keep_the_directions():
    X, y = continuous(n=600)
    whole = Tree().fit(X, y)
    for depth, pruned in zip((1, 4), whole.prune_path(max_depth=(1, 4)), strict=True):
        grown = Tree(max_depth=depth).fit(X, y)
        assert np.array_equal(pruned.predict_proba(X), grown.predict_proba(X))
        assert np.array_equal(pruned.tree_.missing_go_to_left, grown.tree_.missing_go_to_left)
    few = Tree(max_leaf_nodes=4).fit(X, y)
    assert few.get_n_leaves() == 4
    assert len(few.tree_.missing_go_to_left) == 7 and not few.tree_.missing_go_to_left[few.tree_.feature < 0].any()
