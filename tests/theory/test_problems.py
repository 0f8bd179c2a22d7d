"""Problems and formulas of the tests of statements, by hand."""

import numpy as np
import pytest
from theory import problems, splits
from theory.problems import BoostedProblem, least_risk, sample
from theory.test_concentration import complexity
from theory.test_minimax import worst_case

from ironbark.pipeline.figures import impurities


def test_values_by_hand():
    """A distribution that is +1 in 80 to 90 % of all cases errs in 20 %, or by the rule +1 with probability 0.9."""
    assert splits.gain([3, 1], [1, 3], "gini") == pytest.approx(0.5 - 0.375)
    assert splits.gain([3, 1], [3, 1], "gini") == 0
    assert splits.gain([3, 1], [1, 3], "pairwise_gain") == 4  # |3 * 3 - 1 * 1| / 2
    assert worst_case(np.ones((1, 1)), np.array([0.7]), 0.1) == pytest.approx(0.2)
    assert worst_case(np.ones((1, 1)), np.array([0.7]), 0.1, np.array([0.4])) == pytest.approx(0.2 * 0.9 + 0.8 * 0.1)
    assert complexity(1) == 1 and complexity(2) == 0.5
    p, q = np.array([0.5, 0.5, 0.0]), 0.7  # why a statement on GCE is on two classes only
    scaled = impurities.generalized_cross_entropy(p, q) / ((1 - 3**-q) / q)
    assert scaled < impurities.misclassification(p) * 3 / 2 - 0.03


def test_a_program_by_hand():
    """One rule that is right on 4 of 5: mu = 1/2, risk 1/5 + lambda / 2."""
    mu, risk = least_risk(np.ones((1, 3)), np.array([0.6]), 0.1)
    assert mu == pytest.approx([0.5]) and risk == pytest.approx(0.2 + 0.05)
    assert least_risk(-np.ones((1, 3)), np.array([-0.6]), 0.1)[0] == pytest.approx([-0.5])
    assert least_risk(np.ones((1, 3)), np.array([0.05]), 0.1)[1] == pytest.approx(0.5)


def test_coefficients_of_the_booster_belong_to_the_rules_of_the_problem():
    rng = np.random.default_rng(2)
    problem = problems.drawn(rng, "uniform")
    case = BoostedProblem(problem, sample(rng, problem.noisy, 40), 0.02, 40)
    assert len(case.booster.estimators_) > 3
    assert problem.scores(case.mu) == pytest.approx(case.scores)
    assert case.objective == pytest.approx(case.booster.minimax_risk_)
