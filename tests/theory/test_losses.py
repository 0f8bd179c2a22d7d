"""Losses: impurity is the least risk of a constant prediction."""

import math

import numpy as np
from scipy.optimize import minimize_scalar
from theory.cases import at_most

from ironbark.pipeline.figures import impurities

#: Loss -> (losses of predicted shares, one per true class; impurity). Shares are vectors.
LOSSES = {
    "mse": (lambda u: np.sum((np.eye(len(u)) - u) ** 2, axis=1), impurities.gini),
    "ce": (lambda u: -np.log(np.maximum(u, 1e-300)), impurities.entropy),
    "mae": (lambda u: np.sum(np.abs(np.eye(len(u)) - u), axis=1), lambda p: 2 * impurities.misclassification(p)),
    "max": (lambda u: np.max(np.abs(np.eye(len(u)) - u), axis=1), impurities.misclassification),
    "gce 0.5": (lambda u: (1 - u**0.5) / 0.5, lambda p: impurities.generalized_cross_entropy(p, 0.5)),
    "gce 0.7": (lambda u: (1 - u**0.7) / 0.7, lambda p: impurities.generalized_cross_entropy(p, 0.7)),
    "gce 2": (lambda u: (1 - u**2) / 2, lambda p: impurities.generalized_cross_entropy(p, 2)),
}


@at_most(1e-6)
def test_least_risks(rng):
    """ANE, Theorem 1: impurity is the least risk.
    Of a constant prediction: MSE, CE, MAE, max-norm, GCE.
    """
    shares = np.linspace(0, 1, 2001)
    for losses, phi in LOSSES.values():
        table = np.array([losses(np.array([1 - u, u])) for u in shares])
        for share in rng.uniform(0.02, 0.98, 12):
            p = np.array([1 - share, share])
            best = int((table @ p).argmin())
            ends = shares[max(best - 1, 0)], shares[min(best + 1, 2000)]
            options = {"args": (losses, p), "method": "bounded", "options": {"xatol": 1e-10}}
            least = minimize_scalar(lambda u, of, p: of(np.array([1 - u, u])) @ p, bounds=ends, **options).fun
            yield abs(min(least, (table @ p).min()) - phi(p))


@at_most(1e-6)
def test_margin_losses(rng):
    """PG, Table I: least mean losses of a node.
    0-1 loss: sum minority; exponential loss: DKM; softmax loss: information gain. Outputs w, classes y = 1 and -1.
    """
    scores = np.linspace(-12, 12, 240_001)
    losses = {
        "0-1": (lambda m: (m <= 0).astype(float), impurities.misclassification),
        "exponential": (lambda m: np.exp(-m), lambda p: 2 * math.sqrt(p[0] * p[1])),
        "softmax": (lambda m: np.logaddexp(0, -m), impurities.entropy),
    }
    for loss, phi in losses.values():
        for p in rng.uniform(0.02, 0.98, 12):
            yield abs((p * loss(scores) + (1 - p) * loss(-scores)).min() - phi(np.array([p, 1 - p])))


@at_most(1e-9)
def test_regression_losses(rng):
    """PG, Table I: variance and mean absolute deviation.
    Square loss: mean squared distance from the mean; absolute loss: mean distance from a median.
    """
    for n in range(2, 22):
        y = rng.normal(size=n).round(1)
        outputs = np.unique([*y, y.mean()])[:, None]  # the absolute loss is linear between targets
        yield abs(((outputs - y) ** 2).mean(axis=1).min() - y.var())
        yield abs(np.abs(outputs - y).mean(axis=1).min() - np.abs(y - np.median(y)).mean())


@at_most(1e-6)
def test_negative_exponential(rng):
    """ANE, Lemma 7: least risk of NE.
    For lambda = 2 exp(-mu).
    """
    scores = np.linspace(-40, 40, 400_001)
    for mu in (math.log(2), 1.0, 2.0):
        plus = impurities.negative_exponential_loss(scores, mu)
        for p in rng.uniform(0.01, 0.99, 8):
            risk = p * plus + (1 - p) * plus[::-1]
            phi = impurities.negative_exponential(impurities.two_classes(p), 2 * math.exp(-mu))
            yield abs(risk.min() - phi)
