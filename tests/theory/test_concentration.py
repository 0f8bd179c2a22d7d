"""Bounds of the RMBoost paper that hold with a probability: exact tails, and counts in repeated draws."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import binom
from theory import problems
from theory.cases import at_most
from theory.problems import BoostedProblem, sample

ROOT = Path(__file__).parents[2]

#: Level of the bounds, and draws from each problem.
DELTA, DRAWS = 0.1, 20

#: Quantile of the binomial distribution that the number of broken bounds may not exceed.
QUANTILE = 0.999


def complexity(n):
    """Rademacher complexity of the rules 1 and -1: the expectation of the absolute mean of n random signs."""
    heads = np.arange(n + 1)
    return float(binom.pmf(heads, n, 0.5) @ np.abs(2 * heads / n - 1))


def tail(n, bound):
    """Exact probability that the mean of n fair labels -1 and +1 is further from 0 than a bound."""
    return 2 * float(binom.cdf(math.ceil(n * (1 - bound) / 2) - 1, n, 0.5))


def tails(factor):
    """By how much the exact probability that n fair labels break a bound exceeds delta, relative to it, and the case.

    The bound is 2 complexity + factor sqrt(ln(2 / delta) / (2 n)).
    """
    for n in (20, 100, 1000, 10_000):
        for delta in (0.2, 0.05, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
            chance = tail(n, 2 * complexity(n) + factor * deviation_term(delta / 2, n))
            yield chance / delta - 1, f"rules 1 and -1, n = {n}, delta = {delta:g}: probability {chance:.1e}"


def test_as_published():
    """RMB, (13), refuted.

    e_est <= 2 Rademacher complexity + sqrt(ln(2 / delta) / (2 n)) with probability 1 - delta.
    """
    excess, case = max(tails(1))
    assert excess > 10 and "delta = 1e-06" in case


@at_most()
def test_for_signed_values():
    """RMB, (13), last term doubled.

    As for values of y h(x) from -1 to 1.
    """
    return tails(2)


def dimension_term(dimension, n):
    """Upper bound 2 sqrt(2 D ln(3 n / D) / n) of twice the Rademacher complexity."""
    return 2 * math.sqrt(2 * dimension * math.log(3 * n / dimension) / n)


def deviation_term(delta, n):
    """sqrt(ln(1 / delta) / (2 n))."""
    return math.sqrt(math.log(1 / delta) / (2 * n))


def broken_too_often(excesses):
    """By how much the number of broken bounds exceeds its quantile at level delta."""
    excesses = list(excesses)
    return sum(excess > 0 for excess in excesses) - binom.ppf(QUANTILE, len(excesses), DELTA)


def _samples(rng, sizes):
    """Noise, problem, VC dimension of its rules, and size and shares of each sample."""
    for noise in problems.NOISES:
        problem = problems.drawn(rng, noise)
        dimension = problems.vc_dimension(problem.rules)
        for n in sizes:
            for _ in range(DRAWS):
                yield noise, problem, dimension, n, sample(rng, problem.noisy, n)


def estimation_errors(rng):
    for _, problem, dimension, n, shares in _samples(rng, (20, 100)):
        bound = dimension_term(dimension, n) + deviation_term(DELTA / 2, n)
        yield np.abs(problem.moments(shares) - problem.moments(problem.noisy)).max() - bound


def test_estimation_error(rng):
    """RMB, (13) with the VC dimension.

    e_est <= 2 sqrt(2 D ln(3 n / D) / n) + sqrt(ln(2 / delta) / (2 n)) with probability 1 - delta.
    """
    assert broken_too_often(estimation_errors(rng)) <= 0


def risks_of_rounds(rng):
    for _, problem, dimension, n, shares in _samples(rng, (15, 60)):
        if shares.any(axis=0).all():  # both labels
            yield _excess(BoostedProblem(problem, shares, 0.3 / math.sqrt(n), 10), dimension, n)


def test_risk_of_rounds(rng):
    """RMB, Theorem 4 (20), (21).

    With probability 1 - delta R(h_mu) <= R + e(delta) + (e_est + 2 P_noise - lambda) |mu|_1.
    """
    assert broken_too_often(risks_of_rounds(rng)) <= 0


def _excess(case, dimension, n):
    norm = float(np.abs(case.booster.mu_).sum())
    price = case.estimation_error + 2 * case.problem.noise_rate - case.lam
    violation = 0.0
    if norm > 0.5 + 1e-9:
        violation = norm * dimension_term(dimension, n) + (norm - 0.5) * deviation_term(DELTA, n)
    return case.risk - (case.booster.minimax_risk_ + violation + price * norm) - 1e-6


def test_vacuous():
    """RMB, (21) is vacuous on small data sets.

    The factor of |mu|_1 in e(delta) is above 1 for trees of 10 splits.
    """
    sizes = pd.read_csv(ROOT / "data/published/rmb_datasets.csv").query("n_samples < 2000")
    assert len(sizes) == 8
    for n, d in zip(sizes["n_samples"], sizes["n_features"], strict=True):
        assert dimension_term((2 * 10 + 1) * math.log2(d + 2), round(0.9 * n)) > 1
