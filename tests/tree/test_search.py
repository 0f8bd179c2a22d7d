"""No better split is ever missed, whatever bounds a criterion skips thresholds by: exhaustive search at each node."""

import naive
import numpy as np
import pytest

from ironbark import RobustDecisionTreeClassifier
from ironbark.criteria import CRITERIA

BOUNDED = [
    ("misclassification", None),
    *(("negative_exponential", lam) for lam in (0.1, 0.5, 0.9)),
    *(("generalized_cross_entropy", q) for q in (0.05, 0.3, 0.7, 0.95, 0.99)),
    ("twoing", None),
    *(("credal", s) for s in (0.5, 1.0, 2.5)),
]


def noisy_blobs(n, n_classes, seed, levels=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    X = X if levels is None else np.floor(X * levels)
    y = (np.floor(3 * X[:, 0]) + np.floor(X[:, 1])).astype(int) % n_classes
    return X, np.where(rng.random(n) < 0.4, rng.integers(0, n_classes, n), y)


def best_gain(name, parameter, X, y, n_classes, n_root):
    """Largest gain over all thresholds of all features; 0 if there is none."""
    best = 0.0
    for x in X.T:
        order = np.argsort(x, kind="stable")
        left = np.cumsum(np.eye(n_classes)[y[order]], axis=0)[:-1][np.diff(x[order]) > 0]
        if len(left):
            total = np.bincount(y, minlength=n_classes)
            best = max(best, naive.gain(name, left, total - left, n_root, parameter).max())
    return best


def check_nodes(fitted, name, parameter, X, y):
    """Every split has the largest gain of its node, and no leaf above the depth limit could be split."""
    tree, n_classes = fitted.tree_, fitted.n_classes_
    pending = [(0, np.arange(len(y)), 0)]
    while pending:
        row, samples, depth = pending.pop()
        if depth == fitted.max_depth or np.count_nonzero(tree.counts[row]) == 1:
            continue
        best = best_gain(name, parameter, X[samples], y[samples], n_classes, len(y))
        if tree.feature[row] < 0:
            assert best <= 2e-12
            continue
        goes_left = X[samples, tree.feature[row]] <= tree.threshold[row]
        sides = [np.bincount(y[samples[rows]], minlength=n_classes) for rows in (goes_left, ~goes_left)]
        found = naive.gain(name, *sides, len(y), parameter)
        assert found >= best * (1 - 1e-8) - 1e-13
        assert tree.gain[row] == pytest.approx(found, rel=1e-6, abs=1e-12)
        pending.append((tree.children_left[row], samples[goes_left], depth + 1))
        pending.append((tree.children_right[row], samples[~goes_left], depth + 1))


@pytest.mark.parametrize(("n", "n_classes", "levels", "max_depth"), [(200, 5, 8, None), (5000, 4, None, 3)])
@pytest.mark.parametrize(("name", "parameter"), BOUNDED)
def test_every_split_is_the_best_one(name, parameter, n, n_classes, levels, max_depth):
    X, y = noisy_blobs(n, n_classes, 0, levels)
    chosen = {} if parameter is None else {CRITERIA[name].parameter: parameter}
    fitted = RobustDecisionTreeClassifier(name, max_depth=max_depth, random_state=0, **chosen).fit(X, y)
    assert fitted.tree_.node_count > 5 or name == "credal"
    check_nodes(fitted, name, parameter, X, y)


@pytest.mark.parametrize(("name", "parameter"), [("gini", None), ("generalized_cross_entropy", 0.95)])
def test_every_split_of_two_classes_is_the_best_one(name, parameter):
    X, y = noisy_blobs(1000, 2, 1)
    chosen = {} if parameter is None else {CRITERIA[name].parameter: parameter}
    fitted = RobustDecisionTreeClassifier(name, max_depth=5, random_state=0, **chosen).fit(X, y)
    check_nodes(fitted, name, parameter, X, y)
