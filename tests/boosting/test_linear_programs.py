"""The solvers of the linear programs of RMBoost and LPBoost against scipy, and against each other."""

import highspy
import numpy as np
import pytest
from boosting.linear_programs import margin, minimax_risk, problem, random_rules
from theory.problems import stumps

from ironbark.boosting.minimax.column_generation import MarginProgram
from ironbark.boosting.minimax.interior_point import InteriorPoint
from ironbark.boosting.minimax.linear_program import DUAL_SIMPLEX, Model, PrimalVertex, SymmetricDuals

#: Name -> solver of RMBoost's program, its `tol`, and how accurate it is.
SOLVERS = {
    "central": (InteriorPoint, 1e-3, 1e-3),
    "central-fine": (InteriorPoint, 1e-5, 1e-5),
    "vertex": (PrimalVertex, 1e-7, 1e-7),
}


def check(solution, rules, q, lam, tol):
    """Feasible primal and dual whose values agree: optimal up to `tol`."""
    slack = 1e-9 + (tol if tol < 1e-3 else 0)
    assert np.abs(solution.mu @ rules).max() <= 0.5 + slack
    assert np.abs(rules @ solution.p).max() <= lam + slack / len(q)  # the sign detector
    risk = 0.5 - q @ (solution.mu @ rules) + lam * np.abs(solution.mu).sum()
    assert solution.value == pytest.approx(risk, abs=1e-9)
    bound = 0.5 - np.abs(q - solution.p).sum() / 2
    assert -1e-9 <= risk - bound <= tol


def even(n, t, c):
    """Random rules, even weights, and lam = c / sqrt(n)."""
    y, rules = random_rules(n, n, t)
    return y / n, c / np.sqrt(n), rules


def uneven():
    """Uneven weights and rules with real values."""
    rng = np.random.default_rng(3)
    y, rules = random_rules(3, 50, 15)
    return y * rng.dirichlet(np.ones(50)), 0.05, rules * rng.random(rules.shape)


def alike():
    """Equal, opposite and constant rules."""
    y, rules = random_rules(5, 40, 3)
    return y / 40, 0.1, np.array([rules[0], rules[0], -rules[0], rules[1], np.ones(40), -np.ones(40)])


SIZES = [(1, 1, 1), (30, 1, 1), (40, 12, 1), (150, 40, 0.3), (60, 90, 0.2)]
PROGRAMS = {f"{n}x{t}": even(n, t, c) for n, t, c in SIZES}


@pytest.mark.parametrize("kind", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("program", [*PROGRAMS.values(), uneven(), alike()], ids=[*PROGRAMS, "uneven", "alike"])
def test_every_round_is_optimal(kind, program):
    (make, tol, accuracy), (q, lam, rules) = kind, program
    solver = make(q, lam, tol)
    for k in range(1, len(rules) + 1):
        solver.add(rules[k - 1])
        solution = solver.solve()
        check(solution, rules[:k], q, lam, accuracy)
        if k in (1, 2, 5, len(rules)):
            assert solution.value == pytest.approx(minimax_risk(rules[:k], q, lam), abs=accuracy)


@pytest.mark.parametrize("n", [60, 200])
def test_symmetric_duals_stay_optimal(n):
    X, y = problem(n, n)
    q, lam = y / n, 0.5 / np.sqrt(n)
    solver, symmetry = PrimalVertex(q, lam), SymmetricDuals(q)
    rules = stumps(X)[[0, 3, 9, 15, 20]]
    for k, rule in enumerate(rules, start=1):
        solver.add(rule)
        symmetry.add(rule)
        solution = solver.solve()
        p = symmetry.average(solution.p)
        check(solution._replace(p=p), rules[:k], q, lam, 1e-7)
        alike = np.abs(rules[:k].T @ rules[:k]) == k  # samples i, j with equal or opposite rows
        r = (q - p) * rules[0]
        assert np.abs((r[:, None] - r[None, :])[alike]).max() < 1e-12


@pytest.mark.parametrize("caps", [np.inf, 5.0, 1.0], ids=["hard", "soft", "mean"])
@pytest.mark.parametrize(("n", "t"), [(1, 1), (20, 1), (40, 10), (80, 30)])
def test_every_round_of_lpboost_is_optimal(caps, n, t):
    y, rules = random_rules(n, n, t)
    caps = np.full(n, caps / n)
    program = MarginProgram(y, caps)
    for k in range(1, t + 1):
        program.add(rules[k - 1])
        solution = program.solve()
        edges, weights = rules[:k] @ solution.p, y * solution.p
        assert edges.max() == pytest.approx(solution.value, abs=1e-7)
        assert weights.sum() == pytest.approx(1, abs=1e-9)
        assert weights.min() >= 0 and (weights <= caps + 1e-9).all()
        assert solution.mu.min() >= 0 and solution.mu.sum() == pytest.approx(1, abs=1e-7)
        margins = y * (solution.mu @ rules[:k])
        # for given coefficients the best rho is a quantile of the margins: where the price of a shortfall reaches 1
        soft = max(r - (np.minimum(caps, n) * np.maximum(r - margins, 0)).sum() for r in margins)
        assert (soft if np.isfinite(caps[0]) else margins.min()) == pytest.approx(solution.value, abs=1e-6)
        assert solution.value == pytest.approx(margin(rules[:k], y, caps), abs=1e-7)


def test_solvers_are_silent_before_they_print_their_name(monkeypatch):
    told, option = [], highspy.Highs.getOptionValue
    monkeypatch.setattr(highspy.Highs, "enableCallbacks", lambda self: told.append(option(self, "output_flag")[1]))
    Model(DUAL_SIMPLEX, 1e-9)
    assert told == [False]
