"""Gains of single splits, and small trees, as the estimators make them."""

import numpy as np

from ironbark import RobustDecisionTreeClassifier


def stump(left, right, criterion, **params):
    """The tree of one level on one feature of two values, whose sides hold these class counts."""
    n_left, n_right = int(np.sum(left)), int(np.sum(right))
    X = np.repeat([[0.0], [1.0]], [n_left, n_right], axis=0)
    y = np.concatenate([np.repeat(np.arange(len(side)), side) for side in (left, right)])
    return tree(X, y, criterion, max_depth=1, **params).tree_


def gain(left, right, criterion, **params):
    """Its gain; 0 if the split is refused."""
    found = stump(left, right, criterion, **params)
    return float(found.gain[0]) if found.node_count > 1 else 0.0


def counts(rng, n_classes, top=12):
    """Class counts of two sides that are not empty, with all classes in the node."""
    while True:
        sides = rng.integers(0, top, (2, n_classes))
        if (sides.sum(axis=1) > 0).all() and (sides.sum(axis=0) > 0).all():
            return sides


def tree(X, y, criterion, seed=0, **params):
    """A fitted tree."""
    return RobustDecisionTreeClassifier(criterion, random_state=seed, ccp_alpha=0.0, **params).fit(X, y)


def data(rng, n_classes, n=150, d=4, levels=12, flips=0.3):
    """Features of few levels and labels that depend on the first two, some of them drawn anew."""
    X = rng.integers(0, levels, (n, d)).astype(float)
    y = (X[:, 0] + X[:, 1]).astype(int) * n_classes // (2 * levels - 1)
    anew = rng.random(n) < flips
    y[anew] = rng.integers(0, n_classes, anew.sum())
    y[:n_classes] = np.arange(n_classes)
    return X, y


def same(one, other):
    """Whether two fitted trees are the same, node for node."""
    a, b = one.tree_, other.tree_
    names = ("feature", "threshold", "children_left", "children_right", "counts")
    return a.node_count == b.node_count and all(np.array_equal(getattr(a, n), getattr(b, n)) for n in names)
