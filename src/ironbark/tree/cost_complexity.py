"""Impurity of a grown tree's nodes, and collapsing its weakest links one after the other.

These are the steps of minimal cost-complexity pruning: Breiman, Friedman, Olshen, Stone (1984), chapter 3.3. The order
in which links below a node collapse does not depend on the rest of the tree, so it is merged from its children's.
"""

import numpy as np

from ironbark.criteria import build
from ironbark.criteria.base import ceiling, impurity, largest, unit
from ironbark.jit import inlined_kernel, kernel
from ironbark.tree.growing.driver import weight_of
from ironbark.tree.growing.nodes import LEAF

#: The link of an inner node: what its collapse costs per leaf saved, and, below the node whose order it is in, risk and
#: number of the leaves after it, and the row that collapses next.
LINK = np.dtype([("price", "f8"), ("risk", "f8"), ("leaves", "i4"), ("next", "i4")])
#: The leaves below a node before any collapse, and the row that collapses first; none of a leaf.
BRANCH = np.dtype([("risk", "f8"), ("leaves", "i4"), ("first", "i4")])


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


def weakest_links(left, right, risk):
    """Collapse the inner node that loses least per leaf, of several the lowest row, until only the root is left."""
    n = len(left)
    links, branches, steps, prices = np.empty(n, LINK), np.empty(n, BRANCH), np.empty((2, n)), np.full(n, -1.0)
    merge_links(left, right, risk, links, branches)
    used = follow_links(left, right, links, branches, steps, prices)
    return steps[0, :used], steps[1, :used], prices


@kernel
def merge_links(left, right, risk, links, branches):
    """Order the links below each node, children first: a node goes before the rest of those below that cost as much."""
    for row in range(len(left) - 1, -1, -1):
        if left[row] == LEAF:
            branches[row]["risk"], branches[row]["leaves"], branches[row]["first"] = risk[row], 1, LEAF
            continue
        one, other, last = branches[left[row]], branches[right[row]], LEAF
        one_risk, one_leaves, one_next = one["risk"], one["leaves"], one["first"]
        other_risk, other_leaves, other_next = other["risk"], other["leaves"], other["first"]
        below, leaves = one_risk + other_risk, one_leaves + other_leaves
        branches[row]["risk"], branches[row]["leaves"], branches[row]["first"] = below, leaves, row
        while True:
            price = (risk[row] - below) / (leaves - 1)
            one_price, other_price = price_of(links, one_next), price_of(links, other_next)
            if price <= min(one_price, other_price):
                break
            is_one = one_price < other_price or (one_price == other_price and one_next < other_next)
            taken = one_next if is_one else other_next
            link = links[taken]
            if is_one:
                one_risk, one_leaves, one_next = link["risk"], link["leaves"], link["next"]
            else:
                other_risk, other_leaves, other_next = link["risk"], link["leaves"], link["next"]
            below, leaves = one_risk + other_risk, one_leaves + other_leaves
            link["risk"], link["leaves"] = below, leaves
            append(links, branches, row, last, taken)
            last = taken
        own = links[row]
        own["price"], own["risk"], own["leaves"], own["next"] = price, risk[row], 1, LEAF
        append(links, branches, row, last, row)


@inlined_kernel
def price_of(links, row):
    """Price of a link; inf for no row."""
    return links[row]["price"] if row != LEAF else np.inf


@inlined_kernel
def append(links, branches, row, last, taken):
    """Put a link behind the last one of the order below `row`."""
    if last == LEAF:
        branches[row]["first"] = taken
    else:
        links[last]["next"] = taken


@kernel
def follow_links(left, right, links, branches, steps, prices):
    """Write the results of `weakest_links`; returns the number of steps."""
    row, used, highest = branches[0]["first"], 0, 0.0
    while row != LEAF:
        highest = max(highest, links[row]["price"])  # rounding may make a step cheaper than the one before
        steps[0, used], steps[1, used], prices[row] = links[row]["price"], links[row]["risk"], highest
        row, used = links[row]["next"], used + 1
    for row in range(len(left)):
        if left[row] != LEAF:
            for child in (left[row], right[row]):
                if left[child] != LEAF and prices[child] < 0:  # it goes with its parent
                    prices[child] = prices[row]
    return used
