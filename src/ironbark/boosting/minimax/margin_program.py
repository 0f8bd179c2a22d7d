"""LPBoost's linear program, solved by the simplex method of HiGHS from the last basis."""

import numpy as np

from ironbark.boosting.minimax.highs import DUAL_SIMPLEX, Model
from ironbark.boosting.minimax.linear_program import Solution


class MarginProgram:
    """Largest margin of a convex combination of rules, and the weights that make it no larger.

    With caps c_i on the weights (infinite for the hard margin) and b_ij = y_i h_j(x_i)::

        rho = max  rho - sum_i c_i xi_i   subject to   sum_j mu_j b_ij >= rho - xi_i,   xi >= 0,   mu >= 0,   |mu|_1 = 1
            = min  g                      subject to   sum_i d_i b_ij <= g for all j,   0 <= d_i <= c_i,      |d|_1 = 1

    The second one is solved, with d and g multiplied by n: a rule is a row more, which keeps the basis dual feasible.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), int
        -1 or +1.
    caps : ndarray of shape (n_samples,), float64
        Their sum is at least 1.
    tol : float, default=1e-7
        Feasibility tolerance of HiGHS.
    """

    def __init__(self, y, caps, tol=1e-7):
        self.n, self.y = len(y), np.asarray(y, np.float64)
        self.model = Model(DUAL_SIMPLEX, tol)
        self.model.add_columns(np.zeros(self.n), np.zeros(self.n), caps * self.n)
        self.model.add_columns(np.ones(1), np.full(1, -np.inf), np.full(1, np.inf))
        self.model.add_row(self.n, self.n, np.append(np.ones(self.n), 0.0))

    def add(self, rule):
        """Append a rule, given by its values on the samples."""
        self.model.add_row(-np.inf, 0.0, np.append(self.y * rule, -1.0))

    def solve(self):
        """Solution for the rules so far: `p` is ``y_i d_i``, `value` is rho."""
        result = self.model.solve()
        weights = np.maximum(result.column_value[:-1], 0.0) / self.n
        mu = np.maximum(-result.row_dual[1:], 0.0)
        return Solution(mu, self.y * weights, result.objective / self.n, result.iterations)
