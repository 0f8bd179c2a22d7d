"""Entries of methods and noisy labels for tests of fits and searches."""

import numpy as np

SK = "sklearn.tree.DecisionTreeClassifier"
TREE, FOREST = "ironbark.RobustDecisionTreeClassifier", "ironbark.RobustRandomForestClassifier"
IDS = ("toy", "binary", "random-partitions", 0, 0, "uniform-0.3")


def entry(estimator=SK, tune=None, **params):
    return {"estimator": estimator, "params": params, "tune": tune or {}}


def noisy(n=300, seed=0, n_classes=2):
    """Five features of one digit, and labels of which 30 % are drawn anew."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5)).round(1)
    y = np.digitize(X[:, 0] + X[:, 1], np.linspace(-1, 1, n_classes - 1) if n_classes > 2 else [0.0])
    return X, np.where(rng.random(n) < 0.3, rng.integers(0, n_classes, n), y)
