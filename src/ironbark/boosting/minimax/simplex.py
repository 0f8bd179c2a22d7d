"""Vertex solution of RMBoost's linear program: the simplex method of HiGHS, started from the last basis.

Both formulations are multiplied by n where that brings duals near 1, as in `ironbark.boosting.minimax.interior_point`.
"""

import numpy as np

from ironbark.boosting.minimax.linear_program import DUAL_SIMPLEX, PRIMAL_SIMPLEX, Model, Solution


class PrimalVertex:
    """One row per sample, a column per rule and one for its mirror image once that is priced out.

    A new column keeps the basis primal feasible. `tol` is HiGHS's for the margins, and for the duals times n. See
    `ironbark.boosting.minimax.linear_program`.
    """

    def __init__(self, q, lam, tol=1e-7):
        self.n, self.tol = len(q), tol
        self.q, self.lam = q * self.n, lam * self.n
        self.model = Model(PRIMAL_SIMPLEX, tol)
        self.model.add_rows(np.full(self.n, -0.5), np.full(self.n, 0.5))
        self.rules = []
        self.p = self.q
        self.columns = []  # position of the rule and its sign, for each column of the model

    def add(self, rule):
        """Append a rule, given by its values on the samples."""
        self.rules.append(np.asarray(rule, np.float64))
        self._add_column(len(self.rules) - 1, 1.0 if rule @ self.p >= 0 else -1.0)

    def _add_column(self, position, sign):
        column = sign * self.rules[position]
        self.model.add_column(self.lam - column @ self.q, 0.0, np.inf, column)
        self.columns.append((position, sign))

    def remove(self, positions):
        """Forget rules; those behind them move up."""
        gone = set(positions)
        self.model.delete_columns([k for k, (position, _) in enumerate(self.columns) if position in gone])
        kept = [position for position in range(len(self.rules)) if position not in gone]
        place = {position: k for k, position in enumerate(kept)}
        self.rules = [self.rules[position] for position in kept]
        self.columns = [(place[position], sign) for position, sign in self.columns if position not in gone]

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


class DualVertex:
    """Two columns per sample, a row per rule; a new row keeps the basis dual feasible. Else like `PrimalVertex`."""

    def __init__(self, q, lam, tol=1e-7):
        self.n = len(q)
        self.q, self.lam = q * self.n, lam * self.n
        self.model = Model(DUAL_SIMPLEX, tol)
        self.model.add_columns(np.full(2 * self.n, 0.5), np.zeros(2 * self.n), np.full(2 * self.n, np.inf))

    def add(self, rule):
        """Append a rule, given by its values on the samples."""
        moment = rule @ self.q
        self.model.add_row(moment - self.lam, moment + self.lam, np.concatenate([rule, -rule]))

    def remove(self, positions):
        """Forget rules; those behind them move up."""
        self.model.delete_rows(positions)

    def solve(self):
        """Solution for the rules so far."""
        result = self.model.solve()
        r = result.column_value[: self.n] - result.column_value[self.n :]
        mu = result.row_dual + 0.0  # HiGHS has zeros of both signs
        return Solution(mu, (self.q - r) / self.n, 0.5 - result.objective / self.n, result.iterations)


#: Name of a formulation -> its solver.
FORMULATIONS = {"primal": PrimalVertex, "dual": DualVertex}
