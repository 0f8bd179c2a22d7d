"""Learning problems of finitely many instances, where risks and moments are exact, and RMBoost fitted to samples."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from ironbark.boosting.minimax.base_learner import rule_values
from ironbark.boosting.minimax.rmboost import RMBoostClassifier
from ironbark.tree.classifier import RobustDecisionTreeClassifier

SIGNS = np.array([-1, 1])


class Problem(NamedTuple):
    """Instances, rules and the two distributions of the labels."""

    X: np.ndarray
    rules: np.ndarray  # (n_rules, n_instances), values -1 and +1; the negative of each rule is a rule, too
    clean: np.ndarray  # (n_instances, 2), probability of each instance with the true label -1 or +1
    flips: np.ndarray  # (n_instances, 2), probability that this label is wrong in training

    @property
    def noisy(self):
        """Distribution of the training samples."""
        flipped = self.clean * self.flips
        return self.clean - flipped + flipped[:, ::-1]

    @property
    def noise_rate(self):
        """Probability that a label is wrong in training."""
        return float((self.clean * self.flips).sum())

    @property
    def noise_deviation(self):
        """Standard deviation of the probability that a label is wrong."""
        return float(np.sqrt((self.clean * (self.flips - self.noise_rate) ** 2).sum()))

    def moments(self, distribution):
        """Expectation of y h(x) for each rule h."""
        return self.rules @ (distribution @ SIGNS)

    def scores(self, mu):
        """h(x)'mu of each instance."""
        return mu @ self.rules

    def risk(self, scores):
        """True error probability of the rule that draws +1 with probability score + 1/2, cut to [0, 1]."""
        return float((self.clean * (1 - np.clip(scores[:, None] * SIGNS + 0.5, 0, 1))).sum())

    def excess_margin(self, scores):
        """Expectation of what abs(score) exceeds 1/2 by."""
        return float(self.clean.sum(axis=1) @ np.maximum(np.abs(scores) - 0.5, 0))


def grid(*levels):
    """All points of a grid, one per row."""
    return np.stack(np.meshgrid(*map(np.arange, levels), indexing="ij"), axis=-1).reshape(-1, len(levels)).astype(float)


def stumps(X):
    """Values of the constant rule and of all stumps, whose negatives are left out."""
    cuts = [column > cut for column in X.T for cut in np.unique(column)[:-1]]
    return np.where([np.ones(len(X), bool), *cuts], 1.0, -1.0)


def least_risk(rules, moments, lam):
    """(mu, risk) of the minimax program, (6) in the paper, with its constraints at the instances in `rules`."""
    both = np.vstack([rules, -rules])
    cost = lam - np.concatenate([moments, -moments])
    found = linprog(cost, np.vstack([both.T, -both.T]), np.full(2 * rules.shape[1], 0.5), method="highs")
    return np.subtract(*np.split(found.x, 2)), 0.5 + found.fun


#: Name of a noise -> flip probabilities from (rng, labels of the best rule, those of another one).
NOISES = {
    "no": lambda rng, best, other: np.zeros((len(best), 2)),
    "uniform": lambda rng, best, other: np.full((len(best), 2), rng.uniform(0.05, 0.45)),
    "class-dependent": lambda rng, best, other: np.tile(rng.uniform(0, 0.45, 2), (len(best), 1)),
    "instance-dependent": lambda rng, best, _: rng.uniform(size=(len(best), 2)) * (rng.random((len(best), 2)) < 0.4),
    "agreeing": lambda rng, best, other: (best[:, None] != SIGNS) * rng.choice([0.5, 1.0]),
    "misleading": lambda rng, best, other: 0.55 * ((best != other)[:, None] & (best[:, None] == SIGNS)),
    "opposing": lambda rng, best, other: (best[:, None] == SIGNS) * (rng.random((len(best), 1)) < 0.3),
}


def drawn(rng, noise):
    """A random problem with a noise of this name.

    "agreeing" noise makes the labels those of the best rule, "misleading" noise makes another rule look better than it.

    In half of the problems the best rule is never wrong, or in the same share of each instance.
    """
    X = grid(*((7,), (12,), (4, 5), (5, 5))[rng.integers(4)])
    rules = stumps(X)
    marginal = rng.dirichlet(np.full(len(X), rng.choice([0.3, 1.0, 20.0])))
    positive = rng.beta(0.4, 0.4, len(X))
    if rng.random() < 0.5:
        wrong = rng.choice([0.0, 0.1, 0.2])
        positive = np.where(rules[rng.integers(len(rules))] > 0, 1 - wrong, wrong)
    clean = marginal[:, None] * np.column_stack([1 - positive, positive])
    agreement = rules @ (clean @ SIGNS)
    best, other = np.abs(agreement).argmax(), rng.integers(len(rules))
    labels = (np.where(agreement[rule] >= 0, 1, -1) * rules[rule] for rule in (best, other))
    return Problem(X, rules, clean, NOISES[noise](rng, *labels))


class BoostedProblem:
    """A booster of best stumps on shares of instances and labels, which have sum 1, and what the theorems say of it."""

    def __init__(self, problem, shares, lam, rounds):
        self.problem, self.lam = problem, lam
        self.moments = problem.moments(shares)
        stump = RobustDecisionTreeClassifier("misclassification", max_depth=1, ccp_alpha=0.0)
        options = {"n_estimators": rounds, "base": "weighted", "lp_solution": "vertex", "random_state": 0}
        self.booster = RMBoostClassifier(stump, lam=lam, **options)
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
        return 0.5 - self.moments @ self.mu + self.lam * float(np.abs(self.mu).sum())

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
    for noise in NOISES:
        for _ in range(repeats):
            problem = drawn(rng, noise)
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
