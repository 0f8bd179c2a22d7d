"""XGBoost with a quadratic loss against its own derivatives, a slow twin, and a round worked out by hand."""

import naive_boosters
import numpy as np
import pytest
from boosting.samples import X_HAND, Y_HAND, problem
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import StratifiedShuffleSplit

from ironbark.boosting import QuadraticXGBClassifier

xgboost = pytest.importorskip("xgboost", reason="the package xgboost is not installed")


def test_first_round_by_hand():
    # a leaf of 10 samples whose y = +-1 sum to s has the gradient -2 s and the value 2 s / (2 * 10 + reg_lambda)
    model = QuadraticXGBClassifier(n_estimators=1).fit(X_HAND, Y_HAND)
    expected = [0.1 * 2 * -6 / 21, 0.1 * 2 * 8 / 21]
    assert model.decision_function([[0.0], [1.0]]) == pytest.approx(expected, rel=1e-6)
    assert model.predict_proba([[1.0]])[0, 1] == pytest.approx((1 + expected[1]) / 2, rel=1e-6)


PARAMS = [
    {"max_depth": 2, "learning_rate": 0.3},
    {"max_depth": 6, "reg_lambda": 3.0, "learning_rate": 1.0},
    {"max_depth": 3, "gamma": 2.0, "learning_rate": 0.3},
]


@pytest.mark.parametrize("params", PARAMS)
def test_scores_against_the_naive_twin(params):
    X, y, prior = problem(n=80, d=3)
    model = QuadraticXGBClassifier(n_estimators=4, min_child_weight=0.0, **params).fit(X, y, sample_weight=prior)
    expected = naive_boosters.quadratic(X, y, prior, 4, **params)
    assert np.allclose(list(model.staged_decision_function(X)), expected, rtol=1e-4, atol=1e-5)  # theirs are float32


@pytest.mark.parametrize("params", PARAMS)
def test_scores_with_its_derivatives_as_an_objective(params):
    X, y, prior = problem(n=200, d=3)  # fewer than bins, whose places depend on weights

    def derivatives(score, data):
        return prior * 2 * (score - data.get_label()), prior * 2.0

    ours = QuadraticXGBClassifier(n_estimators=20, min_child_weight=5.0, **params).fit(X, y, sample_weight=prior)
    options = {"base_score": 0.0, "min_child_weight": 5.0, "nthread": 1} | params
    theirs = xgboost.train(options, xgboost.DMatrix(X, y), 20, obj=derivatives)
    expected = theirs.predict(xgboost.DMatrix(X), output_margin=True)
    assert np.allclose(ours.decision_function(X), expected, rtol=1e-4, atol=1e-4)


def test_the_default_loses_at_most_one_point_to_xgboost():
    """On clean labels; with XGBoost's own defaults it loses two."""
    tasks = [(load_breast_cancer, 0), (load_wine, 0), (load_wine, 1), (load_wine, 2)]
    differences = []
    for load, label in tasks:
        X, y = load(return_X_y=True)
        y = y == label
        for train, test in StratifiedShuffleSplit(8, test_size=0.3, random_state=0).split(X, y):
            theirs = xgboost.XGBClassifier(n_jobs=1).fit(X[train], y[train])
            ours = QuadraticXGBClassifier().fit(X[train], y[train])
            differences.append(ours.score(X[test], y[test]) - theirs.score(X[test], y[test]))
    assert np.mean(differences) > -0.01


def test_the_scale_of_weights_counts():
    X, y, prior = problem(n=80, d=3)
    once, twice = (QuadraticXGBClassifier().fit(X, y, sample_weight=scale * prior) for scale in (1, 2))
    assert not np.array_equal(once.decision_function(X), twice.decision_function(X))
