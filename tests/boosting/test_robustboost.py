"""RobustBoost: a round by hand, a slow twin, its differential equation, and how it ends."""

import math

import naive_boosters
import numpy as np
import pytest
from boosting.samples import X_HAND, Y_HAND, problem
from scipy.special import erfinv

from ironbark.boosting import RobustBoostClassifier
from ironbark.boosting.stagewise.robustboost import Potential


def test_constants_of_the_defaults():
    law = Potential()
    assert [law.rho, law.mu(0), law.sigma(0)] == pytest.approx([0.8604, -2.9568, 2.5422], abs=5e-5)
    assert [law.mu(1), law.sigma(1)] == pytest.approx([0, 0.1], abs=1e-12)


@pytest.mark.parametrize("goal", [0.02, 0.1, 0.4])
@pytest.mark.parametrize("theta", [0.0, 0.3])
def test_law_of_the_potential(goal, theta):
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


def test_a_perfect_tree_by_hand():
    X, y = np.arange(20.0)[:, None], np.where(np.arange(20) > 7, 1, -1)
    model = RobustBoostClassifier().fit(X, y)
    # time 1 is reached at once: 1 - erf(D / 0.1) = 0.1
    assert model.estimator_weights_ == pytest.approx([0.1 * erfinv(0.9)], rel=1e-9)
    assert model.times_.tolist() == [0, 1] and model.stop_reason_ == "end of time"


def test_a_tree_below_the_goal_ends_the_fit():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.array([0] * 10 + [1] * 9 + [0])  # one of 20 is wrong
    model = RobustBoostClassifier().fit(X, y)
    # at time 1 the wrong one has potential 1, so 19/20 (1 - erf(D / 0.1)) + 1/20 = 0.1
    assert model.steps_ == pytest.approx([0.1 * erfinv(1 - 1 / 19)], rel=1e-9)
    assert model.times_.tolist() == [0, 1]


def test_first_round_by_hand():
    model = RobustBoostClassifier(n_estimators=1).fit(X_HAND, Y_HAND)  # 3 of 20 are wrong, more than the goal
    size, t, q = model.steps_[0], model.times_[1], 0.15
    e = math.e
    rho = math.sqrt(1.01 * e**2 - 1) * erfinv(0.9) / (2 * (e - 1))
    mu, sigma = -2 * rho * math.exp(1 - t) + 2 * rho, math.sqrt(1.01 * math.exp(2 * (1 - t)) - 1)
    right, wrong = (size - mu) / sigma, (-size - mu) / sigma
    assert 0 < t < 1 and wrong > 0
    assert right**2 - wrong**2 == pytest.approx(math.log((1 - q) / q), rel=1e-8)  # no correlation is left
    assert (1 - q) * math.erfc(right) + q * math.erfc(wrong) == pytest.approx(0.1, rel=1e-8)
    assert model.decays_ == pytest.approx([math.exp(-t)], rel=1e-12)


@pytest.mark.parametrize(("seed", "max_leaf_nodes", "theta"), [(0, 2, 0.0), (3, 3, 0.0), (5, 2, 0.2)])
def test_scores_against_the_naive_twin(seed, max_leaf_nodes, theta):
    X, y, prior = problem(seed, n=40, noise=1.5)
    params = {"max_leaf_nodes": max_leaf_nodes, "min_samples_split": 10}
    model = RobustBoostClassifier(max_margin=theta, n_estimators=3, random_state=0, **params)
    model.fit(X, y, sample_weight=prior)
    stages, times = naive_boosters.robustboost(X, y, prior, 3, theta=theta, **params)
    assert np.allclose(model.times_[1:], times, rtol=1e-6, atol=1e-8)
    assert np.allclose(list(model.staged_decision_function(X)), stages, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("goal", [0.02, 0.1, 0.2])
@pytest.mark.parametrize("noise", [0.3, 1.5])
def test_potential_is_kept_and_the_goal_is_met(goal, noise):
    X, y, prior = problem(n=250, d=4, noise=noise)
    model = RobustBoostClassifier(error_goal=goal, random_state=0).fit(X, y, sample_weight=prior)
    law = Potential(goal)
    assert (np.diff(model.times_) > 0).all() and model.times_[0] == 0 and model.times_[-1] <= 1
    for score, t, tree in zip(model.staged_decision_function(X), model.times_[1:], model.estimators_, strict=True):
        margin = y * score
        assert np.average(law.potential(margin, t), weights=prior) == pytest.approx(goal, rel=1e-6)
        if t < 1:
            weight = prior * law.weight(margin, t)
            assert abs(np.average(y * tree.predict(X), weights=weight)) < 1e-6
    assert model.stop_reason_ == "end of time" and np.average(margin <= 0, weights=prior) <= goal + 1e-6


def test_rounds_are_bounded():
    X, y, _ = problem(n=250, noise=5.0)
    model = RobustBoostClassifier(error_goal=0.01, n_estimators=2, random_state=0).fit(X, y)
    assert model.stop_reason_ == "all rounds run" and len(model.estimators_) == 2 and model.times_[-1] < 1


@pytest.mark.parametrize(
    "change", [{"error_goal": 1e-9}, {"error_goal": 0.999}, {"margin_sigma": 1e-6}, {"max_margin": 5}]
)
def test_extreme_parameters_stay_finite_and_end(change):
    X, y, _ = problem(n=100)
    model = RobustBoostClassifier(n_estimators=20, random_state=0, **change).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all() and model.stop_reason_
