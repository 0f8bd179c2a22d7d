"""LPBoost: its linear program against scipy, its invariants, rounds by hand."""

import pickle
import warnings

import numpy as np
import pytest
from boosting.linear_programs import margin, problem, random_rules
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark import LPBoostClassifier
from ironbark.boosting.minimax.column_generation import MarginProgram

pytest.importorskip("highspy")

COPIES = {"check_sample_weight_equivalence_on_dense_data": "optima are not unique, so weights and copies may differ"}
HARD = {
    "check_sample_weights_not_overwritten": "the hard margin refuses weights that differ",
    "check_sample_weight_equivalence_on_dense_data": "the hard margin refuses weights that differ",
}

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    scikit_learn_checks = parametrize_with_checks(
        [LPBoostClassifier(n_estimators=5), LPBoostClassifier(n_estimators=5, margin="hard")],
        expected_failed_checks=lambda estimator: HARD if estimator.margin == "hard" else COPIES,
    )


@scikit_learn_checks
def test_scikit_learn_contract(estimator, check):
    check(estimator)


CAPS = {
    "hard": lambda n: np.full(n, np.inf),
    "soft": lambda n: np.full(n, 1 / (0.2 * n)),
    "mean": lambda n: np.full(n, 1 / n),
}


@pytest.mark.parametrize("caps", CAPS.values(), ids=CAPS)
@pytest.mark.parametrize(("n", "t"), [(1, 1), (20, 1), (40, 10), (80, 30)])
def test_every_round_is_optimal(caps, n, t):
    y, rules = random_rules(n, n, t)
    program = MarginProgram(y, caps(n))
    for k in range(1, t + 1):
        program.add(rules[k - 1])
        solution = program.solve()
        edges, weights = rules[:k] @ solution.p, y * solution.p
        assert edges.max() == pytest.approx(solution.value, abs=1e-7)
        assert weights.sum() == pytest.approx(1, abs=1e-9)
        assert weights.min() >= 0 and (weights <= caps(n) + 1e-9).all()
        assert solution.mu.min() >= 0 and solution.mu.sum() == pytest.approx(1, abs=1e-7)
        margins = y * (solution.mu @ rules[:k])
        # for given coefficients the best rho is a quantile of the margins: where the price of a shortfall reaches 1
        rho = (
            margins.min()
            if np.isinf(caps(n)).all()
            else max(r - (caps(n) * np.maximum(r - margins, 0)).sum() for r in margins)
        )
        assert rho == pytest.approx(solution.value, abs=1e-6)
        assert solution.value == pytest.approx(margin(rules[:k], y, caps(n)), abs=1e-7)


def test_two_rules_by_hand():
    """Of four samples the first rule errs on one, the second on another: half of each has margins 0, 0, 1, 1."""
    y = np.array([1, 1, -1, -1])
    program = MarginProgram(y, np.full(4, np.inf))
    program.add(np.array([-1.0, 1, -1, -1]))
    assert program.solve().value == pytest.approx(-1)  # all weight on the sample that is wrong
    program.add(np.array([1.0, -1, -1, -1]))
    solution = program.solve()
    assert solution.value == pytest.approx(0)
    assert solution.mu == pytest.approx([0.5, 0.5])
    assert solution.p == pytest.approx([0.5, 0.5, 0, 0])


def test_first_round_by_hand():
    """Ten samples, nu = 1/2: caps of 0.2. The stump errs on one, which gets 0.2, so the edge is 1 - 2 * 0.2."""
    X = np.arange(10.0)[:, None]
    y = np.array(["no"] * 5 + ["yes"] * 4 + ["no"])
    booster = LPBoostClassifier(DecisionTreeClassifier(max_leaf_nodes=2), n_estimators=1, nu=0.5).fit(X, y)
    assert booster.edges_ == pytest.approx([0.8], abs=1e-12)
    assert booster.margins_ == pytest.approx([0.6]) and booster.mu_ == pytest.approx([1.0])
    assert booster.weights_[9] == pytest.approx(-0.2) and np.abs(booster.weights_).sum() == pytest.approx(1)
    assert booster.predict(X).tolist() == ["no"] * 5 + ["yes"] * 5


@pytest.mark.parametrize("settings", [{}, {"nu": 0.4}, {"margin": "hard"}, {"base": "bootstrap", "nu": 0.3}], ids=str)
def test_invariants_of_a_fit(settings):
    X, y = problem(1, n=150, d=5)
    booster = LPBoostClassifier(n_estimators=25, random_state=0, **settings).fit(X, y)
    H = np.array([rule.predict(X) for rule in booster.estimators_], dtype=float)
    assert np.diff(booster.margins_).min() >= -1e-7
    assert (booster.margins_ <= np.minimum.accumulate(booster.edges_) + 1e-7).all()
    assert booster.mu_.sum() == pytest.approx(1, abs=1e-6) and booster.mu_.min() >= 0
    assert (H @ booster.weights_ <= booster.margins_[-1] + 1e-7).all()
    n = len(y)
    caps = np.full(n, np.inf) if settings.get("margin") == "hard" else np.full(n, 1 / (booster.nu * n))
    assert booster.margins_[-1] == pytest.approx(margin(H, y, caps), abs=1e-6)
    if booster.margin == "soft":
        rho = np.quantile(y * (booster.mu_ @ H), booster.nu, method="lower")
        assert np.mean(y * (booster.mu_ @ H) < rho - 1e-7) <= booster.nu
    stages = list(booster.staged_decision_function(X))
    assert np.allclose(stages[-1], booster.decision_function(X), atol=1e-12)
    assert len(stages) == len(booster.margins_)
    assert np.array_equal(booster.predict(X), np.where(booster.decision_function(X) >= 0, 1, -1))


def test_rounds_end_where_no_rule_helps_or_the_precision_is_met():
    X, y = problem(2, n=60)
    separable = LPBoostClassifier(DecisionTreeClassifier(), margin="hard").fit(np.arange(60.0)[:, None], y)
    assert len(separable.margins_) == 1 and separable.margins_[0] == pytest.approx(1)
    assert separable.stop_reason_ == "precision"
    stump = DecisionTreeClassifier(max_leaf_nodes=2, random_state=0)
    ended = LPBoostClassifier(stump, nu=0.5, n_estimators=200).fit(X, y)
    assert ended.stop_reason_ == "no rule with an edge" and len(ended.margins_) < 100
    coarse = LPBoostClassifier(stump, nu=0.5, n_estimators=200, precision=0.1).fit(X, y)
    assert coarse.stop_reason_ == "precision" and len(coarse.margins_) < len(ended.margins_)
    assert coarse.edges_.min() - coarse.margins_[-1] <= 0.1


def test_sample_weights_of_the_soft_margin_are_copies():
    X, y = problem(3, n=60)
    counts = np.random.default_rng(0).integers(0, 3, 60)
    booster = LPBoostClassifier(DecisionTreeClassifier(max_depth=2, random_state=0), n_estimators=1, nu=0.3)
    weighted = clone(booster).fit(X, y, counts)
    copied = clone(booster).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.edges_ == pytest.approx(copied.edges_) and weighted.margins_ == pytest.approx(copied.margins_)


def test_same_seed_same_bits():
    X, y = problem(4, n=120)
    for base in ("weighted", "bootstrap"):
        booster = LPBoostClassifier(n_estimators=10, base=base, random_state=3).fit(X, y)
        again = clone(booster).fit(X, y)
        assert np.array_equal(booster.mu_, again.mu_) and np.array_equal(booster.margins_, again.margins_)
        assert np.array_equal(pickle.loads(pickle.dumps(booster)).predict(X), booster.predict(X))
