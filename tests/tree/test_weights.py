"""Integer sample weights, threads and feature importances."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from tree.whole import Forest, Tree

import ironbark
from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.tree.growing.nodes import SMALL
from ironbark.tree.size_selection import grown_on


def problem(n_classes, seed=0, n=120, d=6):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 7, (n, d)).astype(float), rng.integers(0, n_classes, n), rng.integers(0, 4, n)


def test_large_weights_do_not_overflow():
    X, y, weights = problem(3)
    weights *= SMALL  # below, what is drawn depends on the weight of a node
    plain = Tree(max_features=2).fit(X, y, sample_weight=weights).tree_
    large = Tree(max_features=2).fit(X, y, sample_weight=400 * weights).tree_
    assert np.array_equal(400 * plain.counts, large.counts)


@pytest.mark.parametrize("weight", [2**18, 2**20])
def test_integers_beyond_what_counts_hold_are_real_weights(weight):
    X, y, weights = problem(2)
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


@pytest.mark.parametrize("names", [[0, 1, 2], ["x", "y", "z"]])
def test_class_weights_multiply_the_weights_of_samples(names):
    X, y, weights = problem(3)
    named, factor = np.array(names)[y], np.array([2, 1, 3])
    class_weight = {names[0]: 2, names[2]: 3.0}  # what is not named counts once
    for estimator in (
        Tree(random_state=1),
        Forest(3, random_state=1),
    ):
        for weight, product in ((None, factor[y]), (weights, weights * factor[y])):
            expected = clone(estimator).fit(X, named, product).predict_proba(X)
            found = clone(estimator).set_params(class_weight=class_weight).fit(X, named, weight).predict_proba(X)
            assert np.array_equal(found, expected)


@pytest.mark.parametrize("estimator", [RobustDecisionTreeClassifier, RobustRandomForestClassifier])
def test_a_refused_refit_leaves_the_estimator_as_it_was(estimator):
    X, y = load_iris(return_X_y=True)
    model = estimator(random_state=0).fit(pd.DataFrame(X, columns=list("abcd")), y)
    before, proba = set(vars(model)), model.predict_proba(pd.DataFrame(X, columns=list("abcd")))
    for other, labels, weights in [
        (X[:, :2], y > 0, -np.ones(150)),
        (X[:, :3], np.array(list("xy"))[y % 2], np.zeros(150)),
        (ironbark.encode(X[:, :2]), y > 0, np.ones(3)),
        (X[:9], y, None),
    ]:
        with pytest.raises(ValueError):
            model.fit(other, labels, sample_weight=weights)
        assert set(vars(model)) == before and model.classes_.tolist() == [0, 1, 2] and model.n_features_in_ == 4
        assert np.array_equal(model.predict_proba(pd.DataFrame(X, columns=list("abcd"))), proba)


@pytest.mark.parametrize("estimator", [RobustDecisionTreeClassifier, RobustRandomForestClassifier])
def test_encoded_features_have_no_names(estimator):
    X, y = load_iris(return_X_y=True)
    model = estimator(random_state=0).fit(pd.DataFrame(X, columns=list("abcd")), y)
    assert list(model.feature_names_in_) == list("abcd")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.fit(ironbark.encode(X[:, :2]), y).predict(X[:, :2]).shape == (150,)
    assert not hasattr(model, "feature_names_in_") and model.n_features_in_ == 2


def test_copies_are_counted_exactly():
    """The number of samples times their mean weight is less than the sum of the weights by rounding."""
    sums = [(n, total) for n in range(2, 120) for total in range(1, 1200) if int(n * (total / n)) != total]
    assert len(sums) > 100
    for n, total in sums[:200]:
        weights = np.full(n, total // n)
        weights[: total % n] += 1
        assert grown_on(n, weights) == total
