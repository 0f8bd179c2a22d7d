"""The problems and formulas of the tests of statements, against draws and by hand."""

import numpy as np
import pytest
from theory import problems, splits
from theory.problems import SIGNS, BoostedProblem, least_risk, sample
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


def simulated(problem, rng, n=400_000):
    """Rows, true labels, and labels in training, of n draws."""
    cells = rng.choice(problem.clean.size, n, p=problem.clean.ravel())
    rows, y = cells // 2, SIGNS[cells % 2]
    wrong = rng.random(n) < problem.flips.ravel()[cells]
    return rows, y, np.where(wrong, -y, y)


@pytest.mark.parametrize("noise", problems.NOISES)
def test_moments_and_risks_are_those_of_draws(noise):
    rng = np.random.default_rng(0)
    problem = problems.drawn(rng, noise)
    rows, y, given = simulated(problem, rng)
    assert problem.moments(problem.clean) == pytest.approx((problem.rules[:, rows] * y).mean(axis=1), abs=0.01)
    assert problem.moments(problem.noisy) == pytest.approx((problem.rules[:, rows] * given).mean(axis=1), abs=0.01)
    assert problem.noise_rate == pytest.approx((y != given).mean(), abs=0.01)
    scores = rng.normal(0, 0.4, len(problem.X))
    positive = rng.random(len(y)) < scores[rows] + 0.5
    assert problem.risk(scores) == pytest.approx((np.where(positive, 1, -1) != y).mean(), abs=0.01)
    assert problem.excess_margin(scores) == pytest.approx(np.maximum(np.abs(scores[rows]) - 0.5, 0).mean(), abs=0.01)


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
