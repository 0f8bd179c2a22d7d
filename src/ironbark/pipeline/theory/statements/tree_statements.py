"""Statements about whole trees: criteria that give the same tree, and what leaves a tree as it is."""

import numpy as np

from ironbark.pipeline.theory.splits import data, same, stump, tree
from ironbark.pipeline.theory.statements.statement import Statement

CRITERIA = ("gini", "entropy", "misclassification", "sqrt_gini", "negative_exponential", "generalized_cross_entropy")
CRITERIA += ("twoing", "credal")


def _different(rng, pairs, classes, seeds=6):
    """Trees grown with the two settings of a pair on the same data that are not the same."""
    different = [
        not same(tree(*sample, **one, seed=seed), tree(*sample, **other, seed=seed))
        for k in classes
        for seed in range(seeds)
        for sample in [data(rng, k)]
        for one, other in pairs
    ]
    return len(different), float(sum(different))


def conservative(rng):
    """NE(1) is misclassification."""
    pair = {"criterion": "negative_exponential", "lam": 1.0}, {"criterion": "misclassification"}
    return _different(rng, [pair], (2, 3, 5, 10))


def root_branch(rng):
    """NE of a small lambda is sqrt-Gini, with 150 samples a tree."""
    small = {"criterion": "negative_exponential", "lam": 0.99 / np.sqrt(149)}
    return _different(rng, [(small, {"criterion": "sqrt_gini"})], (2,), 12)


def twoing_of_two(rng):
    """Twoing is Gini for two classes."""
    return _different(rng, [({"criterion": "twoing"}, {"criterion": "gini"})], (2,), 12)


def pruned(rng):
    """Pruning by min_samples_split gives the tree that is grown with it."""
    different = []
    for k in (2, 3):
        for name in CRITERIA:
            X, y = data(rng, k)
            whole = tree(X, y, name)
            sizes = [5, 20, 60]
            for size, copy in zip(sizes, whole.prune_path(min_samples_split=sizes), strict=True):
                different.append(not same(copy, tree(X, y, name, min_samples_split=size)))
    return len(different), float(sum(different))


def renamed(rng):
    """New names of classes in the same order and a growing map of a feature leave the partition as it is."""
    different = []
    for k in (2, 3):
        for name in CRITERIA:
            X, y = data(rng, k)
            leaves = tree(X, y, name).apply(X)
            different.append(not np.array_equal(leaves, tree(X, 10 * y + 3, name).apply(X)))
            bent = np.exp(X / 3)
            different.append(not np.array_equal(leaves, tree(bent, y, name).apply(bent)))
    return len(different), float(sum(different))


def exclusive_or(rng):
    """Four points of exclusive or stay one leaf."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array([0, 1, 1, 0])
    split = [tree(X, y, name).get_n_leaves() > 1 for name in (*CRITERIA, "pairwise_gain")]
    return len(split), float(sum(split))


def pure(rng):
    """A pure node is never split."""
    split = [stump([n, 0], [1, 0], name).node_count > 1 for name in CRITERIA for n in (1, 5)]
    return len(split), float(sum(split))


def quirks(rng):
    """The tiny examples of what the authors' code does otherwise."""
    wrong = []
    labels = ["A", "A", "B"]
    for x, leaves in (([0, 1, 2], 1), ([2, 1, 0], 2)):
        found = tree(np.array(x, float)[:, None], labels, "misclassification", compat="rdts")
        wrong.append(found.get_n_leaves() != leaves)
    odd = np.nextafter(np.float32(1), np.float32(2))
    even = np.nextafter(odd, np.float32(2))
    X = np.array([[odd], [odd], [even], [even]], float)
    rounded = tree(X, [0, 0, 1, 1], "gini", compat="rdts", max_depth=1)
    wrong.append(rounded.tree_.counts.tolist() != [[2, 2], [2, 1], [0, 1]])  # fit sends the last sample right
    wrong.append(len(set(rounded.apply(X))) != 1)  # predict sends all left
    X, y = data(rng, 5, n=400)
    one, other = tree(X, y, "twoing", compat="rdts"), tree(X, y, "twoing_rdts", compat="rdts")
    wrong.append(not same(one, other))
    wrong.append(one.get_n_leaves() <= tree(X, y, "twoing").get_n_leaves())  # the early exit peels off samples
    return len(wrong), float(sum(wrong))


STATEMENTS = (
    Statement(
        "I1b",
        "ANE, Theorem 8: NE(1) and conservative losses give the same tree",
        "whole trees, K = 2 to 10; different trees",
        0,
        conservative,
    ),
    Statement(
        "I2",
        "NE gives the tree of sqrt-Gini if lambda^2 <= 1 / (N - 1), K = 2",
        "whole trees; different trees",
        0,
        root_branch,
    ),
    Statement(
        "I5b",
        "For two classes twoing and Gini give the same tree",
        "whole trees; different trees",
        0,
        twoing_of_two,
    ),
    Statement(
        "I9b",
        "Exclusive or of two features stays one leaf under every criterion",
        "four points; trees that split",
        0,
        exclusive_or,
    ),
    Statement(
        "I13b",
        "A pure node is a leaf under every criterion, credal too, whose entropy it does not make 0",
        "pure nodes; trees that split",
        0,
        pure,
    ),
    Statement(
        "I14a",
        "Other names of the classes and growing maps of a feature leave the partition as it is",
        "whole trees, K = 2, 3; different partitions",
        0,
        renamed,
    ),
    Statement(
        "I14b",
        "Pruning to a larger min_samples_split gives the tree grown with it",
        "whole trees, K = 2, 3; different trees",
        0,
        pruned,
    ),
    Statement(
        "I15",
        'compat="rdts" does what the authors\' code does: leaf sizes, rounded midpoints, early exit of twoing',
        "tiny examples; wrong outcomes",
        0,
        quirks,
    ),
)
