"""Statements about whole trees: criteria that give the same tree, and what leaves a tree as it is."""

import numpy as np

from ironbark.pipeline.theory.splits import data, same, stump, tree
from ironbark.pipeline.theory.statements.statement import Statement, contradictions

CRITERIA = ("gini", "entropy", "misclassification", "sqrt_gini", "negative_exponential", "generalized_cross_entropy")
CRITERIA += ("twoing", "credal")


@contradictions
def _different(rng, one, other, classes, seeds=6):
    """Trees grown with two settings on the same data that are not the same."""
    for k in classes:
        for seed in range(seeds):
            sample = data(rng, k)
            yield not same(tree(*sample, **one, seed=seed), tree(*sample, **other, seed=seed))


def conservative(rng):
    """NE(1) is misclassification."""
    conservative = {"criterion": "negative_exponential", "lam": 1.0}
    return _different(rng, conservative, {"criterion": "misclassification"}, (2, 3, 5, 10))


def root_branch(rng):
    """NE of a small lambda is sqrt-Gini, with 150 samples a tree."""
    small = {"criterion": "negative_exponential", "lam": 0.99 / np.sqrt(149)}
    return _different(rng, small, {"criterion": "sqrt_gini"}, (2,), 12)


def twoing_of_two(rng):
    """Twoing is Gini for two classes."""
    return _different(rng, {"criterion": "twoing"}, {"criterion": "gini"}, (2,), 12)


@contradictions
def pruned(rng):
    """Pruning by min_samples_split gives the tree that is grown with it."""
    for k in (2, 3):
        for name in CRITERIA:
            X, y = data(rng, k)
            whole = tree(X, y, name)
            sizes = [5, 20, 60]
            for size, copy in zip(sizes, whole.prune_path(min_samples_split=sizes), strict=True):
                yield not same(copy, tree(X, y, name, min_samples_split=size))


@contradictions
def renamed(rng):
    """New names of classes in the same order and a growing map of a feature leave the partition as it is."""
    for k in (2, 3):
        for name in CRITERIA:
            X, y = data(rng, k)
            leaves = tree(X, y, name).apply(X)
            yield not np.array_equal(leaves, tree(X, 10 * y + 3, name).apply(X))
            bent = np.exp(X / 3)
            yield not np.array_equal(leaves, tree(bent, y, name).apply(bent))


@contradictions
def exclusive_or(rng):
    """Four points of exclusive or stay one leaf."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array([0, 1, 1, 0])
    return [tree(X, y, name).get_n_leaves() > 1 for name in (*CRITERIA, "pairwise_gain")]


@contradictions
def pure(rng):
    """A pure node is never split."""
    return [stump([n, 0], [1, 0], name).node_count > 1 for name in CRITERIA for n in (1, 5)]


@contradictions
def quirks(rng):
    """The tiny examples of what the authors' code does otherwise."""
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


STATEMENTS = (
    Statement(
        "I1b",
        "ANE, Theorem 8: NE(1) and conservative losses give the same tree",
        "whole trees, K = 2 to 10; different trees",
        conservative,
    ),
    Statement(
        "I2",
        "NE gives the tree of sqrt-Gini if lambda^2 <= 1 / (N - 1), K = 2",
        "whole trees; different trees",
        root_branch,
    ),
    Statement(
        "I5b",
        "For two classes twoing and Gini give the same tree",
        "whole trees; different trees",
        twoing_of_two,
    ),
    Statement(
        "I9b",
        "Exclusive or of two features stays one leaf under every criterion",
        "four points; trees that split",
        exclusive_or,
    ),
    Statement(
        "I13b",
        "A pure node is a leaf under every criterion, credal too, whose entropy it does not make 0",
        "pure nodes; trees that split",
        pure,
    ),
    Statement(
        "I14a",
        "Other names of the classes and growing maps of a feature leave the partition as it is",
        "whole trees, K = 2, 3; different partitions",
        renamed,
    ),
    Statement(
        "I14b",
        "Pruning to a larger min_samples_split gives the tree grown with it",
        "whole trees, K = 2, 3; different trees",
        pruned,
    ),
    Statement(
        "I15",
        'compat="rdts" does what the authors\' code does: leaf sizes, rounded midpoints, early exit of twoing',
        "tiny examples; wrong outcomes",
        quirks,
    ),
)
