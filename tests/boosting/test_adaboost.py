"""AdaBoost against scikit-learn's, a slow twin, a round worked out by hand, and the theory of Freund and Schapire."""

import math

import naive_boosters
import numpy as np
import pytest
from boosting.samples import X_HAND, Y_HAND, problem
from sklearn import ensemble
from sklearn.tree import DecisionTreeClassifier

from ironbark.boosting import AdaBoostClassifier


def test_two_rounds_by_hand():
    model = AdaBoostClassifier(n_estimators=2, record_weights=True).fit(X_HAND, Y_HAND)
    first = 0.5 * math.log(17 / 3)
    # the 3 wrong ones now weigh 1/6 each, the 17 right ones 1/34: both leaves vote for +1, 8/34 + 1/6 are against it
    error = 8 / 34 + 1 / 6
    second = 0.5 * math.log((1 - error) / error)
    stages = np.array(list(model.staged_decision_function([[0.0], [1.0]])))
    assert stages == pytest.approx(np.array([[-first, first], [second - first, second + first]]), rel=1e-12)
    assert model.estimator_errors_.tolist() == pytest.approx([3 / 20, error], rel=1e-12)
    assert model.sample_weights_[1, [0, 8]].tolist() == pytest.approx([1 / 34, 1 / 6], rel=1e-12)


@pytest.mark.parametrize(("seed", "max_leaf_nodes", "min_samples_split"), [(0, 4, 10), (1, 6, 10), (2, 3, 2)])
def test_scores_against_the_naive_twin(seed, max_leaf_nodes, min_samples_split):
    X, y, prior = problem(seed)
    params = {"max_leaf_nodes": max_leaf_nodes, "min_samples_split": min_samples_split}
    model = AdaBoostClassifier(n_estimators=4, random_state=0, **params).fit(X, y, sample_weight=prior)
    expected = naive_boosters.adaboost(X, y, prior, 4, **params)
    assert np.allclose(list(model.staged_decision_function(X)), expected, rtol=1e-8, atol=1e-10)


def test_scores_are_those_of_scikit_learn():
    X, y, prior = problem(n=200)
    tree = DecisionTreeClassifier(max_leaf_nodes=11, min_samples_split=10)
    theirs = ensemble.AdaBoostClassifier(tree, n_estimators=20, random_state=0).fit(X, y, sample_weight=prior)
    ours = AdaBoostClassifier(n_estimators=20, random_state=0).fit(X, y, sample_weight=prior)
    total = theirs.estimator_weights_.sum()  # by which scikit-learn divides; its weights and its votes count twice
    assert np.allclose(ours.decision_function(X), theirs.decision_function(X) * total / 4, rtol=1e-10, atol=1e-12)
    assert np.array_equal(ours.predict(X), theirs.predict(X))


def test_a_tree_errs_on_half_of_the_weights_that_it_leads_to():
    X, y, prior = problem(n=200)
    model = AdaBoostClassifier(n_estimators=30, random_state=0, record_weights=True).fit(X, y, sample_weight=prior)
    wrong = [tree.predict(X) != y for tree in model.estimators_]
    assert len(wrong) == 30
    for before, weights in zip(wrong[:-1], model.sample_weights_[1:], strict=True):
        assert weights[before].sum() == pytest.approx(0.5, abs=1e-9)
    for now, weights, error in zip(wrong, model.sample_weights_, model.estimator_errors_, strict=True):
        assert weights[now].sum() == pytest.approx(error, abs=1e-12)


def test_training_error_is_bounded_by_the_product_of_the_normalisers():
    X, y, _ = problem(n=200)
    model = AdaBoostClassifier(n_estimators=30, random_state=0).fit(X, y)
    bound = np.cumprod(2 * np.sqrt(model.estimator_errors_ * (1 - model.estimator_errors_)))
    for score, most in zip(model.staged_decision_function(X), bound, strict=True):
        assert np.mean(y * score <= 0) <= most + 1e-12
        assert np.mean(np.exp(-y * score)) == pytest.approx(most, rel=1e-9)


def test_a_perfect_tree_is_kept_and_ends_the_fit():
    X, y = np.arange(20.0)[:, None], np.arange(20) > 7
    model = AdaBoostClassifier().fit(X, y)
    assert model.stop_reason_ == "perfect tree" and model.estimator_weights_.tolist() == [0.5]
    assert np.array_equal(model.predict(X), y)


def test_a_later_tree_without_edge_is_dropped():
    X, y = np.zeros((40, 1)), np.arange(40) < 10  # a constant vote, then weights that are balanced
    model = AdaBoostClassifier().fit(X, y)
    assert model.stop_reason_ == "no edge" and len(model.estimators_) == 1
    assert model.decision_function(X[:1])[0] == pytest.approx(-0.5 * math.log(3), rel=1e-12)
