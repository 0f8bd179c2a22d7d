"""RMBoost's linear program for all solvers: the problem, its solution and its failures.

Samples i = 1..n with signed weights q_i (y_i / n, or y_i times the share of the sample), rules j = 1..t with values
h_ij in [-1, 1], and lam > 0:

    primal   R = min   1/2 - q'H mu + lam |mu|_1           over mu in R^t with -1/2 <= H mu <= 1/2
    dual     R = max   1/2 - 1/2 |r|_1                     over r in R^n with |h_j'p| <= lam for all j, where p = q - r

A solver is made for q and lam. It has ``add(rule)``, ``solve()`` and, if it finds vertices, ``remove(positions)``; what
it knows it keeps between two calls of ``solve``.
"""

from typing import NamedTuple

import numpy as np


class Solution(NamedTuple):
    """An optimal pair, up to the tolerance of the solver.

    Attributes
    ----------
    mu : ndarray of shape (n_rules,), float64
        Coefficients of the rules, in the order they were added.
    p : ndarray of shape (n_samples,), float64
        Signed weights for the next rule: weight abs(p_i), label sign(p_i). A rule lowers R only if abs(h'p) > lam.
    value : float
        R of `mu`; in LPBoost the margin rho.
    iterations : int
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

    Parameters
    ----------
    q : ndarray of shape (n_samples,), float64
        Signed weights of the samples.
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
