"""RMBoost fitted to samples of a finite problem, and the terms of its error bounds."""

from functools import cached_property

import numpy as np
from theory import finite_problem
from theory.finite_problem import SIGNS, least_risk

from ironbark.boosting.minimax.base_learner import rule_values
from ironbark.boosting.minimax.rmboost import RMBoostClassifier
from ironbark.tree.classifier import RobustDecisionTreeClassifier


class BoostedProblem:
    """A booster of best stumps on shares of instances and labels, which have sum 1, and what the theorems say of it."""

    def __init__(self, problem, shares, lam, rounds):
        self.problem, self.lam = problem, lam
        self.moments = problem.moments(shares)
        stump = RobustDecisionTreeClassifier("misclassification", max_depth=1, ccp_alpha=0.0)
        self.booster = RMBoostClassifier(
            stump, n_estimators=rounds, lam=lam, base="weighted", lp_solution="vertex", random_state=0
        )
        self.rows, labels = np.nonzero(shares)
        self.booster.fit(problem.X[self.rows], SIGNS[labels], sample_weight=shares[self.rows, labels])

    @cached_property
    def mu(self):
        """Coefficients of the problem's rules."""
        mu = np.zeros(len(self.problem.rules))
        for rule, coefficient in zip(self.booster.estimators_, self.booster.mu_, strict=True):
            agreement = self.problem.rules @ rule_values(rule, self.problem.X) / len(self.problem.X)
            place = np.abs(agreement).argmax()
            mu[place] += coefficient * np.round(agreement[place])
        return mu

    @property
    def norm(self):
        return float(np.abs(self.mu).sum())

    @cached_property
    def scores(self):
        return self.booster.decision_function(self.problem.X)

    @property
    def risk(self):
        """True error probability of the rule that draws."""
        return self.problem.risk(self.scores)

    @property
    def excess_margin(self):
        return self.problem.excess_margin(self.scores)

    @property
    def objective(self):
        """F(mu)."""
        return 0.5 - self.moments @ self.mu + self.lam * self.norm

    @cached_property
    def least(self):
        """Minimax risk with constraints at all instances."""
        return least_risk(self.problem.rules, self.moments, self.lam)[1]

    @property
    def suboptimality(self):
        """epsilon_opt of (9): that of the value, and the expected violation of the constraints."""
        return self.objective - self.least + self.excess_margin

    @property
    def estimation_error(self):
        """epsilon_est of (10), as small as it can be for this sample."""
        return float(np.abs(self.problem.moments(self.problem.noisy) - self.moments).max())

    @cached_property
    def ideal(self):
        """mu of the program with exact expectations without noise."""
        return least_risk(self.problem.rules, self.problem.moments(self.problem.clean), self.lam)[0]

    @property
    def ideal_risk(self):
        """True error probability of the ideal solution."""
        return self.problem.risk(self.problem.scores(self.ideal))

    @property
    def distance(self):
        """Sum of the absolute differences from the ideal solution."""
        return float(np.abs(self.mu - self.ideal).sum())


def sample(rng, distribution, n):
    """Shares in n draws; the distribution itself for n = 0."""
    return rng.multinomial(n, distribution.ravel()).reshape(distribution.shape) / n if n else distribution


def fitted(rng, repeats, rounds):
    """(case, its description) of random problems under each noise, samples of each and numbers of rounds."""
    for noise in finite_problem.NOISES:
        for _ in range(repeats):
            problem = finite_problem.drawn(rng, noise)
            for n in (0, 25, 200):
                edge = 0.8 * abs(1 - 2 * problem.noise_rate)
                lam = float(rng.choice([1 / np.sqrt(n or 400), 0.01, max(edge, 0.01)]))
                size = f"n = {n}" if n else "exact moments"
                shares = sample(rng, problem.noisy, n)
                if not shares.any(axis=0).all():  # one label only, which estimators refuse
                    continue
                for k in rounds:
                    case = BoostedProblem(problem, shares, lam, k)
                    if case.booster.estimators_:  # the constant rule of risk 1/2 meets many bounds exactly
                        yield case, f"{noise} noise of {problem.noise_rate:.2f}, {size}, lambda = {lam:.2f}"
