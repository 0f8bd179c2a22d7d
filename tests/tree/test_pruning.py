"""Pruning against forests grown under stricter rules, scikit-learn, a twin that looks at every node, and formulas."""

import naive_criteria as naive
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tree.shared import COLUMNS, Forest, Tree, assert_same_trees, continuous, tied, trees_of

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.tree.cost_complexity import node_impurities, weakest_links


@pytest.mark.parametrize("bootstrap", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "credal"])
def test_the_path_of_a_forest_is_that_of_forests_grown_anew(criterion, bootstrap):
    X, y = tied(1)
    forest = Forest(4, criterion=criterion, bootstrap=bootstrap, random_state=2, s=0.3)
    whole = forest.fit(X, y)
    for name, values in {"min_samples_split": [2, 8, 40], "max_depth": [None, 6, 1], "ccp_alpha": [0, 0.004]}.items():
        for value, pruned in zip(values, whole.prune_path(**{name: values}), strict=True):
            grown = RobustRandomForestClassifier(**{**forest.get_params(), name: value}).fit(X, y)
            assert pruned.get_params() == grown.get_params()
            assert_same_trees(pruned, grown)


def test_pruned_copies_share_nothing_that_can_be_changed():
    X, y = tied(2)
    options = {"criterion": "negative_exponential", "lam": 0.5, "random_state": 0}
    for estimator in (Tree(**options), Forest(2, **options)):
        whole = estimator.fit(X, y)
        before = whole.predict_proba(X)
        [copy] = whole.prune_path(min_samples_split=[2])
        for tree in trees_of(copy):
            for name in COLUMNS:
                getattr(tree, name)[:] = 0
            tree.parameters["lam"] = 3
        copy.classes_[:] = 9
        assert np.array_equal(whole.predict_proba(X), before) and set(whole.predict(X)) <= {0, 1, 2}
        assert [tree.parameters["lam"] for tree in trees_of(whole)] == [0.5] * len(trees_of(whole))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("criterion", "unit"), [("gini", 1.0), ("entropy", np.log(2))])
def test_cost_complexity_pruning_is_that_of_scikit_learn(criterion, unit, n_classes):
    X, y = continuous(n_classes)
    options = {"criterion": criterion, "max_depth": 4}
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    for weight in (None, weights):
        ours = Tree(**options).cost_complexity_pruning_path(X, y, weight)
        theirs = DecisionTreeClassifier(**options, random_state=0).cost_complexity_pruning_path(X, y, weight)
        np.testing.assert_allclose(ours.ccp_alphas, unit * theirs.ccp_alphas, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(ours.impurities, unit * theirs.impurities, rtol=1e-9)
    assert len(ours.ccp_alphas) > 8
    for alpha in (0.0005, 0.002, 0.01, 0.5):
        ours = RobustDecisionTreeClassifier(criterion, max_depth=4, ccp_alpha=unit * alpha).fit(X, y)
        theirs = DecisionTreeClassifier(**options, ccp_alpha=alpha, random_state=0).fit(X, y)
        assert ours.tree_.node_count == theirs.tree_.node_count
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    assert ours.tree_.node_count == 1


@pytest.mark.parametrize("leaves", [2, 3, 7, 20, 1000])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_best_first_trees_are_scikit_learns(criterion, leaves):
    rng = np.random.default_rng(leaves)
    X = rng.normal(size=(3000, 5)).astype(np.float32).astype(float)
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=3000) > 1).astype(int) + (X[:, 2] > 1)
    limits = {"max_leaf_nodes": leaves, "min_samples_leaf": 60, "random_state": 0}  # no ties among small nodes
    ours = Tree(criterion, **limits).fit(X, y)
    theirs = DecisionTreeClassifier(criterion=criterion, **limits).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves() <= leaves
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "twoing"])
def test_the_largest_gain_by_the_share_of_the_samples_is_split_first(criterion):
    X, y = tied(3)
    whole, few = (Tree(criterion, max_leaf_nodes=leaves).fit(X, y).tree_ for leaves in (None, 9))
    share = whole.weighted_n_node_samples / len(y)
    gain, waiting, inner = whole.gain * (share if criterion == "twoing" else 1.0), [0], []
    while len(inner) < 8:
        row = max(waiting, key=lambda row: (gain[row], -row))
        waiting += [whole.children_left[row], whole.children_right[row]]
        inner.append(waiting.pop(waiting.index(row)))
    assert sorted(whole.counts[inner].tolist()) == sorted(few.counts[few.children_left >= 0].tolist())


IMPURITIES = [case for case in naive.settings(2, 3, 7) if case[0] in naive.IMPURITIES]


def naive_steps(left, right, risk):
    final = left == -1

    def below(row):
        """Risk and number of the leaves below a node."""
        if final[row]:
            return risk[row], 1
        (a, m), (b, n) = below(left[row]), below(right[row])
        return a + b, m + n

    def inner(row=0):
        return [] if final[row] else [row, *inner(left[row]), *inner(right[row])]

    alphas, impurities, prices = [], [], [-1.0] * len(left)
    while inner():
        links = [((risk[row] - below(row)[0]) / (below(row)[1] - 1), row) for row in inner()]
        alpha, row = min(links)
        alphas.append(alpha)
        for gone in inner(row):
            prices[gone] = max(alphas)
        final[row] = True
        impurities.append(below(0)[0])
    return alphas, impurities, prices


@pytest.mark.parametrize("leaves", [2, 3, 8, 33])
def test_links_are_collapsed_as_by_the_twin(leaves):
    n_tied = 0
    for seed in range(10):
        tree = Tree(max_leaf_nodes=leaves).fit(*tied(seed, 64)).tree_
        left, right = tree.children_left, tree.children_right
        risk = (tree.counts.sum(axis=1) - tree.counts.max(axis=1)) / 64  # so that sums are exact and links tie
        found = [part.tolist() for part in weakest_links(left, right, risk)]
        assert found == [list(map(float, part)) for part in naive_steps(left, right, risk)]
        n_tied += len(found[0]) - len(set(found[0]))
    assert n_tied > 0 or leaves < 8


@pytest.mark.parametrize(("name", "parameters", "n_classes"), IMPURITIES)
def test_impurities_are_those_of_the_definitions(name, parameters, n_classes):
    counts = np.random.default_rng(0).integers(0, 30, (50, n_classes))
    counts[0] = 400
    counts[1] = np.eye(n_classes)[1] * 9
    proportions = counts / counts.sum(axis=1, keepdims=True)
    expected = naive.IMPURITIES[name](proportions, *parameters.values())
    found = node_impurities(name, parameters, counts)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-15)
    assert found[1] == 0


def test_narrow_counts_are_widened_before_they_are_squared():
    counts = np.array([[300_000, 300_000, 1], [300_000, 0, 0], [0, 300_000, 1]], np.int32)
    shares = counts / counts.sum(axis=1, keepdims=True)
    found = node_impurities("gini", {}, counts)
    np.testing.assert_allclose(found, 1 - np.square(shares).sum(axis=1), atol=1e-12)
