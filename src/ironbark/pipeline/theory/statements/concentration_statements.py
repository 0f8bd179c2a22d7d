"""Statements of the RMBoost paper that hold with a probability: exact tails, and counts in repeated draws."""

import math

import numpy as np
from scipy.stats import binom

from ironbark.pipeline.theory import finite_problem
from ironbark.pipeline.theory.boosted_problem import BoostedProblem, sample
from ironbark.pipeline.theory.statements.statement import Statement, of_cases, tightest

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


@tightest
def _tails(factor):
    """Exact probability that the mean of n fair labels is further from 0 than the bound, over delta, less 1.

    The bound is 2 complexity + factor sqrt(ln(2 / delta) / (2 n)).
    """
    for n in (20, 100, 1000, 10_000):
        for delta in (0.2, 0.05, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
            chance = tail(n, 2 * complexity(n) + factor * deviation_term(delta / 2, n))
            yield chance / delta - 1, f"rules 1 and -1, n = {n}, delta = {delta:g}: probability {chance:.1e}"


def as_printed(rng):
    """(13) by the Rademacher complexity."""
    return _tails(1)


def for_signed_values(rng):
    """The same for values of y h(x) between -1 and 1, whose range is 2."""
    return _tails(2)


def dimension_term(dimension, n):
    """Upper bound 2 sqrt(2 D ln(3 n / D) / n) of twice the Rademacher complexity."""
    return 2 * math.sqrt(2 * dimension * math.log(3 * n / dimension) / n)


def deviation_term(delta, n):
    """sqrt(ln(1 / delta) / (2 n))."""
    return math.sqrt(math.log(1 / delta) / (2 * n))


@of_cases
def _counted(found):
    """Draws, broken bounds beyond the quantile, and the tightest draw, from pairs of excess over the bound and case."""
    broken = sum(excess > 0 for excess, _ in found)
    about = f"{broken} broken; {max(found)[1]}"
    return len(found), float(max(0.0, broken - binom.ppf(QUANTILE, len(found), DELTA))), about


def _samples(rng, sizes):
    """Noise, problem, VC dimension of its rules, and size and shares of each sample."""
    for noise in finite_problem.NOISES:
        problem = finite_problem.drawn(rng, noise)
        dimension = finite_problem.vc_dimension(problem.rules)
        for n in sizes:
            for _ in range(DRAWS):
                yield noise, problem, dimension, n, sample(rng, problem.noisy, n)


@_counted
def estimation_error(rng):
    """(13) by the VC dimension, for all stumps."""
    for noise, problem, dimension, n, shares in _samples(rng, (20, 100)):
        bound = dimension_term(dimension, n) + deviation_term(DELTA / 2, n)
        error = float(np.abs(problem.moments(shares) - problem.moments(problem.noisy)).max())
        yield error - bound, f"{noise} noise, n = {n}: {error:.3f} <= {bound:.3f}"


@_counted
def risk_of_rounds(rng):
    """(20) and (21): the true risk against the minimax risk of the round."""
    for noise, problem, dimension, n, shares in _samples(rng, (15, 60)):
        if shares.any(axis=0).all():  # both labels
            yield _excess(BoostedProblem(problem, shares, 0.3 / math.sqrt(n), 10), dimension, n, noise)


def _excess(case, dimension, n, noise):
    norm = float(np.abs(case.booster.mu_).sum())
    price = case.estimation_error + 2 * case.problem.noise_rate - case.lam
    violation = 0.0
    if norm > 0.5 + 1e-9:
        violation = norm * dimension_term(dimension, n) + (norm - 0.5) * deviation_term(DELTA, n)
    bound = case.booster.minimax_risk_ + violation + price * norm
    return case.risk - bound - 1e-6, f"{noise} noise, n = {n}, |mu|_1 = {norm:.2f}: {case.risk:.3f} <= {bound:.3f}"


COUNTED = f"draws at delta = {DELTA:g}; broken bounds beyond the 99.9 % quantile of the binomial distribution"

STATEMENTS = (
    Statement(
        "M2c",
        "RMB, (13): e_est <= 2 Rademacher complexity + sqrt(ln(2 / delta) / (2 n)) with probability 1 - delta",
        "exact probability of a larger error over delta, less 1",
        as_printed,
        refuted=True,
    ),
    Statement(
        "M2d",
        "The same, corrected for values of y h(x) from -1 to 1",
        "exact probability of a larger error over delta, less 1",
        for_signed_values,
        condition="the last term is doubled",
    ),
    Statement(
        "M2e",
        "RMB, (13) with the VC dimension: e_est <= 2 sqrt(2 D ln(3 n / D) / n) + sqrt(ln(2 / delta) / (2 n))",
        f"stumps; {COUNTED}",
        estimation_error,
    ),
    Statement(
        "M4b",
        "RMB, Theorem 4 (20), (21): R(h_mu) <= R + e(delta) + (e_est + 2 P_noise - lambda) |mu|_1 with probability "
        "1 - delta; e(delta) = 0 where |mu|_1 <= 1/2",
        f"RMBoost of 10 rounds; {COUNTED}",
        risk_of_rounds,
    ),
)
