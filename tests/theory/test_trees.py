"""Whole trees: criteria that give the same tree, and what leaves a tree as it is."""

import numpy as np
from theory.cases import at_most
from theory.splits import data, same, stump, tree

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


@at_most()
def test_pure(rng):
    """Pure nodes are leaves.

    Under credal too, whose entropy of them is not 0.
    """
    return [stump([n, 0], [1, 0], name).node_count > 1 for name in CRITERIA for n in (1, 5)]


@at_most()
def test_quirks(rng):
    """compat="rdts" follows the authors' code.

    Leaf sizes, rounded midpoints, early exit of twoing.
    """
    labels = ["A", "A", "B"]
    for x, leaves in (([0, 1, 2], 1), ([2, 1, 0], 2)):
        found = tree(np.array(x, float)[:, None], labels, "misclassification", compat="rdts")
        yield found.get_n_leaves() != leaves
    odd = np.nextafter(np.float32(1), np.float32(2))
    even = np.nextafter(odd, np.float32(2))
    X = np.array([[odd], [odd], [even], [even]], float)
    rounded = tree(X, [0, 0, 1, 1], "gini", compat="rdts", max_depth=1)
    yield rounded.tree_.counts.tolist() != [[2, 2], [2, 1], [0, 1]]  # fit sends the last sample right
    yield len(set(rounded.apply(X))) != 1  # predict sends all left
    X, y = data(rng, 5, n=400)
    one, other = tree(X, y, "twoing", compat="rdts"), tree(X, y, "twoing_rdts", compat="rdts")
    yield not same(one, other)
    yield one.get_n_leaves() <= tree(X, y, "twoing").get_n_leaves()  # the early exit peels off samples
