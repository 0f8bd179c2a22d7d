"""Whole trees: criteria that give the same tree, and what leaves a tree as it is."""

import numpy as np
from theory.cases import at_most
from theory.splits import data, same, tree

CRITERIA = ("gini", "entropy", "misclassification", "sqrt_gini", "negative_exponential", "generalized_cross_entropy")
CRITERIA += ("twoing", "credal")


def different(rng, one, other, classes, seeds=6):
    """Trees grown with two settings on the same data that are not the same."""
    for k in classes:
        for seed in range(seeds):
            sample = data(rng, k)
            yield not same(tree(*sample, **one, seed=seed), tree(*sample, **other, seed=seed))


@at_most()
def test_conservative(rng):
    """ANE, Theorem 8: trees of NE(1) and conservative losses."""
    conservative = {"criterion": "negative_exponential", "lam": 1.0}
    return different(rng, conservative, {"criterion": "misclassification"}, (2, 3, 5, 10))


@at_most()
def test_root_branch(rng):
    """Trees of NE and sqrt-Gini.

    The same for two classes if lambda^2 <= 1 / (N - 1).
    """
    small = {"criterion": "negative_exponential", "lam": 0.99 / np.sqrt(149)}
    return different(rng, small, {"criterion": "sqrt_gini"}, (2,), 12)


@at_most()
def test_twoing_of_two(rng):
    """Trees of twoing and Gini, two classes."""
    return different(rng, {"criterion": "twoing"}, {"criterion": "gini"}, (2,), 12)


@at_most()
def test_pruned(rng):
    """Pruning to min_samples_split.

    Gives the tree grown with it.
    """
    for k in (2, 3):
        for name in CRITERIA:
            X, y = data(rng, k)
            whole = tree(X, y, name)
            sizes = [5, 20, 60]
            for size, copy in zip(sizes, whole.prune_path(min_samples_split=sizes), strict=True):
                yield not same(copy, tree(X, y, name, min_samples_split=size))


@at_most()
def test_renamed(rng):
    """Other class names and growing maps of features.

    The partition stays as it is.
    """
    for k in (2, 3):
        for name in CRITERIA:
            X, y = data(rng, k)
            leaves = tree(X, y, name).apply(X)
            yield not np.array_equal(leaves, tree(X, 10 * y + 3, name).apply(X))
            bent = np.exp(X / 3)
            yield not np.array_equal(leaves, tree(bent, y, name).apply(bent))


@at_most()
def test_exclusive_or(rng):
    """Exclusive or stays one leaf."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array([0, 1, 1, 0])
    return [tree(X, y, name).get_n_leaves() > 1 for name in (*CRITERIA, "pairwise_gain")]
