"""Central solution of RMBoost's linear program: a dense primal-dual interior point method.

Mehrotra's predictor and corrector, and one of Gondzio's centrality correctors, on a t x t Schur complement. Started
from the last solution, it takes about five iterations whatever n and t, each of some n t^2 multiplications. Weights,
duals and lam are multiplied by n, so that they are near 1.

References
----------
Mehrotra, "On the Implementation of a Primal-Dual Interior Point Method", SIAM Journal on Optimization 2, 1992.
Gondzio, "Multiple Centrality Corrections in a Primal-Dual Method for Linear Programming", Computational Optimization
and Applications 6, 1996.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, lapack

from ironbark.boosting.minimax.linear_program import Solution, SolverError

MOST_ITERATIONS = 100
LONGER = 0.1  # a centrality corrector aims at steps longer by this
CENTRAL = 0.1, 10.0  # and at products between these multiples of their mean


class InteriorPoint:
    """Solver near the analytic centre of all optima; the risk is at most `tol`, not below 1e-5, above the optimum."""

    def __init__(self, q, lam, tol=1e-3):
        self.n, self.t, self.tol = len(q), 0, tol
        self.q, self.lam = q * self.n, lam * self.n
        self.away = min(3e-4 / lam, 1.0)  # from the boundary, for coefficients at a warm start; |mu|_1 <= 1 / (2 lam)
        self.store = self.room = np.empty((0, self.n))
        self.moments, self.last = np.empty(0), None

    def add(self, rule):
        """Append a rule."""
        if self.t == len(self.store):
            self.room = np.empty((2 * self.t + 16, self.n))
            self.store = np.vstack([self.store, self.room[self.t :]])
        self.store[self.t] = rule
        self.t += 1
        self.moments = np.append(self.moments, self.q @ rule)
        if self.last is not None:
            m, z, a = self.last
            slack = np.maximum(self.lam - SIGNS * (rule @ (self.q - a[0] + a[1])), self.lam)
            self.last = np.hstack([m, np.full((2, 1), self.away)]), np.hstack([z, slack]), a

    def solve(self):
        """Solution for the rules so far, from the last one; failing that, from scratch, in the first round nearer 0."""
        starts = (self._warm, self._cold) if self.last is not None else (self._cold, partial(self._cold, 0.01))
        for start in starts:
            with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # then the gap is not closed
                solution = self._run(start())
            if solution is not None:
                return solution
        raise SolverError(f"the interior point method did not reach tol={self.tol:g} in {MOST_ITERATIONS} iterations")

    def _cold(self, size=0.1):
        m, z = np.full((2, self.t), size / self.t), np.full((2, self.t), self.lam)
        return self._point(m, z, np.full((2, self.n), 0.5))

    def _warm(self):
        m, z, a = self.last  # pulled back from the boundary, where steps are short
        return self._point(0.9 * m + self.away, np.maximum(z, 0.2 * self.lam), np.maximum(a, 0.5))

    def _point(self, m, z, a):
        margins = (m[0] - m[1]) @ self.store[: self.t]
        largest = np.abs(margins).max()
        if largest >= 0.49:
            m, margins = m * (0.45 / largest), margins * (0.45 / largest)
        return Point(m, z, a, 0.5 - SIGNS * margins)

    def _run(self, point):
        """Solution from a first point, or None if the tolerance is not reached."""
        rules = self.store[: self.t]
        for iteration in range(MOST_ITERATIONS):
            p = self.q - point.a[0] + point.a[1]
            edges = rules @ p
            solution = self._solution(point, p, edges, iteration)
            if solution is not None:
                self.last = point.m, point.z, point.a
                return solution
            try:
                newton = Newton(point, self.lam - SIGNS * edges - point.z, rules, self.room[: self.t])
            except LinAlgError:
                return None
            point = self._moved(point, newton)
        return None

    def _solution(self, point, p, edges, iteration):
        """The point as a feasible pair, or None if their risks differ too much."""
        mu = point.m[0] - point.m[1]
        p *= self.lam / max(self.lam, np.abs(edges).max())
        bound = 0.5 - 0.5 * np.abs(self.q - p).sum() / self.n
        if self._risk(mu) - bound >= self.tol:
            return None
        mu /= max(1.0, 2 * np.abs(mu @ self.store[: self.t]).max())  # above 1 after rounding only
        risk = self._risk(mu)
        return Solution(mu, p / self.n, risk, iteration) if risk - bound < self.tol else None

    def _risk(self, mu):
        return 0.5 + (self.lam * np.abs(mu).sum() - self.moments @ mu) / self.n

    def _moved(self, point, newton):
        """The next point."""
        mean = point.complementarity() / (2 * self.n + 2 * self.t)
        affine = newton.step(0.0, 0.0)
        ahead = point.moved(affine, *(min(1.0, length) for length in point.lengths(affine)))
        ratio = ahead.complementarity() / point.complementarity()
        target = mean * min(1.0, max(ratio**3, 1e-6))
        aims = target - affine.a * affine.s, target - affine.m * affine.z
        step = newton.step(*aims)
        lengths = [min(1.0, length) for length in point.lengths(step)]
        tried = point.moved(step, *(min(1.0, 1.08 * length + LONGER) for length in lengths))
        aims = [aim + _towards(product, target) for aim, product in zip(aims, tried.products(), strict=True)]
        centred = newton.step(*aims)
        longer = [min(1.0, length) for length in point.lengths(centred)]
        if min(longer) >= min(lengths) + 0.1 * LONGER:
            step, lengths = centred, longer
        return point.moved(step, *(length if length == 1 else 0.99 * length for length in lengths))


def _towards(products, target):
    """Change that moves products into the neighbourhood of their target, with a bound on decreases."""
    low, high = CENTRAL
    return np.maximum(np.clip(products, low * target, high * target) - products, -high * target)


SIGNS = np.array([[1.0], [-1.0]])


class Point(NamedTuple):
    """An iterate, all of whose entries are positive, or a step between two; two rows each."""

    m: np.ndarray  # mu+ and mu-
    z: np.ndarray  # slacks of their dual constraints
    a: np.ndarray  # multipliers alpha and beta
    s: np.ndarray  # slacks of the two bounds

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
    """The linear system at a point, reduced to its Schur complement ``diag(stiffness) + H' D H``, factorized."""

    # `residual` is what the dual constraints lack, ``lam -+ H'p - z``; the rows of `rules` are those of H'.

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
