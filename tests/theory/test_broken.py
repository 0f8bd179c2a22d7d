"""Every check of a statement finds what breaks it: a wrong formula, condition, term or booster."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.dummy import DummyClassifier
from theory import (
    boosted_problem,
    cases,
    finite_problem,
    splits,
    test_concentration,
    test_curvature,
    test_gains,
    test_losses,
    test_minimax,
    test_trees,
)
from theory.finite_problem import Problem
from theory.newton_trees import Dented, leaves_of_rounds

from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.boosting.minimax.rmboost import RMBoostClassifier
from ironbark.pipeline.figures import impurities


def fails(test, *arguments):
    with pytest.raises(AssertionError):
        test(np.random.default_rng(0), *arguments)


@pytest.mark.parametrize("found", [[], [np.nan], [0.0, 2.0], [(0.0, "a"), (np.nan, "b")]])
def test_limits(found):
    fails(cases.at_most(1)(lambda rng: found))
    cases.at_most(2)(lambda rng: [2.0, (0.0, "a")])(None)


def test_a_wrong_impurity(monkeypatch):
    monkeypatch.setitem(test_gains.PHI, "gini", impurities.entropy)
    fails(test_gains.test_definitions)


@pytest.mark.parametrize("name", ["proportional", "uniform"])
def test_a_wrong_factor(monkeypatch, name):
    monkeypatch.setitem(test_gains.FACTOR, getattr(test_gains, f"_{name}"), lambda k: 0.5)
    fails(getattr(test_gains, f"test_{name}_noise"))


def test_a_wrong_zero(monkeypatch):
    monkeypatch.setattr(test_gains, "STRICT", ("misclassification",))
    fails(test_gains.test_strict_without_gain)


def test_different_trees():
    settings = {"criterion": "gini"}, {"criterion": "misclassification"}
    assert any(test_trees.different(np.random.default_rng(0), *settings, (2, 3)))


def test_a_wrong_least_risk(monkeypatch):
    monkeypatch.setitem(test_losses.LOSSES, "mae", (test_losses.LOSSES["mae"][0], impurities.misclassification))
    fails(test_losses.test_least_risks)


def test_a_bound_that_is_too_high(monkeypatch):
    monkeypatch.setattr(test_losses.math, "exp", lambda x: 0.0)
    fails(test_losses.test_majority_stays)


def test_generalized_cross_entropy_is_below_the_conservative_impurity_for_three_classes():
    """Why the statement is on two classes only: both scaled to a peak of 1, at (1/2, 1/2, 0)."""
    p, q = np.array([0.5, 0.5, 0.0]), 0.7
    scaled = impurities.generalized_cross_entropy(p, q) / ((1 - 3**-q) / q)
    assert scaled < impurities.misclassification(p) * 3 / 2 - 0.03


def test_gain_of_a_split_by_hand():
    assert splits.gain([3, 1], [1, 3], "gini") == pytest.approx(0.5 - 0.375)
    assert splits.gain([3, 1], [3, 1], "gini") == 0
    assert splits.gain([3, 1], [1, 3], "pairwise_gain") == 4  # |3 * 3 - 1 * 1| / 2


@pytest.fixture
def few_problems(monkeypatch):
    monkeypatch.setattr(
        test_minimax, "boosters", lambda: boosted_problem.fitted(np.random.default_rng(0), 1, rounds=(1, 80))
    )


def test_a_wrong_label_of_the_deterministic_rule(monkeypatch, few_problems):
    right = RMBoostClassifier.predict
    monkeypatch.setattr(RMBoostClassifier, "predict", lambda self, X: -right(self, X))
    fails(test_minimax.test_deterministic_rule)


def test_another_set_of_distributions(monkeypatch):
    worst = test_minimax.worst_case
    monkeypatch.setattr(
        test_minimax, "worst_case", lambda rules, moments, lam, scores=None: worst(rules, moments, lam / 2, scores)
    )
    fails(test_minimax.test_minimax)


def test_worst_case_by_hand():
    """One instance, which is +1 in 80 to 90 % of all cases: errors of 20 %, or of the rule +1 with probability 0.9."""
    rules, moments = np.ones((1, 1)), np.array([0.7])
    assert test_minimax.worst_case(rules, moments, 0.1) == pytest.approx(0.2)
    assert test_minimax.worst_case(rules, moments, 0.1, np.array([0.4])) == pytest.approx(0.2 * 0.9 + 0.8 * 0.1)


@pytest.mark.parametrize(
    ("term", "name"),
    [("noise_rate", "without_noise"), ("noise_rate", "lemma_7"), ("noise_deviation", "uneven_noise")],
)
def test_noise_that_is_not_counted(monkeypatch, few_problems, term, name):
    monkeypatch.setattr(Problem, term, 0.0)
    fails(getattr(test_minimax, f"test_{name}"))


def test_a_distance_from_the_bayes_rule_that_is_not_counted(monkeypatch, few_problems):
    approximation = test_minimax.approximation
    monkeypatch.setattr(test_minimax, "approximation", lambda problem, mu: (approximation(problem, mu)[0], 0.0))
    fails(test_minimax.test_bayes_risk)


def test_a_base_learner_that_overlooks_rules(monkeypatch, few_problems):
    monkeypatch.setattr(
        boosted_problem, "RobustDecisionTreeClassifier", lambda *args, **options: DummyClassifier(strategy="prior")
    )
    fails(test_minimax.test_stopped)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("lemma_7", {"minimax_risk_": lambda risk: risk - 0.02}),
        ("early_end", {"minimax_risk_": lambda risk: risk + 0.02}),
        ("early_end", {"weights_": lambda weights: 0 * weights}),
    ],
)
def test_a_booster_that_reports_what_is_not_so(monkeypatch, few_problems, name, change):
    fit = RMBoostClassifier.fit

    def boast(self, *args, **options):
        fit(self, *args, **options)
        for attribute, wrong in change.items():
            setattr(self, attribute, wrong(getattr(self, attribute)))
        return self

    monkeypatch.setattr(RMBoostClassifier, "fit", boast)
    fails(getattr(test_minimax, f"test_{name}"))


def test_complexity_of_two_rules():
    complexity = test_concentration.complexity
    assert complexity(1) == 1 and complexity(2) == 0.5
    signs = np.random.default_rng(0).choice([-1, 1], (40_000, 30))
    assert complexity(30) == pytest.approx(np.abs(signs.mean(axis=1)).mean(), abs=0.003)


def test_the_counterexample_by_simulation():
    """Sums of 1,000 fair labels, ten million times: further from 0 than the bound allows once in 10,000 draws."""
    n, delta = 1000, 1e-4
    bound = 2 * test_concentration.complexity(n) + math.sqrt(math.log(2 / delta) / (2 * n))
    heads = np.random.default_rng(0).binomial(n, 0.5, 10_000_000)
    share = np.mean(np.abs(2 * heads / n - 1) > bound)
    assert share > delta + 4 * math.sqrt(delta / 10_000_000)
    assert share == pytest.approx(test_concentration.tail(n, bound), rel=0.15)


def test_a_bound_without_the_dimension(monkeypatch):
    monkeypatch.setattr(test_concentration, "DRAWS", 10)
    monkeypatch.setattr(test_concentration, "dimension_term", lambda dimension, n: 0.0)
    fails(test_concentration.test_estimation_error)


def test_a_bound_on_the_risk_without_the_noise(monkeypatch):
    monkeypatch.setattr(test_concentration, "DRAWS", 10)
    monkeypatch.setattr(test_concentration, "dimension_term", lambda dimension, n: 0.0)
    monkeypatch.setattr(finite_problem, "NOISES", {"agreeing": finite_problem.NOISES["agreeing"]})
    monkeypatch.setattr(Problem, "noise_rate", 0.0)
    fails(test_concentration.test_risk_of_rounds)


def test_derivatives_of_the_dented_loss():
    loss, step = Dented(1.0), 1e-5
    margins = np.linspace(-3, 4, 57)
    differences = (loss.slope(margins + step) - loss.slope(margins - step)) / (2 * step)
    assert loss.curvature(margins) == pytest.approx(differences, abs=1e-6)
    assert (loss.slope(margins) < 0).all() and np.isfinite(quad(loss.slope, -3, np.inf)[0])  # falls to a limit
    gradient, hessian = loss.derivatives(np.array([1, 0]), np.array([0.5, -0.5]))
    assert gradient[0] == -gradient[1] == loss.slope(0.5) and hessian[0] == hessian[1] == loss.curvature(0.5)


def test_leaves_hold_all_samples():
    pytest.importorskip("xgboost")
    X = np.arange(40.0)[:, None]
    y = (X[:, 0] >= 10).astype(int)
    assert sorted(leaves_of_rounds(BoostingLoss("cross_entropy"), X, y)[0]) == [10, 30]
    several = leaves_of_rounds(BoostingLoss("cross_entropy"), X, np.arange(40) // 10, n_classes=4, rounds=2)
    assert np.shape(several) == (2, 4)


def test_without_the_dent_nothing_speaks_against_the_theorem(monkeypatch):
    pytest.importorskip("xgboost")
    monkeypatch.setattr(test_curvature, "Dented", lambda centre: Dented(centre, height=0.0))
    fails(test_curvature.test_necessary_everywhere, 1.0)


@pytest.mark.parametrize("factor", [0.5, 2])
def test_a_wrong_curvature_at_the_start(monkeypatch, factor):
    pytest.importorskip("xgboost")
    curvature = test_curvature.curvature
    monkeypatch.setattr(test_curvature, "curvature", lambda name, p, **params: factor * curvature(name, p, **params))
    fails(test_curvature.test_necessary_at_the_start)


@pytest.mark.parametrize("name", test_curvature.CENTRAL)
def test_a_loss_that_does_not_conform(monkeypatch, name):
    monkeypatch.setattr(test_curvature, "CONFORMING", {name: lambda rng: {}})
    fails(test_curvature.test_conforming)
    fails(test_curvature.test_in_scores)


def test_a_loss_that_does_conform_is_not_central(monkeypatch):
    monkeypatch.setattr(test_curvature, "CENTRAL", ("cross_entropy",))
    fails(test_curvature.test_conforming)


def test_softmax_is_not_one_against_the_rest(monkeypatch):
    monkeypatch.setattr(
        test_curvature, "BoostingLoss", lambda name, multi, **params: BoostingLoss(name, "softmax", **params)
    )
    fails(test_curvature.test_one_against_the_rest)


def test_one_against_the_rest_does_not_break_theorem_3(monkeypatch):
    pytest.importorskip("xgboost")
    monkeypatch.setattr(
        test_curvature, "BoostingLoss", lambda name, multi, **params: BoostingLoss(name, "ovr", **params)
    )
    fails(test_curvature.test_softmax, 5)


def test_with_a_penalty_equal_shares_lose(monkeypatch):
    """Both halves of G = 1, H = 1 with lambda = 1: 2 (1/4) / (3/2) - 1/2."""
    assert test_curvature.gain(0.5, 0.5, 1.0, 1.0, 1.0) == pytest.approx(1 / 3 - 1 / 2)
    monkeypatch.setattr(test_curvature, "PENALTY", 1.0)
    fails(test_curvature.test_equal_shares)
