"""BrownBoost: rounds by hand, Newton's steps where they converge, and the laws of its potential."""

import math

import naive_boosters
import numpy as np
import pytest
from boosting.samples import X_HAND, Y_HAND, problem
from scipy.special import erf, erfc, erfinv

from ironbark.boosting import BrownBoostClassifier

ERROR_10 = erfinv(0.9) ** 2  # the c whose final training error is 0.1


@pytest.mark.parametrize("c", [0.5, ERROR_10, 10.0])
def test_a_perfect_tree_by_hand(c):
    X, y = np.arange(20.0)[:, None], np.where(np.arange(20) > 7, 1, -1)
    model = BrownBoostClassifier(c=c).fit(X, y)
    # all time passes, and 1 - erf((D + c - c) / sqrt(c)) = 1 - erf(sqrt(c)) makes the step D = c
    assert model.estimator_weights_ == pytest.approx([c], rel=1e-9)
    assert model.stop_reason_ == "end of time" and model.remaining_.tolist() == [c, 0]
    assert model.predict_proba(X)[:, 1] == pytest.approx((1 + y * erf(math.sqrt(c))) / 2, rel=1e-9, abs=1e-12)


def test_first_round_by_hand():
    model = BrownBoostClassifier(c=10.0, n_estimators=1).fit(X_HAND, Y_HAND)
    size, left, q = model.steps_[0], model.remaining_[1], 0.15
    # no correlation: (1 - q) exp(-(left + size)^2 / c) = q exp(-(left - size)^2 / c)
    assert size * left == pytest.approx(10 / 4 * math.log((1 - q) / q), rel=1e-9)
    kept = (1 - q) * erfc((left + size) / math.sqrt(10)) + q * erfc((left - size) / math.sqrt(10))
    assert kept == pytest.approx(erfc(math.sqrt(10)), rel=1e-9)


@pytest.mark.parametrize(("seed", "c", "max_leaf_nodes"), [(0, 10.0, 4), (1, 4.0, 6), (4, ERROR_10, 2)])
def test_scores_against_newtons_steps(seed, c, max_leaf_nodes):
    X, y, prior = problem(seed)
    params = {"max_leaf_nodes": max_leaf_nodes, "min_samples_split": 10}
    model = BrownBoostClassifier(c=c, n_estimators=4, random_state=0, **params).fit(X, y, sample_weight=prior)
    stages, times = naive_boosters.brownboost(X, y, prior, 4, c=c, **params)
    assert np.allclose(list(model.staged_decision_function(X)), stages, rtol=1e-6, atol=1e-8)
    assert np.allclose(model.remaining_[1:], times, rtol=1e-7)


@pytest.mark.parametrize("noise", [0.3, 1.5])
@pytest.mark.parametrize("c", [ERROR_10, 10.0])
def test_potential_is_kept_and_no_correlation_is_left(c, noise):
    X, y, prior = problem(n=250, d=4, noise=noise)
    model = BrownBoostClassifier(c=c, random_state=0).fit(X, y, sample_weight=prior)
    assert model.stop_reason_ == "end of time" and 1 < len(model.estimators_) < 1000
    assert (np.diff(model.remaining_) < 0).all() and model.remaining_[0] == c and model.remaining_[-1] == 0
    for score, left, tree in zip(
        model.staged_decision_function(X), model.remaining_[1:], model.estimators_, strict=True
    ):
        margin = y * score
        potential = np.average(erfc((margin + left) / math.sqrt(c)), weights=prior)
        assert potential == pytest.approx(erfc(math.sqrt(c)), rel=1e-6)
        if left > 0:
            weight = prior * np.exp(-((margin + left) ** 2) / c)
            assert abs(np.average(y * tree.predict(X), weights=weight)) < 1e-6
    assert np.average(margin < 0, weights=prior) <= erfc(math.sqrt(c)) + 1e-9


def test_rounds_are_bounded():
    X, y, _ = problem(n=250, noise=5.0)
    model = BrownBoostClassifier(n_estimators=3, random_state=0).fit(X, y)
    assert model.stop_reason_ == "all rounds run" and len(model.estimators_) == 3 and model.remaining_[-1] > 0


@pytest.mark.parametrize("c", [1e-6, 1e-3, 100.0, 700.0])
def test_extreme_times_stay_finite_and_end(c):
    X, y, _ = problem(n=100)
    model = BrownBoostClassifier(c=c, n_estimators=20, random_state=0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all() and model.stop_reason_
    assert np.isfinite(model.predict_proba(X)).all()
    assert c < 700 or model.estimators_
