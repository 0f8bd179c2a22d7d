"""Linear programs that grow by rows or columns, solved by HiGHS from the last basis."""

from typing import NamedTuple

import numpy as np

from ironbark.boosting.minimax.linear_program import SolverError
from ironbark.errors import InputError

DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4  # values of HiGHS's option simplex_strategy


class Result(NamedTuple):
    """HiGHS's solution of a minimisation.

    Attributes
    ----------
    column_value : ndarray of shape (n_columns,), float64
    row_dual : ndarray of shape (n_rows,), float64
        Change of the optimum per unit of the row's active bound.
    objective : float
    iterations : int
    """

    column_value: np.ndarray
    row_dual: np.ndarray
    objective: float
    iterations: int


class Model:
    """A minimisation, at first without rows and columns.

    Parameters
    ----------
    strategy : {DUAL_SIMPLEX, PRIMAL_SIMPLEX}
        Dual where rows are added, primal where columns are.
    tol : float
        Primal and dual feasibility tolerance.
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
        """An optimum, from the last basis; failing that, from scratch with presolve and the other simplex method.

        Returns
        -------
        Result

        Raises
        ------
        SolverError
            If neither ends at an optimum.
        """
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
