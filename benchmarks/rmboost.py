"""RMBoost: whole fits and linear programs against the authors' way as CPU-time ratios.

The authors' way builds the program anew in each round, two rows a sample and one for each bound of a column, and hands
it to scipy's linprog; its trees are scikit-learn's on the drawn rows. Synthetic data: 20 features, 10 % of the labels
flipped, trees of 11 leaves.
"""

import argparse
import statistics
import sys

import numpy as np
from measure import noisy, seconds
from scipy.optimize import linprog
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from ironbark import RMBoostClassifier
from ironbark.boosting.minimax import rmboost
from ironbark.boosting.minimax.base_learner import LEAVES
from ironbark.boosting.minimax.interior_point import InteriorPoint
from ironbark.boosting.minimax.linear_program import PrimalVertex, Solution


class FromScratch:
    """The authors' way, with the signs of the duals fixed."""

    def __init__(self, q, lam, tol=None):
        self.q, self.lam, self.rules = q, lam, []

    def add(self, rule):
        self.rules.append(rule)

    def solve(self):
        H, t = np.array(self.rules).T, len(self.rules)
        n, gains = len(H), self.q @ H
        rows = np.vstack([np.hstack([H, -H]), np.hstack([-H, H]), -np.eye(2 * t)])
        limits = np.concatenate([np.full(2 * n, 0.5), np.zeros(2 * t)])
        found = linprog(np.concatenate([self.lam - gains, self.lam + gains]), rows, limits, method="highs")
        duals = found.ineqlin.marginals
        p = self.q + duals[:n] - duals[n : 2 * n]
        return Solution(found.x[:t] - found.x[t:], p, found.fun + 0.5, found.nit)


rmboost.SOLVERS["from scratch"] = FromScratch
rmboost.TOLERANCES["from scratch"] = rmboost.TOLERANCES["vertex"]
RMBoostClassifier._parameter_constraints["lp_solution"] = [str]

#: Row of the table of whole fits -> our settings.
FITS = {
    "central": {},
    "vertex": {"lp_solution": "vertex"},
}
#: Row of the table of linear programs -> solver.
SOLVERS = {"central": InteriorPoint, "vertex": PrimalVertex}


def data(n):
    """Features and labels with a tenth of them flipped."""
    X, y = make_classification(n, 20, n_informative=10, class_sep=0.7, random_state=0)
    return X, noisy(y, 0.1)


def whole_fits(n, rounds, repeats, kinds):
    """Rows of the table of whole fits: name, ratio, our seconds."""
    X, y = data(n)
    plain = DecisionTreeClassifier(**LEAVES)
    settings = {"n_estimators": rounds, "random_state": 0}
    authors = RMBoostClassifier(plain, lp_solution="from scratch", **settings)
    ours = {kind: RMBoostClassifier(**settings, **FITS[kind]) for kind in kinds}
    ada = AdaBoostClassifier(plain, n_estimators=rounds)
    RMBoostClassifier(n_estimators=2).fit(X, y)  # compiles
    pairs = []
    for _ in range(repeats):
        pairs.append({kind: seconds(booster.fit, X, y) for kind, booster in ours.items()})
        pairs[-1] |= {"authors": seconds(authors.fit, X, y), "AdaBoost": seconds(ada.fit, X, y)}
    for kind in kinds:
        mean = [statistics.median(pair[other] / pair[kind] for pair in pairs) for other in ("authors", "AdaBoost")]
        yield kind, n, rounds, *mean, statistics.median(pair[kind] for pair in pairs)
    yield "authors' way", n, rounds, 1.0, float("nan"), statistics.median(pair["authors"] for pair in pairs)


def sequence(n, rounds):
    """Rules of a central fit, signed shares and lambda of its linear programs."""
    X, y = data(n)
    booster = RMBoostClassifier(n_estimators=rounds, random_state=0).fit(X, y)
    rules = [np.asarray(rule.predict(X), float) for rule in booster.estimators_]
    return rules, np.where(y == booster.classes_[1], 1, -1) / n, booster.lam_


def some_rounds(rounds, every):
    """Rounds whose programs are solved from scratch; the cost of the others is interpolated."""
    return np.unique([1, *range(every, rounds + 1, every), rounds])


def from_scratch(solver, rules, stops):
    """CPU seconds to solve each round's program from scratch, and the risks after some rounds."""
    costs, risks = [], []
    for stop in stops:
        solver.rules = rules[:stop]
        costs.append(seconds(lambda: risks.append(solver.solve().value)))
    return np.interp(np.arange(1, len(rules) + 1), stops, costs).sum(), risks


def programs(n, rounds, every, kinds):
    """Rows of the table of linear programs on one sequence of rules, that of a central fit."""
    rules, q, lam = sequence(n, rounds)
    stops = some_rounds(len(rules), every)
    reference, risks = from_scratch(FromScratch(q, lam), rules, stops)
    for kind in kinds:
        found = []
        cost = seconds(one_by_one, SOLVERS[kind](q, lam), rules, found)
        away = np.abs(np.array(found)[stops - 1] - risks).max()
        yield kind, n, len(rules), reference / cost, cost, away


def one_by_one(solver, rules, found):
    """Add rules and solve after each; risks are appended to `found`."""
    with threadpool_limits(1, user_api="blas"):
        for rule in rules:
            solver.add(rule)
            found.append(solver.solve().value)


def table(head, rows):
    """Print a Markdown table; numbers to three digits."""
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(f"{x:.3g}" if isinstance(x, float) else str(x) for x in row) + " |", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=("fits", "programs"), default=["fits", "programs"])
    parser.add_argument("--samples", type=int, default=1000, help="of whole fits")
    parser.add_argument("--rounds", type=int, default=200, help="of whole fits")
    parser.add_argument("--program-samples", nargs="+", type=int, default=[5000], help="of linear programs")
    parser.add_argument("--program-rounds", type=int, default=100, help="of linear programs")
    parser.add_argument(
        "--every", type=int, default=10, help="from scratch, solve each so-manieth round and interpolate"
    )
    parser.add_argument("--kinds", nargs="+", choices=FITS, default=list(FITS), help="our solutions")
    parser.add_argument("--repeats", type=int, default=1, help="pairs of runs per ratio of whole fits")
    options = parser.parse_args()
    if "fits" in options.parts:
        rows = whole_fits(options.samples, options.rounds, options.repeats, options.kinds)
        table(["fit", "n", "T", "authors' way / ours", "AdaBoost / ours", "our CPU s"], rows)
    if "programs" in options.parts:
        rows = [
            row
            for n in options.program_samples
            for row in programs(n, options.program_rounds, options.every, options.kinds)
        ]
        table(["linear programs", "n", "T", "from scratch / ours", "our CPU s", "largest difference in R"], rows)


if __name__ == "__main__":
    sys.exit(main())
