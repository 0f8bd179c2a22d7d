"""Statements of the RMBoost paper that hold for every sample: its program, and the bounds on its error.

References
----------
Mazuelas and Álvarez (2025), Robust Minimax Boosting with Performance Guarantees, NeurIPS: Theorems 1 to 4
and 8, Lemma 7.
"""

from functools import cache

import numpy as np
from scipy.optimize import linprog

from ironbark.pipeline.theory import finite_problem
from ironbark.pipeline.theory.boosted_problem import BoostedProblem, fitted
from ironbark.pipeline.theory.finite_problem import least_risk
from ironbark.pipeline.theory.statements.statement import Statement, of_cases, tightest
from ironbark.seeding import generator

ROUNDING = 1e-8
SOLVER = 1e-5  # weights are blended with a millionth of even ones, and duals hold up to 1e-7


def worst_case(rules, moments, lam, scores=None):
    """Largest error probability over all distributions whose moments are within `lam`, by a linear program.

    Parameters
    ----------
    scores : ndarray of shape (n_instances,), optional
        Of the rule that draws; if left out, each distribution meets its own best rule.
    """
    t, m = rules.shape
    signed = np.hstack([-rules, rules])  # of the distribution: label -1, then +1
    moving = np.vstack([signed, -signed])
    limits = np.concatenate([moments + lam, lam - moments])
    if scores is None:  # the best rule's error at x is the smaller one of p(x, -1) and p(x, +1)
        cost = np.concatenate([np.zeros(2 * m), -np.ones(m)])
        moving = np.hstack([moving, np.zeros((2 * t, m))])
        none, one = np.zeros((m, m)), np.eye(m)
        moving = np.vstack([moving, np.hstack([-one, none, one]), np.hstack([none, -one, one])])
        limits = np.concatenate([limits, np.zeros(2 * m)])
    else:
        cost = np.clip(np.concatenate([-scores, scores]) + 0.5, 0, 1) - 1
    total = np.concatenate([np.ones(2 * m), np.zeros(len(cost) - 2 * m)])[None]
    return -linprog(cost, moving, limits, total, [1.0], method="highs").fun


@cache
def boosters():
    """The boosters that all bounds are checked on."""
    return list(fitted(generator("theory", "boosters"), 4, rounds=(1, 4, 80)))


@of_cases
def _largest(found):
    """Number of cases, the largest excess of the left side over the right one, and its case.

    Of cases with the same excess the one of the largest sides is described, as 0 <= 0 says little.
    """
    left, right, about = max(found, key=lambda case: (round(case[0] - case[1], 9), case[0]))
    return len(found), max(case[0] - case[1] for case in found), f"{about}: {left:.3f} <= {right:.3f}"


@tightest
def minimax(rng):
    """Theorem 1 on samples with all instances: R against the worst case of all rules, and of RMBoost's own."""
    for noise in finite_problem.NOISES:
        for lam in (0.05, 0.2):
            problem = finite_problem.drawn(rng, noise)
            shares = 0.99 * problem.noisy + 0.01 / problem.noisy.size  # every instance with both labels
            case = BoostedProblem(problem, shares, lam, 200)
            risk = case.booster.minimax_risk_
            for scores in (None, case.scores):
                worst = worst_case(problem.rules, case.moments, lam, scores)
                yield abs(risk - worst), f"{noise} noise, lambda = {lam}: R {risk:.6f}, worst case {worst:.6f}"


@_largest
def deterministic_rule(rng):
    """The sign of the scores against the rule that draws."""
    for case, about in boosters():
        yield case.problem.risk(case.booster.predict(case.problem.X)), 2 * case.risk, about


@_largest
def without_noise(rng):
    """(11): against the ideal solution without noise, where it is another one."""
    for case, about in boosters():
        price = case.estimation_error + 2 * case.problem.noise_rate + case.lam
        if case.distance > SOLVER:
            yield case.risk, case.ideal_risk + case.suboptimality + price * case.distance, about


@_largest
def uneven_noise(rng):
    """(12): the same by the standard deviation of the noise."""
    for case, about in boosters():
        kept = 1 - 2 * case.problem.noise_rate
        if kept <= 0.02 or case.distance <= SOLVER:
            continue
        price = (case.estimation_error + 2 * case.problem.noise_deviation + case.lam) / kept
        yield case.risk, case.ideal_risk + case.suboptimality / kept + price * case.distance, about


