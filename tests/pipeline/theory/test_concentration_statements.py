"""Statements that hold with a probability: exact tails by another way, and bounds that are broken too often."""

import math

import numpy as np
import pytest

from ironbark.pipeline.theory import finite_problem
from ironbark.pipeline.theory.finite_problem import Problem
from ironbark.pipeline.theory.statements import concentration_statements as statements


def test_complexity_of_two_rules():
    assert statements.complexity(1) == 1 and statements.complexity(2) == 0.5
    signs = np.random.default_rng(0).choice([-1, 1], (40_000, 30))
    assert statements.complexity(30) == pytest.approx(np.abs(signs.mean(axis=1)).mean(), abs=0.003)


def test_the_counterexample_by_simulation():
    """Sums of 1,000 fair labels, ten million times: further from 0 than the bound allows once in 10,000 draws."""
    n, delta = 1000, 1e-4
    bound = 2 * statements.complexity(n) + math.sqrt(math.log(2 / delta) / (2 * n))
    heads = np.random.default_rng(0).binomial(n, 0.5, 10_000_000)
    share = np.mean(np.abs(2 * heads / n - 1) > bound)
    assert share > delta + 4 * math.sqrt(delta / 10_000_000)
    assert share == pytest.approx(statements.tail(n, bound), rel=0.15)
    cases, deviation, about = statements.as_printed(None)
    assert cases == 28 and deviation > 10 and "delta = 1e-06" in about


def test_printed_and_doubled_term():
    assert statements._tails(1)[1] > 0 > statements._tails(2)[1]
    assert statements._tails(0)[1] > 1


def beyond(check, monkeypatch):
    monkeypatch.setattr(statements, "DRAWS", 10)
    return check(np.random.default_rng(0))[1]


def test_a_bound_without_the_dimension_is_broken(monkeypatch):
    monkeypatch.setattr(statements, "dimension_term", lambda dimension, n: 0.0)
    assert beyond(statements.estimation_error, monkeypatch) > 0


def test_a_bound_on_the_risk_without_the_noise_is_broken(monkeypatch):
    monkeypatch.setattr(statements, "dimension_term", lambda dimension, n: 0.0)
    monkeypatch.setattr(finite_problem, "NOISES", {"agreeing": finite_problem.NOISES["agreeing"]})
    monkeypatch.setattr(Problem, "noise_rate", 0.0)
    assert beyond(statements.risk_of_rounds, monkeypatch) > 0
