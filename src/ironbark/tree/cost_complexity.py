"""Impurity of a grown tree's nodes, and collapsing its weakest links one after the other.

These are the steps of minimal cost-complexity pruning: Breiman, Friedman, Olshen, Stone (1984), chapter 3.3. The links
of all nodes are in the second half of a tournament, won by the weakest: entry i is the smaller of 2i and 2i + 1.
"""

import numpy as np

from ironbark.criteria import build
from ironbark.criteria.base import ceiling, impurity, largest, unit
from ironbark.jit import inner_kernel, kernel
from ironbark.tree.growing.driver import weight_of
from ironbark.tree.growing.nodes import LEAF

#: Columns of what `collapse` knows of each node; the last one is the number of leaves below it.
LEFT, RIGHT, PARENT, LEAVES = range(4)


def node_impurities(name, parameters, counts):
    """Impurity of each node, row 0 is the root, by this criterion, or Gini impurity if the criterion is no impurity."""
    real, n_classes = counts.dtype.kind == "f", max(2, counts.shape[1])
    n_root = 1 if real else int(counts[0].sum())
    criterion = build(name, n_root, n_classes, parameters)
    if not criterion.weighted:  # twoing, credal and pairwise gain judge pairs of children
        return 1.0 - np.square(counts / counts.sum(axis=1, keepdims=True)).sum(axis=1)
    result = np.empty(len(counts))
    counts = counts.astype(np.float64 if real else np.int64, copy=False)  # criteria square integers
    (fill_real if real else fill)(criterion, counts, n_root, result)
    return result


@kernel
def fill(criterion, counts, n_root, result):
    """The gain of a split into pure children is the impurity times the node's share, and the ceiling of gains."""
    for row in range(counts.shape[0]):
        n = weight_of(counts[row])
        gain = ceiling(criterion, counts[row], n) / unit(criterion, n, n_root)
        result[row] = 0.0 if n == largest(counts[row]) else max(0.0, gain * n_root / n)


@kernel
def fill_real(criterion, counts, n_root, result):
    """Impurities of nodes whose weights are no integers."""
    for row in range(counts.shape[0]):
        n = weight_of(counts[row])
        result[row] = impurity(criterion, counts[row], n) / n


def parents(left, right):
    """Row of each node's parent, -1 for the root; ndarray of shape (node_count,), int32."""
    result, inner = np.full(len(left), LEAF, np.int32), np.flatnonzero(left != LEAF)
    result[left[inner]] = result[right[inner]] = inner
    return result


def weakest_links(left, right, risk):
    """Collapse the inner node that loses least per leaf, of several the lowest row, until only the root is left."""
    n = len(left)
    prices, waiting, steps = np.full(n, -1.0), np.empty(n, np.int64), np.empty((2, n))
    tournament = np.full(2 << (n - 1).bit_length(), np.inf)
    family = np.column_stack([left, right, parents(left, right), np.ones(n, np.int32)])
    used = collapse(family, risk, risk.copy(), tournament, waiting, steps, prices)
    return steps[0, :used], steps[1, :used], prices


@kernel
def collapse(family, risk, branch, tournament, waiting, steps, prices):
    """Write the results of `weakest_links`; returns the number of steps."""
    size, used, highest = tournament.shape[0] // 2, 0, 0.0
    for row in range(family.shape[0] - 1, -1, -1):
        if family[row, LEFT] != LEAF:
            tournament[size + row] = link(family, risk, branch, row)
    for i in range(size - 1, 0, -1):
        tournament[i] = min(tournament[2 * i], tournament[2 * i + 1])
    while family[0, LEAVES] > 1:
        row = winner(tournament)
        steps[0, used] = tournament[size + row]
        highest = max(highest, steps[0, used])  # rounding may make a step cheaper than the one before
        remove_below(family, tournament, waiting, row, highest, prices)
        branch[row] = risk[row]
        above = np.int64(family[row, PARENT])
        while above != LEAF:
            enter(tournament, above, link(family, risk, branch, above))
            above = np.int64(family[above, PARENT])
        steps[1, used] = branch[0]
        used += 1
    return used


@inner_kernel
def link(family, risk, branch, row):
    """Add up the leaves below a node, whose children are right, and return what its collapse costs per leaf saved."""
    left, right = family[row, LEFT], family[row, RIGHT]
    branch[row] = branch[left] + branch[right]
    family[row, LEAVES] = family[left, LEAVES] + family[right, LEAVES]
    return (risk[row] - branch[row]) / (family[row, LEAVES] - 1)


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
def remove_below(family, tournament, waiting, row, price, prices):
    """Make a node a leaf, and take it and all inner nodes below it out of the tournament at this price."""
    waiting[0], top = row, 1
    while top > 0:
        top -= 1
        row = waiting[top]
        if family[row, LEAVES] > 1:
            family[row, LEAVES], prices[row] = 1, price
            enter(tournament, row, np.inf)
            waiting[top], waiting[top + 1] = family[row, LEFT], family[row, RIGHT]
            top += 2
