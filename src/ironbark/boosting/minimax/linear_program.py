"""RMBoost's linear program: the problem, its solution and its failures, and HiGHS, which solves it at a vertex.

Samples i = 1..n with signed weights q_i (y_i / n, or y_i times the share of the sample), rules j = 1..t with values
h_ij in [-1, 1], and lam > 0:

    primal   R = min   1/2 - q'H mu + lam |mu|_1           over mu in R^t with -1/2 <= H mu <= 1/2
    dual     R = max   1/2 - 1/2 |r|_1                     over r in R^n with |h_j'p| <= lam for all j, where p = q - r

A solver is made for q and lam. It has ``add(rule)``, ``solve()`` and, if it finds vertices, ``remove(positions)``; what
it knows it keeps between two calls of ``solve``.
"""

from typing import NamedTuple

import numpy as np

from ironbark.errors import InputError

DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4  # values of HiGHS's option simplex_strategy


class Solution(NamedTuple):
    """An optimal pair, up to the tolerance of the solver.

    `mu` are the coefficients of the rules, in the order they were added; `p` the signed weights for the next rule,
    weight abs(p_i) and label sign(p_i), which lowers R only if abs(h'p) > lam; `value` is R of `mu`, in LPBoost the
    margin rho.
    """

    mu: np.ndarray
    p: np.ndarray
    value: float
    iterations: int


class SolverError(RuntimeError):
    """A linear program that could not be solved, even after a second try with other settings."""


class SymmetricDuals:
    """Averages r = q - p over samples on which all rules agree, or all disagree.

    The result satisfies the same constraints and has no larger sum of abs(r), so it is as good as the solver's.
    """

    def __init__(self, q):
        self.q = q
        self.group = np.zeros(len(q), np.int64)
        self.sign = None

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
    """HiGHS's solution of a minimisation; `row_dual` is the change of the optimum per unit of a row's active bound."""

    column_value: np.ndarray
    row_dual: np.ndarray
    objective: float
    iterations: int


class Model:
    """A minimisation by HiGHS, at first without rows and columns, solved again from the last basis.

    The strategy is `DUAL_SIMPLEX` where rows are added and `PRIMAL_SIMPLEX` where columns are.
    """

    def __init__(self, strategy, tol):
        self.highspy = _highspy()
        self.strategy = strategy
        self.highs = self.highspy.Highs()
        self._set(
            output_flag=False,
            solver="simplex",
            presolve="off",
            threads=1,
            simplex_strategy=strategy,
            primal_feasibility_tolerance=tol,
            dual_feasibility_tolerance=tol,
        )

    def add_rows(self, lower, upper):
        """Append rows without entries."""
        none = np.zeros(0, np.int32)
        self.highs.addRows(len(lower), lower, upper, 0, np.zeros(len(lower), np.int32), none, np.zeros(0))

    def add_columns(self, cost, lower, upper):
        """Append columns without entries."""
        none = np.zeros(0, np.int32)
        self.highs.addCols(len(cost), cost, lower, upper, 0, np.zeros(len(cost), np.int32), none, np.zeros(0))

    def add_row(self, lower, upper, entries):
        """Append a dense row."""
        self.highs.addRow(lower, upper, len(entries), np.arange(len(entries), dtype=np.int32), entries)

    def add_column(self, cost, lower, upper, entries):
        """Append a dense column."""
        self.highs.addCol(cost, lower, upper, len(entries), np.arange(len(entries), dtype=np.int32), entries)

    def delete_rows(self, positions):
        """Delete rows; those behind them move up."""
        self.highs.deleteRows(len(positions), np.array(sorted(positions), np.int32))

    def delete_columns(self, positions):
        """Delete columns; those behind them move up."""
        self.highs.deleteCols(len(positions), np.array(sorted(positions), np.int32))

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
        return Result(
            np.asarray(solution.col_value),
            np.asarray(solution.row_dual),
            info.objective_function_value,
            max(info.simplex_iteration_count, 0),
        )

    def _run(self):
        self.highs.run()
        return self.highs.getModelStatus().name

    def _set(self, **options):
        for name, value in options.items():
            if self.highs.setOptionValue(name, value) != self.highspy.HighsStatus.kOk:
                raise InputError(f"HiGHS does not take {name}={value!r}.")


def _highspy():
    try:
        import highspy
    except ImportError as error:
        raise InputError(
            "vertex solutions need the package highspy; install it, or use lp_solution='central' of RMBoostClassifier."
        ) from error
    return highspy