def approximation(problem, mu):
    """Bayes risk, and largest distance of 2 h(x)'mu from the Bayes rule."""
    bayes = np.where(problem.clean[:, 1] >= problem.clean[:, 0], 1.0, -1.0)
    return problem.risk(bayes), float(np.abs(bayes - 2 * problem.scores(mu)).max())


@_largest
def bayes_risk(rng):
    """(15) for three mu_B: the solution without noise and with a small lambda, 0, and a random one."""
    for case, about in boosters():
        problem = case.problem
        near = least_risk(problem.rules, problem.moments(problem.clean), 1e-3)[0]
        price = case.estimation_error + 2 * problem.noise_rate + case.lam
        for mu in (near, 0 * near, rng.normal(0, 0.2, len(near))):
            least, distance = approximation(problem, mu)
            norms = np.abs(case.mu - mu).sum() + np.abs(mu).sum()
            yield case.risk, least + case.suboptimality + distance + price * norms, about


@_largest
def lemma_7(rng):
    """(34), with the risk of each round and the exact violation of the constraints in place of its bound."""
    for case, about in boosters():
        price = case.estimation_error + 2 * case.problem.noise_rate - case.lam
        norm = np.abs(case.booster.mu_).sum()
        bound = case.booster.minimax_risk_ + case.excess_margin + price * norm
        yield case.risk, bound, about


@_largest
def stopped(rng):
    """Rounds that ended for lack of a rule: the risk against the minimax risk with all constraints."""
    for case, about in boosters():
        if case.booster.stop_reason_ == "no rule with an edge":
            yield case.booster.minimax_risk_, case.least, about


@_largest
def early_end(rng):
    """Theorem 8: the risk of a round against that of all rules on the sample."""
    for case, about in boosters():
        seen = case.problem.rules[:, np.unique(case.rows)]
        mu, risk = least_risk(seen, case.moments, case.lam)
        weights = np.bincount(case.rows, case.booster.weights_, len(case.problem.X))
        edge = max(np.abs(case.problem.rules @ weights).max() - case.lam, 0.0)
        yield case.booster.minimax_risk_, risk + edge * np.abs(mu).sum(), about


BOUND = f"RMBoost of stumps, {len(finite_problem.NOISES)} noises, true risks exact; largest excess over the bound"

STATEMENTS = (
    Statement(
        "M0",
        "RMB, section 3: the deterministic rule errs at most twice as often as the rule that draws",
        BOUND,
        deterministic_rule,
        ROUNDING,
    ),
    Statement(
        "M1",
        "RMB, Theorem 1: the optimum R is the least worst-case error over U, and the rule that draws attains it",
        "RMBoost on samples with all instances against linear programs over distributions; largest difference",
        minimax,
        SOLVER,
    ),
    Statement(
        "M2a",
        "RMB, Theorem 2 (11): R(h_mu) <= R(h_mu0) + e_opt + (e_est + 2 P_noise + lambda) |mu - mu0|_1",
        BOUND,
        without_noise,
        ROUNDING,
    ),
    Statement(
        "M2b",
        "RMB, Theorem 2 (12): the same divided by 1 - 2 P_noise, with the standard deviation of the flip probability "
        "for P_noise",
        BOUND,
        uneven_noise,
        ROUNDING,
    ),
    Statement(
        "M3",
        "RMB, Theorem 3 (15): R(h_mu) <= Bayes risk + e_opt + e_approx + (e_est + 2 P_noise + lambda) "
        "(|mu - mu_B|_1 + |mu_B|_1)",
        f"{BOUND}, three mu_B each",
        bayes_risk,
        ROUNDING,
    ),
    Statement(
        "M4a",
        "RMB, Theorem 4 (20) with the exact violation of the constraints for e(delta), which is Lemma 7: "
        "R(h_mu) <= R + violation + (e_est + 2 P_noise - lambda) |mu|_1",
        BOUND,
        lemma_7,
        SOLVER,
    ),
    Statement(
        "M4c",
        "RMB, Theorem 4: if step 5 ends the rounds, R of the last round is at most the optimum of (6)",
        "RMBoost of best stumps, at most 80 rounds; largest excess",
        stopped,
        SOLVER,
    ),
    Statement(
        "M4d",
        "RMB, Theorem 8: R of a round exceeds that of all rules by at most (largest edge - lambda) |mu*|_1",
        "RMBoost of 1, 4 and 80 rounds; largest excess",
        early_end,
        SOLVER,
    ),
)
