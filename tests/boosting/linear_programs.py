"""Slow twins of the linear programs, by scipy, and small problems for their tests."""

import numpy as np
from scipy.optimize import linprog
from theory.problems import least_risk

#: Settings of LPBoost.
LP_VARIANTS = {"soft": {}, "nu": {"nu": 0.4}, "hard": {"margin": "hard"}}
LP_VARIANTS["bootstrap"] = {"base": "bootstrap", "nu": 0.3}


def problem(seed=0, n=80, d=3, noise=0.5):
    """Features of few values and labels -1, +1."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (n, d)).astype(float)
    return X, np.where(X[:, 0] + X[:, 1] - 11 + 12 * noise * rng.normal(size=n) > 0, 1, -1)


def random_rules(seed, n, t):
    """Rules of shape (t, n) that are right about each sample with probability 0.6."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], n)
    return y, np.where(rng.random((t, n)) < 0.6, y, -y).astype(float)


def minimax_risk(rules, q, lam):
    """R of RMBoost over all these rules, from the primal as it is printed: 2 n rows, 2 t columns."""
    return least_risk(rules, rules @ q, lam)[1]


def margin(rules, y, caps):
    """rho of LPBoost over all these rules, from the primal: t coefficients, n shortfalls and rho."""
    t, n = rules.shape
    soft = np.isfinite(caps)
    result = linprog(
        np.concatenate([np.zeros(t), np.where(soft, caps, 0), [-1]]),
        A_ub=np.hstack([-(rules * y).T, -np.diag(soft.astype(float)), np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=[[1.0] * t + [0.0] * (n + 1)],
        b_eq=[1.0],
        bounds=[(0, None)] * (t + n) + [(None, None)],
        method="highs",
    )
    assert result.status == 0, result.message
    return -result.fun


def values_of(booster, X):
    """Predictions of the rules of a booster; shape (n_rules, n_samples)."""
    return np.array([rule.predict(X) for rule in booster.estimators_], dtype=float)
