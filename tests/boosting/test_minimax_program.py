"""The solvers of RMBoost's linear program against scipy, and against each other."""

import numpy as np
import pytest
from boosting.linear_programs import all_stumps, minimax_risk, problem, random_rules

from ironbark.boosting.minimax.interior_point import InteriorPoint
from ironbark.boosting.minimax.linear_program import SymmetricDuals
from ironbark.boosting.minimax.simplex import DualVertex, PrimalVertex

SOLVERS = {
    "central": (InteriorPoint, 1e-3, 1e-3),
    "central-fine": (InteriorPoint, 1e-5, 1e-5),
    "primal": (PrimalVertex, 1e-7, 1e-7),
    "dual": (DualVertex, 1e-7, 1e-7),
}
vertices = pytest.mark.parametrize("solver", [PrimalVertex, DualVertex])


@pytest.fixture(params=SOLVERS)
def kind(request):
    if request.param in ("primal", "dual"):
        pytest.importorskip("highspy")
    return SOLVERS[request.param]


def check(solution, rules, q, lam, tol):
    """Feasible primal and dual whose values agree: optimal up to `tol`."""
    slack = 1e-9 + (tol if tol < 1e-3 else 0)
    assert np.abs(solution.mu @ rules).max() <= 0.5 + slack
    assert np.abs(rules @ solution.p).max() <= lam + slack / len(q)  # the sign detector
    risk = 0.5 - q @ (solution.mu @ rules) + lam * np.abs(solution.mu).sum()
    assert solution.value == pytest.approx(risk, abs=1e-9)
    bound = 0.5 - np.abs(q - solution.p).sum() / 2
    assert -1e-9 <= risk - bound <= tol


@pytest.mark.parametrize(("n", "t", "c"), [(1, 1, 1), (30, 1, 1), (40, 12, 1), (150, 40, 0.3), (60, 90, 0.2)])
def test_every_round_is_optimal(kind, n, t, c):
    make, tol, accuracy = kind
    y, rules = random_rules(n, n, t)
    q, lam = y / n, c / np.sqrt(n)
    solver = make(q, lam, tol)
    for k in range(1, t + 1):
        solver.add(rules[k - 1])
        solution = solver.solve()
        check(solution, rules[:k], q, lam, accuracy)
        if k in (1, 2, 5, t):
            assert solution.value == pytest.approx(minimax_risk(rules[:k], q, lam), abs=accuracy)


def test_uneven_weights_and_real_valued_rules(kind):
    make, tol, accuracy = kind
    rng = np.random.default_rng(3)
    y, rules = random_rules(3, 50, 15)
    q = y * rng.dirichlet(np.ones(50))
    rules *= rng.random(rules.shape)
    solver = make(q, 0.05, tol)
    for rule in rules:
        solver.add(rule)
    solution = solver.solve()
    check(solution, rules, q, 0.05, accuracy)
    assert solution.value == pytest.approx(minimax_risk(rules, q, 0.05), abs=accuracy)


def test_equal_opposite_and_constant_rules(kind):
    make, tol, accuracy = kind
    y, rules = random_rules(5, 40, 3)
    rules = np.array([rules[0], rules[0], -rules[0], rules[1], np.ones(40), -np.ones(40)])
    solver = make(y / 40, 0.1, tol)
    for k, rule in enumerate(rules):
        solver.add(rule)
        check(solver.solve(), rules[: k + 1], y / 40, 0.1, accuracy)


def test_one_rule_by_hand(kind):
    """Three of four right: q'h = 1/2, so R = 1/2 - mu / 2 + 0.1 mu, least at mu = 1/2, where R = 1/4 + 0.1 / 2."""
    make, tol, accuracy = kind
    y, h = np.array([1, 1, -1, -1]), np.array([1.0, 1, -1, 1])
    solver = make(y / 4, 0.1, tol)
    solver.add(h)
    solution = solver.solve()
    assert solution.value == pytest.approx(0.3, abs=accuracy)
    assert solution.mu == pytest.approx([0.5], abs=3 * accuracy)
    assert np.abs(y / 4 - solution.p).sum() == pytest.approx(0.4, abs=2 * accuracy)  # |r|_1 = 1 - 2 R
    assert h @ solution.p == pytest.approx(0.1, abs=2 * accuracy)


def test_the_centre_spreads_the_dual_and_a_vertex_does_not():
    pytest.importorskip("highspy")
    y, h = np.repeat([1, -1], 20), np.repeat([1.0, -1], 20)
    h[:4] *= -1
    kept = {}
    for make in (InteriorPoint, PrimalVertex, DualVertex):
        solver = make(y / 40, 0.1)
        solver.add(h)
        kept[make] = np.abs(y / 40 - solver.solve().p)
    assert np.ptp(kept[InteriorPoint]) < 1e-3 / 40 * 20
    for make in (PrimalVertex, DualVertex):
        assert (kept[make] > 1e-9).sum() == 1


@vertices
def test_removed_rules_are_forgotten(solver):
    pytest.importorskip("highspy")
    y, rules = random_rules(7, 60, 12)
    q = y / 60
    program = solver(q, 0.05)
    for rule in rules:
        program.add(rule)
    program.solve()
    program.remove([0, 3, 4])
    kept = np.delete(rules, [0, 3, 4], axis=0)
    check(program.solve(), kept, q, 0.05, 1e-7)
    program.add(rules[3])
    solution = program.solve()
    check(solution, np.vstack([kept, rules[3:4]]), q, 0.05, 1e-7)
    assert solution.value == pytest.approx(minimax_risk(np.vstack([kept, rules[3:4]]), q, 0.05), abs=1e-9)


def test_permuted_samples_and_rules_have_the_same_risk(kind):
    make, tol, accuracy = kind
    y, rules = random_rules(9, 70, 20)
    rng = np.random.default_rng(0)
    risks = []
    for _ in range(3):
        samples, order = rng.permutation(70), rng.permutation(20)
        solver = make(y[samples] / 70, 0.06, tol)
        for rule in rules[order]:
            solver.add(rule[samples])
        risks.append(solver.solve().value)
    assert np.ptp(risks) <= 2 * accuracy


@pytest.mark.parametrize("n", [60, 200])
def test_symmetric_duals_stay_optimal(n):
    pytest.importorskip("highspy")
    X, y = problem(n, n)
    q, lam = y / n, 0.5 / np.sqrt(n)
    solver, symmetry = PrimalVertex(q, lam), SymmetricDuals(q)
    rules = all_stumps(X)[[0, 3, 9, 15, 20]]
    for k, rule in enumerate(rules, start=1):
        solver.add(rule)
        symmetry.add(rule)
        solution = solver.solve()
        p = symmetry.average(solution.p)
        check(solution._replace(p=p), rules[:k], q, lam, 1e-7)
        alike = np.abs(rules[:k].T @ rules[:k]) == k  # samples i, j with equal or opposite rows
        r = (q - p) * rules[0]
        assert np.abs((r[:, None] - r[None, :])[alike]).max() < 1e-12
        assert len(np.unique(symmetry.group)) == len(np.unique((rules[:k] * rules[0]).T, axis=0))


def test_a_bad_start_is_mended_from_scratch():
    y, rules = random_rules(11, 50, 6)
    solver = InteriorPoint(y / 50, 0.1)
    for rule in rules[:5]:
        solver.add(rule)
    expected = solver.solve().value
    m, z, a = solver.last
    solver.last = m, z, np.full_like(a, np.nan)
    assert solver.solve().value == pytest.approx(expected, abs=1e-3)
