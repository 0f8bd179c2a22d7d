"""RMBoost's linear program: the problem, its solution and its failures, and its vertex solution by HiGHS.

Samples i = 1..n with signed weights q_i (y_i / n, or y_i times the share of the sample), rules j = 1..t with values
h_ij in [-1, 1], and lam > 0:

    primal   R = min   1/2 - q'H mu + lam |mu|_1           over mu in R^t with -1/2 <= H mu <= 1/2
    dual     R = max   1/2 - 1/2 |r|_1                     over r in R^n with |h_j'p| <= lam for all j, where p = q - r

A solver is made for q and lam. It has ``add(rule)``, given by its values on the samples, and ``solve()``, which starts
from the last solution. Programs are multiplied by n where that brings duals near 1.
"""

from typing import NamedTuple

import numpy as np

from ironbark.errors import InputError

DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4  # values of HiGHS's option simplex_strategy
NONE = np.zeros(0, np.int32)


class Solution(NamedTuple):
    """An optimal pair, up to the tolerance of the solver."""

    mu: np.ndarray  # coefficients of the rules, in the order they were added
    p: np.ndarray  # signed weights for the next rule: weight abs(p_i) and label sign(p_i)
    value: float  # R of `mu`, in LPBoost the margin rho
    iterations: int


class SolverError(RuntimeError):
    """A linear program that could not be solved, even after a second try with other settings."""


class SymmetricDuals:
    """Averages r = q - p over samples on which all rules agree, or all disagree; the result is as good as before."""

    def __init__(self, q):
        self.q, self.group, self.sign = q, np.zeros(len(q), np.int64), None

    def add(self, rule):
        """Split the groups by a rule with values -1 and +1; its negative would split them alike."""
        if self.sign is None:
            self.sign = np.asarray(rule, np.float64)
        aligned = self.sign * rule > 0
        self.group = np.unique(2 * self.group + aligned, return_inverse=True)[1]

    def average(self, p):
        """Signed weights in place of those of the solver."""
        r = self.sign * (self.q - p)
        mean = np.bincount(self.group, r) / np.bincount(self.group)
        return self.q - self.sign * mean[self.group]


class Result(NamedTuple):
    """HiGHS's solution of a minimisation."""

    column_value: np.ndarray
    row_dual: np.ndarray  # change of the optimum per unit of a row's active bound
    objective: float
    iterations: int


class Model:
    """A minimisation by HiGHS, at first empty; rows are added for the dual simplex method, columns for the primal."""

    def __init__(self, strategy, tol):
        try:
            import highspy
        except ImportError as error:
            raise InputError(
                "vertex solutions need the package highspy; install it, or use lp_solution='central' of "
                "RMBoostClassifier."
            ) from error
        self.highspy, self.strategy = highspy, strategy
        self.highs = _silent(highspy)
        self._set(output_flag=False, solver="simplex", presolve="off", threads=1, simplex_strategy=strategy)
        self._set(primal_feasibility_tolerance=tol, dual_feasibility_tolerance=tol)

    def add_rows(self, lower, upper):
        """Append rows without entries."""
        self.highs.addRows(len(lower), lower, upper, 0, np.zeros(len(lower), np.int32), NONE, np.zeros(0))

    def add_row(self, lower, upper, entries):
        """Append a dense row."""
        self.highs.addRow(lower, upper, len(entries), np.arange(len(entries), dtype=np.int32), entries)

    def add_column(self, cost, lower, upper, entries):
        """Append a dense column."""
        self.highs.addCol(cost, lower, upper, len(entries), np.arange(len(entries), dtype=np.int32), entries)

    def solve(self):
        """An optimum, from the last basis; failing that, from scratch with presolve and the other simplex method."""
        status = self._run()
        if status != "kOptimal":
            other = DUAL_SIMPLEX + PRIMAL_SIMPLEX - self.strategy
            self.highs.clearSolver()
            self._set(presolve="on", simplex_strategy=other)
            first, status = status, self._run()
            self._set(presolve="off", simplex_strategy=self.strategy)
            if status != "kOptimal":
                raise SolverError(f"HiGHS ended with status {first}, and from scratch with status {status}")
        solution, info = self.highs.getSolution(), self.highs.getInfo()
        values, duals = np.asarray(solution.col_value), np.asarray(solution.row_dual)
        return Result(values, duals, info.objective_function_value, max(info.simplex_iteration_count, 0))

    def _run(self):
        self.highs.run()
        return self.highs.getModelStatus().name

    def _set(self, **options):
        for name, value in options.items():
            if self.highs.setOptionValue(name, value) != self.highspy.HighsStatus.kOk:
                raise InputError(f"HiGHS does not take {name}={value!r}.")


def _silent(highspy):
    """A solver that prints nothing: since 1.16 HiGHS prints its name when it enables callbacks, as it is made."""

    class Silent(highspy.Highs):
        def enableCallbacks(self):
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent()


class PrimalVertex:
    """One row per sample, a column per rule and one for its mirror image once that is priced out."""

    def __init__(self, q, lam, tol=1e-7):
        self.n, self.tol = len(q), tol
        self.q, self.lam = q * self.n, lam * self.n
        self.model = Model(PRIMAL_SIMPLEX, tol)
        self.model.add_rows(np.full(self.n, -0.5), np.full(self.n, 0.5))
        self.p, self.rules = self.q, []
        self.columns = []  # position of the rule and its sign, for each column of the model

    def add(self, rule):
        """Append a rule."""
        self.rules.append(np.asarray(rule, np.float64))
        self._add_column(len(self.rules) - 1, 1.0 if rule @ self.p >= 0 else -1.0)

    def _add_column(self, position, sign):
        column = sign * self.rules[position]
        self.model.add_column(self.lam - column @ self.q, 0.0, np.inf, column)
        self.columns.append((position, sign))

    def solve(self):
        """Solution for the rules so far; each round adds a mirror image, of which there are as many as rules."""
        iterations = 0
        for _ in range(len(self.rules) + 1):
            result = self.model.solve()
            iterations += result.iterations
            self.p = self.q + result.row_dual
            missing = self._mirrors()
            if not missing:
                break
            for position, sign in missing:
                self._add_column(position, sign)
        mu = np.zeros(len(self.rules))
        for (position, sign), value in zip(self.columns, result.column_value, strict=True):
            mu[position] += sign * value
        return Solution(mu, self.p / self.n, 0.5 + result.objective / self.n, iterations)

    def _mirrors(self):
        """Columns that the model lacks and that would lower the risk."""
        edges = np.array(self.rules) @ self.p
        present = set(self.columns)
        wanted = [(position, 1.0 if edge > 0 else -1.0) for position, edge in enumerate(edges)]
        return [column for column in wanted if column not in present and abs(edges[column[0]]) > self.lam + self.tol]
