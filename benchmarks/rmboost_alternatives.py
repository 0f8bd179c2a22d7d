"""Other ways to solve RMBoost's linear programs against the interior point method, as CPU-time ratios.

Programs: a custom first-order method, started from the last solution; HiGHS' first-order method from scratch; the
interior point method on a sample of the rows, to which violated ones are added until none is left. All get the rules of
one central fit, one by one. Stabilisation: whole fits whose next weights are mixed with the last ones. Data as in
rmboost.py.
"""

import argparse
import sys

import highspy
import numpy as np
from measure import seconds
from rmboost import data, from_scratch, one_by_one, sequence, some_rounds, table
from scipy.sparse import csr_matrix

from ironbark import RMBoostClassifier
from ironbark.boosting.minimax.interior_point import InteriorPoint
from ironbark.boosting.minimax.linear_program import Solution

TOL = 1e-3


class FirstOrder:
    """Primal-dual hybrid gradient, restarted at the average of its iterates when that closes half of the gap."""

    most = 20_000

    def __init__(self, q, lam, tol=TOL):
        self.q, self.lam, self.tol, self.rules = q, lam, tol, []
        self.mu, self.d = np.empty(0), np.zeros(len(q))

    def add(self, rule):
        self.rules.append(rule)
        self.mu = np.append(self.mu, 0.0)

    def solve(self):
        H = np.array(self.rules)
        gains, n = H @ self.q, H.shape[1]
        norm = np.sqrt(np.linalg.eigvalsh(H @ H.T)[-1])
        weight = np.sqrt(n)  # duals are n times smaller than coefficients
        mu, d = self.mu, self.d
        base = self._pair(H, gains, mu, d)
        sums, count = [np.zeros_like(mu), np.zeros_like(d)], 0
        for iteration in range(1, self.most + 1):
            step = mu - weight / norm * (H @ d - gains)
            ahead = np.sign(step) * np.maximum(np.abs(step) - weight / norm * self.lam, 0)
            step = d + ((2 * ahead - mu) @ H) / (weight * norm)
            d = np.sign(step) * np.maximum(np.abs(step) - 0.5 / (weight * norm), 0)
            mu = ahead
            sums, count = [sums[0] + mu, sums[1] + d], count + 1
            if iteration % 20 == 0:
                last = self._pair(H, gains, mu, d)
                mean = self._pair(H, gains, sums[0] / count, sums[1] / count)
                best = min(last, mean, key=lambda pair: pair[0])
                if best[0] < self.tol:
                    self.mu, self.d = (mu, d) if best is last else (sums[0] / count, sums[1] / count)
                    return Solution(self.mu, self.q - self.d, best[1], iteration)
                if mean[0] < base[0] / 2:
                    mu, d, base = sums[0] / count, sums[1] / count, mean
                    sums, count = [np.zeros_like(mu), np.zeros_like(d)], 0
        raise SystemExit(f"a gap of {best[0]:.2g} is left after {self.most} iterations")

    def _pair(self, H, gains, mu, d):
        """Gap and risk of the pair, made feasible."""
        mu = mu / max(1.0, 2 * np.abs(mu @ H).max())
        p = self.q - d
        p = p * (self.lam / max(self.lam, np.abs(H @ p).max()))
        risk = 0.5 + self.lam * np.abs(mu).sum() - gains @ mu
        return risk - 0.5 + 0.5 * np.abs(self.q - p).sum(), risk


