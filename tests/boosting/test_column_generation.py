"""What RMBoost and LPBoost share: recorded weights, and linear programs that fail."""

import re

import numpy as np
import pytest
from boosting.linear_programs import problem
from sklearn.base import clone

from ironbark import LPBoostClassifier, RMBoostClassifier
from ironbark.boosting.minimax import interior_point
from ironbark.boosting.minimax.linear_program import Model, SolverError

BOOSTERS = {
    "central": RMBoostClassifier(n_estimators=6, random_state=0),
    "vertex": RMBoostClassifier(n_estimators=6, lp_solution="vertex", random_state=0),
    "dual": RMBoostClassifier(n_estimators=6, lp_solution="vertex", formulation="dual", random_state=0),
    "soft": LPBoostClassifier(n_estimators=6, random_state=0),
    "bootstrap": LPBoostClassifier(n_estimators=6, base="bootstrap", random_state=0),
}


@pytest.fixture(params=BOOSTERS)
def booster(request):
    if request.param != "central":
        pytest.importorskip("highspy")
    return clone(BOOSTERS[request.param])


def test_recorded_weights_are_those_that_a_shorter_fit_ends_with(booster):
    X, y = problem(1, n=120, d=4)
    share = np.random.default_rng(0).integers(0, 3, 120).astype(float)
    kept = share > 0
    plain = clone(booster).fit(X, y, share)
    model = booster.set_params(record_weights=True).fit(X, y, share)
    weights = model.sample_weights_
    assert weights.shape == (len(model.estimators_), kept.sum()) and len(weights) > 1
    assert np.allclose(np.abs(weights).sum(axis=1), 1, rtol=1e-12)
    assert np.allclose(weights[0], share[kept] / share.sum(), rtol=1e-12)
    for rounds in range(1, len(weights)):
        last = y[kept] * clone(booster).set_params(n_estimators=rounds).fit(X, y, share).weights_
        assert np.allclose(weights[rounds], last / np.abs(last).sum(), rtol=1e-12)
    if isinstance(model, LPBoostClassifier):
        assert weights.min() >= 0
    assert not hasattr(plain, "sample_weights_")
    assert np.array_equal(plain.mu_, model.mu_) and np.array_equal(plain.weights_, model.weights_)


def answering(monkeypatch, answers):
    """Let HiGHS solve, but report these statuses, one per call; "kOptimal" behind the last one."""
    run = Model._run
    monkeypatch.setattr(Model, "_run", lambda self: (run(self), answers.pop(0) if answers else "kOptimal")[1])


@pytest.mark.parametrize("name", ["vertex", "dual", "soft"])
def test_one_failure_is_mended(monkeypatch, name):
    pytest.importorskip("highspy")
    X, y = problem(9)
    expected = clone(BOOSTERS[name]).fit(X, y)
    answering(monkeypatch, ["kUnknown"])
    model = clone(BOOSTERS[name]).fit(X, y)
    assert model.edges_[0] == expected.edges_[0]
    optima = "margins_" if name == "soft" else "risks_"
    assert getattr(model, optima)[0] == pytest.approx(getattr(expected, optima)[0], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "who", "remedy"),
    [
        ("vertex", "RMBoostClassifier", "try another lp_solution or tol"),
        ("dual", "RMBoostClassifier", "try another lp_solution or tol"),
        ("soft", "LPBoostClassifier", "try another tol"),
    ],
)
def test_two_failures_end_the_fit(monkeypatch, name, who, remedy):
    pytest.importorskip("highspy")
    X, y = problem(9)
    sentence = f"{who}, round 1: HiGHS ended with status kTimeLimit, and from scratch with status kUnknown; {remedy}."
    answering(monkeypatch, ["kTimeLimit", "kUnknown"])
    with pytest.raises(SolverError, match=f"^{re.escape(sentence)}$"):
        clone(BOOSTERS[name]).fit(X, y)


def test_failure_of_a_later_round_names_it(monkeypatch):
    X, y = problem(9)
    run, starts = interior_point.InteriorPoint._run, []

    def failing(solver, point):
        starts.append(solver.t)
        return run(solver, point) if solver.t < 3 else None

    monkeypatch.setattr(interior_point.InteriorPoint, "_run", failing)
    sentence = (
        "RMBoostClassifier, round 3: the interior point method did not reach tol=0.001 in 100 iterations; "
        "try another lp_solution or tol."
    )
    with pytest.raises(SolverError, match=f"^{re.escape(sentence)}$"):
        clone(BOOSTERS["central"]).fit(X, y)
    assert starts == [1, 2, 3, 3]


def test_second_start_of_the_first_round_is_another_one(monkeypatch):
    X, y = problem(9)
    expected = clone(BOOSTERS["central"]).fit(X, y)
    run, starts = interior_point.InteriorPoint._run, []

    def failing_once(solver, point):
        starts.append(point.m.copy())
        return run(solver, point) if len(starts) > 1 else None

    monkeypatch.setattr(interior_point.InteriorPoint, "_run", failing_once)
    model = clone(BOOSTERS["central"]).fit(X, y)
    assert not np.array_equal(starts[0], starts[1])
    assert model.risks_[0] == pytest.approx(expected.risks_[0], abs=1e-3)
