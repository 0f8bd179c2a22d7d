"""Rounds of the boosters that add a tree per round, worked out by hand, and the potential that two of them keep."""

import math

import numpy as np
import pytest
from boosting.samples import X_HAND, Y_HAND, problem
from scipy.special import erf, erfc, erfinv

import ironbark
from ironbark import BrownBoostClassifier, RobustBoostClassifier
from ironbark.boosting.stagewise.robustboost import Potential

LEAVES = [[0.0], [1.0]]
PERFECT = np.arange(20.0)[:, None], np.where(np.arange(20) > 7, 1, -1)
WRONG = 3 / 20


def test_adaboost():
    model = ironbark.AdaBoostClassifier(n_estimators=2, record_weights=True).fit(X_HAND, Y_HAND)
    first = 0.5 * math.log(17 / 3)
    # the 3 wrong ones now weigh 1/6 each, the 17 right ones 1/34: both leaves vote for +1, 8/34 + 1/6 are against it
    error = 8 / 34 + 1 / 6
    second = 0.5 * math.log((1 - error) / error)
    stages = np.array(list(model.staged_decision_function(LEAVES)))
    assert stages == pytest.approx(np.array([[-first, first], [second - first, second + first]]), rel=1e-12)
    assert model.estimator_errors_.tolist() == pytest.approx([WRONG, error], rel=1e-12)
    assert model.sample_weights_[1, [0, 8]].tolist() == pytest.approx([1 / 34, 1 / 6], rel=1e-12)


def test_adaboost_ends_with_a_perfect_tree_and_before_one_without_edge():
    model = ironbark.AdaBoostClassifier().fit(*PERFECT)
    assert model.stop_reason_ == "perfect tree" and model.estimator_weights_.tolist() == [0.5]
    assert np.array_equal(model.predict(PERFECT[0]), PERFECT[1])
    X, y = np.zeros((40, 1)), np.arange(40) < 10  # a constant vote, then weights that are balanced
    model = ironbark.AdaBoostClassifier().fit(X, y)
    assert model.stop_reason_ == "no edge" and len(model.estimators_) == 1
    assert model.decision_function(X[:1])[0] == pytest.approx(-0.5 * math.log(3), rel=1e-12)


def test_logitboost_of_three_classes():
    y = np.array(list("aaaaaabbbc" + "bbcccccccc"))
    # p = 1/3, z = 3 or -3/2, so a leaf with share q has f = 4.5 q - 1.5, which sum to 0; F = 2/3 f = 3 q - 1
    model = ironbark.LogitBoostClassifier(n_estimators=1, record_weights=True).fit(X_HAND, y)
    expected = 3 * np.array([[0.6, 0.3, 0.1], [0, 0.2, 0.8]]) - 1
    assert model.decision_function(LEAVES) == pytest.approx(expected, abs=1e-12)
    assert model.predict(LEAVES).tolist() == ["a", "c"]
    assert model.sample_weights_.shape == (1, 3, 20) and np.allclose(model.sample_weights_, 1 / 20)
    odds = np.exp(expected)
    assert model.predict_proba(LEAVES) == pytest.approx(odds / odds.sum(axis=1, keepdims=True), rel=1e-12)


ERROR_10 = erfinv(0.9) ** 2  # the c whose final training error is 0.1


@pytest.mark.parametrize("c", [0.5, ERROR_10, 10.0])
def test_a_perfect_tree_of_brownboost(c):
    X, y = PERFECT
    model = ironbark.BrownBoostClassifier(c=c).fit(X, y)
    # all time passes, and 1 - erf((D + c - c) / sqrt(c)) = 1 - erf(sqrt(c)) makes the step D = c
    assert model.estimator_weights_ == pytest.approx([c], rel=1e-9)
    assert model.stop_reason_ == "end of time" and model.remaining_.tolist() == [c, 0]
    assert model.predict_proba(X)[:, 1] == pytest.approx((1 + y * erf(math.sqrt(c))) / 2, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_tree_below_the_goal_ends_robustboost(wrong):
    y = np.array([0] * 10 + [1] * (10 - wrong) + [0] * wrong)
    model = ironbark.RobustBoostClassifier().fit(X_HAND, y)
    # time 1 is reached at once; there a wrong one has potential 1, so (1 - q) (1 - erf(D / 0.1)) + q = 0.1
    assert model.steps_ == pytest.approx([0.1 * erfinv(0.9 if not wrong else 1 - 1 / 19)], rel=1e-9)
    assert model.times_.tolist() == [0, 1] and model.stop_reason_ == "end of time"


def brown(c):
    """A booster, its mean potential, its times, and potential and weight of a margin when so much time is left."""
    laws = lambda m, s: erfc((m + s) / math.sqrt(c)), lambda m, s: np.exp(-((m + s) ** 2) / c)
    return BrownBoostClassifier(c=c, random_state=0), erfc(math.sqrt(c)), "remaining_", 0.0, *laws


def robust(goal):
    law = Potential(goal)
    return RobustBoostClassifier(error_goal=goal, random_state=0), goal, "times_", 1.0, law.potential, law.weight


@pytest.mark.parametrize("noise", [0.3, 1.5])
@pytest.mark.parametrize(
    "case", [brown(erfinv(0.9) ** 2), brown(10.0), robust(0.02), robust(0.1), robust(0.2)], ids=lambda case: case[0]
)
def test_potential_is_kept_and_no_correlation_is_left(case, noise):
    booster, goal, name, end, potential, weight = case
    X, y, prior = problem(n=250, d=4, noise=noise)
    model = booster.fit(X, y, sample_weight=prior)
    times = getattr(model, name)
    steps = np.diff(times) * (1 if end else -1)
    assert (steps > 0).all() and times[-1] == end and model.stop_reason_ == "end of time"
    for score, time, tree in zip(model.staged_decision_function(X), times[1:], model.estimators_, strict=True):
        margin = y * score
        assert np.average(potential(margin, time), weights=prior) == pytest.approx(goal, rel=1e-6)
        if time != end:
            assert abs(np.average(y * tree.predict(X), weights=prior * weight(margin, time))) < 1e-6
    assert np.average(margin < 0, weights=prior) <= goal + 1e-6


EXTREME = [BrownBoostClassifier(c) for c in (1e-6, 1e-3, 100.0, 700.0)] + [
    RobustBoostClassifier(**change)
    for change in ({"error_goal": 1e-9}, {"error_goal": 0.999}, {"margin_sigma": 1e-6}, {"max_margin": 5})
]


@pytest.mark.parametrize("booster", EXTREME)
def test_extreme_parameters_stay_finite_and_end(booster):
    X, y, _ = problem(n=100)
    model = booster.set_params(n_estimators=20, random_state=0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all() and model.stop_reason_
    if hasattr(model, "predict_proba"):
        assert np.isfinite(model.predict_proba(X)).all() and (model.c < 700 or model.estimators_)