class HighsFirstOrder:
    """HiGHS' PDLP, from scratch in each round."""

    def __init__(self, q, lam, tol=TOL):
        self.q, self.lam, self.tol, self.rules = q, lam, tol, []

    def add(self, rule):
        self.rules.append(rule)

    def solve(self):
        H = np.array(self.rules).T
        gains, (n, t) = self.q @ H, H.shape
        A = csr_matrix(np.hstack([H, -H]))
        model = highspy.HighsLp()
        model.num_col_, model.num_row_, model.offset_ = 2 * t, n, 0.5
        model.col_cost_ = np.concatenate([self.lam - gains, self.lam + gains])
        model.col_lower_, model.col_upper_ = np.zeros(2 * t), np.full(2 * t, highspy.kHighsInf)
        model.row_lower_, model.row_upper_ = np.full(n, -0.5), np.full(n, 0.5)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = A.indptr, A.indices, A.data
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("solver", "pdlp")
        for name in ("pdlp_optimality_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            solver.setOptionValue(name, self.tol)
        solver.passModel(model)
        solver.run()
        x = np.array(solver.getSolution().col_value)
        info = solver.getInfo()
        return Solution(x[:t] - x[t:], self.q, info.objective_function_value, info.pdlp_iteration_count)


class RowSample:
    """The interior point method on a tenth of the rows, to which violated ones are added until none is left.

    The other rows' part of the edges enters by one row whose margin is too small to be limited.
    """

    heavy = 1e3

    def __init__(self, q, lam, tol=TOL):
        self.q, self.lam, self.tol, self.rules = q, lam, tol, []
        self.rows = np.random.default_rng(0).permutation(len(q))[: len(q) // 10]
        self._restart()

    def add(self, rule):
        self.rules.append(rule)
        self.solver.add(self._seen(rule))

    def solve(self):
        H = np.array(self.rules)
        while True:
            found = self.solver.solve()
            new = np.setdiff1d(np.flatnonzero(np.abs(found.mu @ H) > 0.5 + TOL), self.rows)
            if len(new) == 0:
                return found
            self.rows = np.append(self.rows, new)
            self._restart()

    def _seen(self, rule):
        return np.append(rule[self.rows], np.delete(self.q * rule, self.rows).sum() / self.heavy)

    def _restart(self):
        self.solver = InteriorPoint(np.append(self.q[self.rows], self.heavy), self.lam, self.tol)
        for rule in self.rules:
            self.solver.add(self._seen(rule))


class Stabilised(RMBoostClassifier):
    """RMBoost whose next weights are mixed with the last ones."""

    share = 0.5

    def _generate(self, X, program, p, labels=None):
        self._last = p
        return super()._generate(X, program, p, labels)

    def _duals(self, values, solution):
        self._last = self.share * self._last + (1 - self.share) * solution.p
        return self._last


#: Row of the table of programs -> solver, and whether it starts from its last solution.
SOLVERS = {
    "interior-point": (InteriorPoint, True),
    "first-order": (FirstOrder, True),
    "first-order-highs": (HighsFirstOrder, False),
    "sample-of-rows": (RowSample, True),
}


def programs(n, rounds, every, kinds):
    """Rows of the table of programs; the first kind is the one that the others are compared with."""
    rules, q, lam = sequence(n, rounds)
    ours = None
    for name in kinds:
        kind, warm = SOLVERS[name]
        if warm:
            found = []
            cost = seconds(one_by_one, kind(q, lam), rules, found)
        else:
            cost, found = from_scratch(kind(q, lam), rules, some_rounds(len(rules), every))
        ours = ours or cost
        yield name, n, len(rules), cost / ours, cost, found[-1]


def stabilised(n, stops):
    """Rows of the table of whole fits: minimax risk after so many rounds."""
    X, y = data(n)
    for solution in ("central", "vertex"):
        for share in (0.0, 0.5, 0.8):
            booster = Stabilised(n_estimators=stops[-1], lp_solution=solution, random_state=0)
            booster.share = share
            risks = booster.fit(X, y).risks_
            yield solution, n, share, *(risks[min(stop, len(risks)) - 1] for stop in stops)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="*", choices=SOLVERS, default=list(SOLVERS), help="of solvers, the first is 1")
    parser.add_argument("--samples", nargs="+", type=int, default=[1000], help="of programs")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--every", type=int, default=50, help="from scratch, solve each so-manieth round, interpolate")
    parser.add_argument("--fit-samples", type=int, default=1000, help="of whole fits; 0 leaves them out")
    options = parser.parse_args()
    rows = [row for n in options.samples for row in programs(n, options.rounds, options.every, options.kinds)]
    table(["linear programs", "n", "T", "time / the first's", "CPU s", "R"], rows)
    if options.fit_samples:
        stops = [10, 25, 50, 100]
        rows = stabilised(options.fit_samples, stops)
        table(["solution", "n", "share of the last weights", *(f"R, T = {stop}" for stop in stops)], rows)


if __name__ == "__main__":
    sys.exit(main())
