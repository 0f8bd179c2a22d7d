"""Each check of a bound of the RMBoost paper finds what breaks it: the condition, a term, or the booster."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from ironbark.boosting.minimax.rmboost import RMBoostClassifier
from ironbark.pipeline.theory import boosted_problem
from ironbark.pipeline.theory.finite_problem import Problem
from ironbark.pipeline.theory.statements import minimax_statements
from ironbark.pipeline.theory.statements.minimax_statements import worst_case


@pytest.fixture(autouse=True)
def _few_problems(monkeypatch):
    def boosters():
        return boosted_problem.fitted(np.random.default_rng(0), 1, (1, 80))

    monkeypatch.setattr(minimax_statements, "boosters", boosters)


def excess(check):
    cases, largest, about = check(np.random.default_rng(0))
    assert cases > 5 and about
    return largest


def test_a_wrong_label_of_the_deterministic_rule_is_found(monkeypatch):
    right = RMBoostClassifier.predict
    monkeypatch.setattr(RMBoostClassifier, "predict", lambda self, X: -right(self, X))
    assert excess(minimax_statements.deterministic_rule) > 0.01


def test_another_set_of_distributions_is_found(monkeypatch):
    def narrow(rules, moments, lam, scores=None):
        return worst_case(rules, moments, lam / 2, scores)

    monkeypatch.setattr(minimax_statements, "worst_case", narrow)
    assert excess(minimax_statements.minimax) > 0.01


def test_worst_case_by_hand():
    """One instance, which is +1 in 80 to 90 % of all cases: errors of 20 %, or of the rule +1 with probability 0.9."""
    rules, moments = np.ones((1, 1)), np.array([0.7])
    assert worst_case(rules, moments, 0.1) == pytest.approx(0.2)
    assert worst_case(rules, moments, 0.1, np.array([0.4])) == pytest.approx(0.2 * 0.9 + 0.8 * 0.1)


@pytest.mark.parametrize("name", ["without_noise", "lemma_7"])
def test_noise_that_is_not_counted_is_found(monkeypatch, name):
    monkeypatch.setattr(Problem, "noise_rate", 0.0)
    assert excess(getattr(minimax_statements, name)) > 0.01


def test_uneven_noise_that_is_not_counted_is_found(monkeypatch):
    monkeypatch.setattr(Problem, "noise_deviation", 0.0)
    assert excess(minimax_statements.uneven_noise) > 0.01


def test_a_distance_from_the_bayes_rule_that_is_not_counted_is_found(monkeypatch):
    approximation = minimax_statements.approximation
    monkeypatch.setattr(minimax_statements, "approximation", lambda problem, mu: (approximation(problem, mu)[0], 0.0))
    assert excess(minimax_statements.bayes_risk) > 0.01


def test_a_base_learner_that_overlooks_rules_is_found(monkeypatch):
    def constant(*args, **options):
        return DummyClassifier(strategy="prior")

    monkeypatch.setattr(boosted_problem, "RobustDecisionTreeClassifier", constant)
    assert excess(minimax_statements.stopped) > 0.01


def test_edges_that_are_too_small_are_found(monkeypatch):
    fit = RMBoostClassifier.fit

    def light(self, *args, **options):
        fit(self, *args, **options)
        self.weights_ = 0 * self.weights_
        return self

    monkeypatch.setattr(RMBoostClassifier, "fit", light)
    assert excess(minimax_statements.early_end) > 0.001


@pytest.mark.parametrize("name", ["lemma_7", "early_end"])
def test_a_risk_that_is_reported_too_low_is_found(monkeypatch, name):
    fit = RMBoostClassifier.fit

    def boast(self, *args, **options):
        fit(self, *args, **options)
        self.minimax_risk_ += 0.02 if name == "early_end" else -0.02
        return self

    monkeypatch.setattr(RMBoostClassifier, "fit", boast)
    assert excess(getattr(minimax_statements, name)) > 0.001
