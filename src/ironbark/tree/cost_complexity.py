"""Collapsing a tree's weakest links one after the other: the steps of minimal cost-complexity pruning.

The links of all nodes stand in the second half of a tournament, whose winner is the weakest one: entry i is the smaller
one of entries 2i and 2i + 1.
"""

import numpy as np

from ironbark.jit import inner_kernel, kernel
from ironbark.tree.growing.nodes import LEAF


@kernel
def collapse_weakest(left, right, risk):
    """Collapse the inner node that loses least per leaf, of several the one of the lowest row, until the root is left.

    Parameters
    ----------
    left, right : ndarray of shape (node_count,), int32
        Rows of the children, which stand behind their parents; -1 in leaves.
    risk : ndarray of shape (node_count,), float64
        Impurity of each node times its share of the samples.

    Returns
    -------
    alphas : ndarray of shape (n_steps,), float64
        Increase of the impurity per leaf saved.
    impurities : ndarray of shape (n_steps,), float64
        Weighted impurity of the remaining leaves.
    rows : ndarray of shape (n_steps,), int64
        The node that became a leaf.
    """
    n, size = left.shape[0], 1
    while size < n:
        size *= 2
    parent, branch, leaves = np.full(n, LEAF), risk.copy(), np.ones(n, np.int64)
    tournament = np.full(2 * size, np.inf)
    for row in range(n - 1, -1, -1):
        if left[row] != LEAF:
            parent[left[row]] = parent[right[row]] = row
            add_up(left, right, branch, leaves, row)
            tournament[size + row] = link(risk, branch, leaves, row)
    for i in range(size - 1, 0, -1):
        tournament[i] = min(tournament[2 * i], tournament[2 * i + 1])
    steps, waiting = 0, np.empty(n, np.int64)
    alphas, impurities, rows = np.empty(n), np.empty(n), np.empty(n, np.int64)
    while leaves[0] > 1:
        row = winner(tournament)
        alphas[steps], rows[steps] = tournament[size + row], row
        remove_below(left, right, leaves, tournament, waiting, row)
        branch[row] = risk[row]
        above = parent[row]
        while above != LEAF:
            add_up(left, right, branch, leaves, above)
            enter(tournament, above, link(risk, branch, leaves, above))
            above = parent[above]
        impurities[steps] = branch[0]
        steps += 1
    return alphas[:steps], impurities[:steps], rows[:steps]


@inner_kernel
def add_up(left, right, branch, leaves, row):
    """Weighted impurity and number of the leaves below a node, from those of its children."""
    branch[row] = branch[left[row]] + branch[right[row]]
    leaves[row] = leaves[left[row]] + leaves[right[row]]


@inner_kernel
def link(risk, branch, leaves, row):
    """What the impurity gains per leaf saved if the node collapses."""
    return (risk[row] - branch[row]) / (leaves[row] - 1)


@inner_kernel
def winner(tournament):
    """The lowest row of a node with the weakest link."""
    size, i = tournament.shape[0] // 2, 1
    while i < size:
        i *= 2
        if tournament[i] != tournament[i // 2]:
            i += 1
    return i - size


@inner_kernel
def enter(tournament, row, value):
    """Set the link of a node; inf takes it out."""
    i = tournament.shape[0] // 2 + row
    tournament[i] = value
    i >>= 1
    while i > 0:
        smaller = min(tournament[2 * i], tournament[2 * i + 1])
        if tournament[i] == smaller:
            break
        tournament[i] = smaller
        i >>= 1


@inner_kernel
def remove_below(left, right, leaves, tournament, waiting, row):
    """Make a node a leaf, and take it and all inner nodes below it out of the tournament."""
    waiting[0], top = row, 1
    while top > 0:
        top -= 1
        row = waiting[top]
        if leaves[row] > 1:
            leaves[row] = 1
            enter(tournament, row, np.inf)
            waiting[top], waiting[top + 1] = left[row], right[row]
            top += 2


@kernel
def collapse_alphas(left, right, alphas, rows):
    """Smallest `ccp_alpha` that makes each inner node a leaf or removes it; -1 for leaves of the whole tree.

    Parameters
    ----------
    left, right : ndarray of shape (node_count,), int32
    alphas, rows : ndarray of shape (n_steps,)
        Of `collapse_weakest`.

    Returns
    -------
    ndarray of shape (node_count,), float64
        No node has a larger value than its parent.
    """
    found, highest = np.full(left.shape[0], -1.0), 0.0
    for i in range(rows.shape[0]):
        highest = max(highest, alphas[i])  # rounding may make a step cheaper than the one before
        found[rows[i]] = highest
    for row in range(left.shape[0]):
        if left[row] != LEAF:
            for child in (left[row], right[row]):
                if left[child] != LEAF and found[child] < 0:
                    found[child] = found[row]  # it went with its parent
    return found
