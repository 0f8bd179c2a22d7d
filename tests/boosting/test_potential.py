"""The potential that BrownBoost and RobustBoost keep: its law, what is left of it, and the end of time."""

import math

import numpy as np
import pytest
from boosting.samples import problem
from scipy.special import erfc, erfinv

from ironbark import BrownBoostClassifier, RobustBoostClassifier
from ironbark.boosting.stagewise.robustboost import Potential


@pytest.mark.parametrize("goal", [0.02, 0.1, 0.4])
@pytest.mark.parametrize("theta", [0.0, 0.3])
def test_differential_equation_of_robustboost(goal, theta):
    law = Potential(goal, theta, 0.2)
    assert float(law.potential(0.0, 0.0)) == pytest.approx(goal, rel=1e-12)
    assert law.mu(1) == pytest.approx(theta, abs=1e-12) and law.sigma(1) == pytest.approx(0.2, rel=1e-12)
    h = 1e-4
    for m, t in [(-0.5, 0.1), (0.4, 0.3), (1.5, 0.6)]:  # where it is not clipped
        centre = law.potential(m, t)
        assert 0 < centre < 1
        by_time = (law.potential(m, t + h) - law.potential(m, t - h)) / (2 * h)
        by_margin = (law.potential(m + h, t) - law.potential(m - h, t)) / (2 * h)
        curvature = (law.potential(m + h, t) - 2 * centre + law.potential(m - h, t)) / h**2
        assert by_time + (2 * law.rho - m) * by_margin + curvature / 2 == pytest.approx(0, abs=1e-5)
        assert by_margin == pytest.approx(-2 / math.sqrt(math.pi) / law.sigma(t) * law.weight(m, t), rel=1e-6)
    low = law.mu(0.5) - np.array([0, 0.1, 5])
    assert law.weight(low, 0.5).tolist() == [0, 0, 0] and law.potential(low, 0.5).tolist() == [1, 1, 1]


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
