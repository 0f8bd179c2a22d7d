"""Checks of statements find a wrong formula, condition, term or booster; and their problems are as they should be."""

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.dummy import DummyClassifier
from theory import cases, problems, splits
from theory import test_concentration as concentration
from theory import test_curvature as curvature
from theory import test_gains as gains
from theory import test_losses as losses
from theory import test_minimax as minimax
from theory.problems import SIGNS, BoostedProblem, Problem, grid, least_risk, sample, stumps, vc_dimension
from theory.test_curvature import Dented

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


fit_rightly, predict = RMBoostClassifier.fit, RMBoostClassifier.predict
worst, near, bent = minimax.worst_case, minimax.approximation, curvature.curvature
PHI = gains.PHI | {"gini": impurities.entropy}
WRONG_MAE = losses.LOSSES["mae"][0], impurities.misclassification
NO_DIMENSION = [(concentration, "dimension_term", lambda dimension, n: 0.0), (concentration, "DRAWS", 10)]
AGREEING = [(problems, "NOISES", {"agreeing": problems.NOISES["agreeing"]}), (Problem, "noise_rate", 0.0)]


def only(multi):
    return lambda name, _, **params: BoostingLoss(name, multi, **params)


def boasting(attribute, wrong):
    """A method `fit` that reports what is not so."""

    def fit(self, *args, **options):
        trained = fit_rightly(self, *args, **options)
        setattr(trained, attribute, wrong(getattr(trained, attribute)))
        return trained

    return fit


#: Test, further arguments of it, and what is put in the place of something right.
BROKEN = [
    (gains.test_definitions, (), [(gains, "PHI", PHI)]),
    (gains.test_proportional_noise, (), [(gains, "FACTOR", dict.fromkeys(gains.FACTOR, lambda k: 0.5))]),
    (gains.test_uniform_noise, (), [(gains, "FACTOR", dict.fromkeys(gains.FACTOR, lambda k: 0.5))]),
    (gains.test_strict_without_gain, (), [(gains, "STRICT", ("misclassification",))]),
    (losses.test_least_risks, (), [(losses, "LOSSES", losses.LOSSES | {"mae": WRONG_MAE})]),
    (losses.test_majority_stays, (), [(losses.math, "exp", lambda x: 0.0)]),
    (minimax.test_deterministic_rule, (), [(RMBoostClassifier, "predict", lambda self, X: -predict(self, X))]),
    (minimax.test_minimax, (), [(minimax, "worst_case", lambda r, m, lam, scores=None: worst(r, m, lam / 2, scores))]),
    (minimax.test_without_noise, (), [(Problem, "noise_rate", 0.0)]),
    (minimax.test_lemma_7, (), [(Problem, "noise_rate", 0.0)]),
    (minimax.test_uneven_noise, (), [(Problem, "noise_deviation", 0.0)]),
    (minimax.test_bayes_risk, (), [(minimax, "approximation", lambda problem, mu: (near(problem, mu)[0], 0.0))]),
    (minimax.test_stopped, (), [(problems, "RobustDecisionTreeClassifier", lambda *a, **o: DummyClassifier())]),
    (minimax.test_lemma_7, (), [(RMBoostClassifier, "fit", boasting("minimax_risk_", lambda risk: risk - 0.02))]),
    (minimax.test_early_end, (), [(RMBoostClassifier, "fit", boasting("minimax_risk_", lambda risk: risk + 0.02))]),
    (minimax.test_early_end, (), [(RMBoostClassifier, "fit", boasting("weights_", lambda weights: 0 * weights))]),
    (concentration.test_estimation_error, (), NO_DIMENSION),
    (concentration.test_risk_of_rounds, (), NO_DIMENSION + AGREEING),
    (curvature.test_necessary_everywhere, (1.0,), [(curvature, "Dented", lambda centre: Dented(centre, height=0.0))]),
    (curvature.test_necessary_at_the_start, (), [(curvature, "curvature", lambda *a, **o: 0.5 * bent(*a, **o))]),
    (curvature.test_necessary_at_the_start, (), [(curvature, "curvature", lambda *a, **o: 2 * bent(*a, **o))]),
    *((curvature.test_conforming, (), [(curvature, "CONFORMING", {n: lambda rng: {}})]) for n in curvature.CENTRAL),
    *((curvature.test_in_scores, (), [(curvature, "CONFORMING", {n: lambda rng: {}})]) for n in curvature.CENTRAL),
    (curvature.test_conforming, (), [(curvature, "CENTRAL", ("cross_entropy",))]),
    (curvature.test_one_against_the_rest, (), [(curvature, "BoostingLoss", only("softmax"))]),
    (curvature.test_softmax, (5,), [(curvature, "BoostingLoss", only("ovr"))]),
    (curvature.test_equal_shares, (), [(curvature, "PENALTY", 1.0)]),
]


