"""Scores of sums of small regression trees, all trees in one call."""

import numpy as np

from ironbark.jit import kernel
from ironbark.tree.traversal import ABREAST, NODE, step


def total_score(trees, sizes, decays, X):
    """F after the last tree of ``F <- decay F + size tree(x)``, which starts from 0.

    Parameters
    ----------
    trees : list of RegressionTree
    sizes, decays : ndarray of shape (n_trees,), float64
    X : ndarray of shape (n_samples, n_features), float32 or float64, C order
        Finite.

    Returns
    -------
    ndarray of shape (n_samples,), float64
    """
    score = np.zeros(len(X))
    if trees:
        means = np.concatenate([tree.means for tree in trees])
        starts = np.cumsum([0, *(tree.node_count for tree in trees)])
        add(X, joined(trees), means, starts, sizes, decays, score)
    return score


def joined(trees):
    """Nodes of all trees; joined as numbers of 16 bytes, which takes a fifth of the time that records take."""
    return np.concatenate([tree.packed.view(np.complex128) for tree in trees]).view(NODE)


@kernel
def add(X, nodes, means, starts, sizes, decays, score):
    """Let `ABREAST` samples at a time see one tree after the other, whose nodes stay in cache."""
    rows = np.empty(ABREAST, np.int64)
    for first in range(0, X.shape[0], ABREAST):
        some = X[first : first + ABREAST]
        for tree in range(sizes.shape[0]):
            own = nodes[starts[tree] :]
            rows[:] = 0
            moves = 1
            while moves != 0:
                moves = 0
                for j in range(some.shape[0]):
                    moves |= step(some, own, rows, j)
            for j in range(some.shape[0]):
                value = means[starts[tree] + rows[j]]
                score[first + j] = decays[tree] * score[first + j] + sizes[tree] * value
