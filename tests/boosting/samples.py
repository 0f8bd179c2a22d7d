"""Small problems for boosters."""

import numpy as np

import ironbark

NAMES = ("AdaBoost", "BrownBoost", "GentleBoost", "LogitBoost", "RobustBoost")
STAGEWISE = [getattr(ironbark, f"{name}Classifier") for name in NAMES]

#: Two leaves: 2 of 10 samples are of class 1 in the first, 9 of 10 in the second, so 3 of 20 are wrong.
X_HAND = np.repeat([[0.0], [1.0]], 10, axis=0)
Y_HAND = np.array([0] * 8 + [1] * 2 + [1] * 9 + [0])


def problem(seed=0, n=60, d=2, noise=0.7):
    """Features, the noisy sign of the product of two, and weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, np.where(X[:, 0] * X[:, 1] + noise * rng.normal(size=n) > 0, 1, -1), rng.uniform(0.5, 2, n)


def three_classes(seed=0, n=80):
    """Features, codes of three classes, and weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)).astype(np.float32)
    return X, np.digitize(X[:, 0] + 0.4 * rng.normal(size=n), [-0.5, 0.5]), rng.uniform(0.5, 2, n)
