"""Newton steps of the interior point method for RMBoost's linear program; see `interior_point`.

Arrays with two rows hold what belongs to the two bounds: the first row to H mu <= 1/2, or mu+, the second to
H mu >= -1/2, or mu-.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, lapack

SIGNS = np.array([[1.0], [-1.0]])


class Point(NamedTuple):
    """An iterate, all of whose entries are positive, or a step between two.

    Attributes
    ----------
    m, z : ndarray of shape (2, n_rules)
        mu+ and mu-, and the slacks of their dual constraints.
    a, s : ndarray of shape (2, n_samples)
        Multipliers alpha and beta, and the slacks of the two bounds.
    """

    m: np.ndarray
    z: np.ndarray
    a: np.ndarray
    s: np.ndarray

    def products(self):
        """Complementarity of samples and of rules; 0 at an optimum."""
        return self.a * self.s, self.m * self.z

    def complementarity(self):
        """Sum of all products."""
        return np.vdot(self.a, self.s) + np.vdot(self.m, self.z)

    def lengths(self, step):
        """Longest lengths of the primal and of the dual part of a step that keep all entries non-negative."""
        primal = min(_longest(self.m, step.m), _longest(self.s, step.s))
        return primal, min(_longest(self.z, step.z), _longest(self.a, step.a))

    def moved(self, step, primal, dual):
        """The point after a step of these two lengths."""
        return Point(self.m + primal * step.m, self.z + dual * step.z, self.a + dual * step.a, self.s + primal * step.s)


class Newton:
    """The linear system at a point, reduced to its Schur complement ``diag(stiffness) + H' D H``, factorized.

    Parameters
    ----------
    point : Point
    residual : ndarray of shape (2, n_rules)
        What the dual constraints lack: ``lam -+ H'p - z``.
    rules : ndarray of shape (n_rules, n_samples), float64
        The transpose of H.
    room : ndarray of shape (n_rules, n_samples), float64
        Overwritten.
    """

    def __init__(self, point, residual, rules, room):
        self.point, self.residual, self.rules = point, residual, rules
        self.curvature = (point.a / point.s).sum(axis=0)
        self.stiffness = 1 / (point.m / point.z).sum(axis=0)
        np.multiply(rules, np.sqrt(self.curvature), out=room)
        schur = room @ room.T
        schur.flat[:: len(schur) + 1] += self.stiffness
        self.factor, minor = lapack.dpotrf(schur.T, lower=True, clean=False, overwrite_a=True)
        if minor:
            raise LinAlgError("the Schur complement is not positive definite")

    def step(self, per_sample, per_rule):
        """Step towards given products; each target is an array as in `Point.products` or one number."""
        m, z, a, s = self.point
        g = _difference(per_sample / s - a)
        b = _difference((per_rule - m * self.residual) / z - m)
        d_mu, _ = lapack.dpotrs(self.factor, b * self.stiffness - self.rules @ g, lower=True)
        d_margin = d_mu @ self.rules
        d_s = -SIGNS * d_margin
        d_z = self.residual + SIGNS * (self.rules @ (self.curvature * d_margin + g))
        return Point((per_rule - m * d_z) / z - m, d_z, (per_sample - a * d_s) / s - a, d_s)


def _difference(pair):
    return pair[0] - pair[1]


def _longest(values, changes):
    steepest = (-changes / values).max()
    return 1 / steepest if steepest > 0 else np.inf