@pytest.fixture
def few_problems(monkeypatch):
    def few():
        return problems.fitted(np.random.default_rng(0), 1, rounds=(1, 80))

    monkeypatch.setattr(minimax, "boosters", few)


@pytest.mark.parametrize(("test", "arguments", "changes"), BROKEN)
def test_what_is_wrong_is_found(monkeypatch, few_problems, test, arguments, changes):
    for change in changes:
        monkeypatch.setattr(*change)
    fails(test, *arguments)


def test_values_by_hand():
    """A distribution that is +1 in 80 to 90 % of all cases errs in 20 %, or by the rule +1 with probability 0.9."""
    assert splits.gain([3, 1], [1, 3], "gini") == pytest.approx(0.5 - 0.375)
    assert splits.gain([3, 1], [3, 1], "gini") == 0
    assert splits.gain([3, 1], [1, 3], "pairwise_gain") == 4  # |3 * 3 - 1 * 1| / 2
    assert worst(np.ones((1, 1)), np.array([0.7]), 0.1) == pytest.approx(0.2)
    assert worst(np.ones((1, 1)), np.array([0.7]), 0.1, np.array([0.4])) == pytest.approx(0.2 * 0.9 + 0.8 * 0.1)
    assert curvature.gain(0.5, 0.5, 1.0, 1.0, 1.0) == pytest.approx(1 / 3 - 1 / 2)  # 2 (1/4) / (3/2) - 1/2
    assert concentration.complexity(1) == 1 and concentration.complexity(2) == 0.5
    signs = np.random.default_rng(0).choice([-1, 1], (40_000, 30))
    assert concentration.complexity(30) == pytest.approx(np.abs(signs.mean(axis=1)).mean(), abs=0.003)
    p, q = np.array([0.5, 0.5, 0.0]), 0.7  # why a statement on GCE is on two classes only
    scaled = impurities.generalized_cross_entropy(p, q) / ((1 - 3**-q) / q)
    assert scaled < impurities.misclassification(p) * 3 / 2 - 0.03


def test_derivatives_of_the_dented_loss():
    loss, step = Dented(1.0), 1e-5
    margins = np.linspace(-3, 4, 57)
    differences = (loss.slope(margins + step) - loss.slope(margins - step)) / (2 * step)
    assert loss.curvature(margins) == pytest.approx(differences, abs=1e-6)
    assert (loss.slope(margins) < 0).all() and np.isfinite(quad(loss.slope, -3, np.inf)[0])  # falls to a limit
    gradient, hessian = loss.derivatives(np.array([1, 0]), np.array([0.5, -0.5]))
    assert gradient[0] == -gradient[1] == loss.slope(0.5) and hessian[0] == hessian[1] == loss.curvature(0.5)


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


@pytest.mark.parametrize(("levels", "dimension"), [((5,), 2), ((4, 5), 3)])
def test_vc_dimension_of_stumps(levels, dimension):
    assert vc_dimension(stumps(grid(*levels))) == dimension


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
