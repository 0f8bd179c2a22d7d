"""What RMBoost and LPBoost share: stages, seeds, recorded weights, base learners, and linear programs that fail."""

import re

import numpy as np
import pytest
from boosting.linear_programs import problem, values_of
from sklearn.base import clone

from ironbark import LPBoostClassifier, RMBoostClassifier, RobustDecisionTreeClassifier
from ironbark.boosting.minimax import interior_point
from ironbark.boosting.minimax.linear_program import Model, SolverError

LEAVES = {"max_leaf_nodes": 11, "min_samples_split": 10}


def optima_of(model):
    return model.risks_ if isinstance(model, RMBoostClassifier) else model.margins_


def test_stages_scores_and_probabilities_agree(booster):
    X, y = problem(5, n=120, d=4)
    booster.fit(X, np.where(y > 0, "b", "a"))
    stages, score = list(booster.staged_decision_function(X)), booster.decision_function(X)
    assert len(stages) == len(optima_of(booster)) == len(booster.mu_path_) == len(booster.lp_iterations_)
    assert np.allclose(stages[-1], score, atol=1e-12)
    for mu, stage in zip(booster.mu_path_, stages, strict=True):
        assert np.allclose(mu @ values_of(booster, X)[: len(mu)], stage, atol=1e-12)
    assert np.array_equal(booster.predict(X), np.where(score >= 0, "b", "a"))
    if hasattr(booster, "predict_proba"):
        proba = booster.predict_proba(X)
        assert np.allclose(proba[:, 1], np.clip(score + 0.5, 0, 1)) and np.allclose(proba.sum(axis=1), 1)


def test_recorded_weights_are_those_that_a_shorter_fit_ends_with(booster):
    X, y = problem(1, n=120, d=4)
    share = np.random.default_rng(0).integers(0, 3, 120).astype(float)
    share[share > 0] += 1 - share[share > 0] if getattr(booster, "margin", None) == "hard" else 0
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
    assert isinstance(model, RMBoostClassifier) or weights.min() >= 0
    assert not hasattr(plain, "sample_weights_")
    assert np.array_equal(plain.mu_, model.mu_) and np.array_equal(plain.weights_, model.weights_)


class Checked(RobustDecisionTreeClassifier):
    """Another class, which is fitted by `fit` and asked by `predict`."""


@pytest.mark.parametrize(
    "options",
    [
        {**LEAVES, "ccp_alpha": 0.0},
        {"criterion": "entropy", "max_depth": 2, "ccp_alpha": 0.0},
        {"ccp_alpha": 0.01, "max_features": 1},
    ],
)
def test_trees_that_are_checked_once_are_those_of_fit(options):
    X, y = problem(4, n=200, d=4)
    rules = RobustDecisionTreeClassifier(**options), Checked(**options)
    once, always = (RMBoostClassifier(rule, n_estimators=10, random_state=0).fit(X, y) for rule in rules)
    assert len(once.estimators_) == 10 and np.array_equal(once.decision_function(X), always.decision_function(X))
    for one, other in zip(once.estimators_, always.estimators_, strict=True):
        assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
        assert one.classes_.tolist() == other.classes_.tolist() and one.get_params() == other.get_params()


@pytest.mark.parametrize(("samples", "most"), [(1199, 11), (1200, 12)])
@pytest.mark.parametrize("base", ["bootstrap", "weighted"])
def test_trees_grow_with_the_sample(samples, most, base):
    X, y = problem(3, n=samples, d=5, noise=0.2)
    booster = RMBoostClassifier(n_estimators=2, base=base, random_state=0).fit(X, y)
    assert max((rule.tree_.children_left == -1).sum() for rule in booster.estimators_) == most
    fixed = RMBoostClassifier(max_leaf_nodes=most, n_estimators=2, base=base, random_state=0).fit(X, y)
    assert np.array_equal(booster.decision_function(X), fixed.decision_function(X))


VERTEX = {"lp_solution": "vertex", "n_estimators": 6, "random_state": 0}
FAILING = [
    (RMBoostClassifier(**VERTEX), "try another lp_solution or tol"),
    (RMBoostClassifier(formulation="dual", **VERTEX), "try another lp_solution or tol"),
    (LPBoostClassifier(n_estimators=6, random_state=0), "try another tol"),
]


@pytest.mark.parametrize(("booster", "remedy"), FAILING)
def test_highs_is_asked_twice(monkeypatch, booster, remedy):
    """HiGHS solves, but reports these statuses, one per call, and "kOptimal" after the last one."""
    X, y = problem(9)
    expected, run = clone(booster).fit(X, y), Model._run
    answers = ["kUnknown"]
    monkeypatch.setattr(Model, "_run", lambda self: (run(self), answers.pop(0) if answers else "kOptimal")[1])
    model = clone(booster).fit(X, y)
    assert model.edges_[0] == expected.edges_[0]
    assert optima_of(model)[0] == pytest.approx(optima_of(expected)[0], abs=1e-9)
    answers += ["kTimeLimit", "kUnknown"]
    words = f"{type(booster).__name__}, round 1: .* kTimeLimit, and from scratch with status kUnknown; {remedy}"
    with pytest.raises(SolverError, match=words):
        clone(booster).fit(X, y)


def test_the_interior_point_method_starts_twice(monkeypatch):
    """In the first round from two points, later from the last solution and from scratch."""
    booster, run, starts = RMBoostClassifier(n_estimators=6, random_state=0), interior_point.InteriorPoint._run, []
    expected = clone(booster).fit(*problem(9))
    failing = {0}

    def recorded(solver, point):
        starts.append((solver.t, point.m.copy()))
        return None if len(starts) - 1 in failing else run(solver, point)

    monkeypatch.setattr(interior_point.InteriorPoint, "_run", recorded)
    assert clone(booster).fit(*problem(9)).risks_[0] == pytest.approx(expected.risks_[0], abs=1e-3)
    assert not np.array_equal(starts[0][1], starts[1][1])
    starts.clear()
    failing = {2, 3}
    words = re.escape("RMBoostClassifier, round 3: the interior point method did not reach tol=0.001 in 100 iterations")
    with pytest.raises(SolverError, match=f"^{words}; try another lp_solution or tol.$"):
        booster.fit(*problem(9))
    assert [rules for rules, _ in starts] == [1, 2, 3, 3]
