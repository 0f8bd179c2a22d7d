"""Smaller copies of grown trees: by stricter stopping rules, and by minimal cost-complexity pruning.

Random numbers depend on the path to a node only, so a tree under stricter stopping rules is the same tree cut off
earlier, and need not be grown. Cost-complexity pruning: Breiman, Friedman, Olshen, Stone (1984), chapter 3.3.
"""

import copy
import heapq
from dataclasses import replace
from numbers import Real

import numpy as np
from sklearn.base import clone

from ironbark.errors import InputError
from ironbark.tree.cost_complexity import weakest_links
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.structure import UNDEFINED, Tree

#: What a `Tree` holds of each node, and what it holds of leaves in place of splits.
MARKS = {"children_left": LEAF, "children_right": LEAF, "feature": UNDEFINED, "threshold": UNDEFINED}
MARKS |= {"gain": 0.0, "directions": 0, "levels": 0}
COLUMNS = (*MARKS, "counts", "prediction", "sizes")

#: Beginnings of the names of fitted attributes that do not hold for smaller trees, and of private ones.
OF_LARGER_TREES = ("_", "oob_", "ccp_path_")


def cut(tree, final):
    """Copy of a tree with leaves wherever `final` says so, as of all inner nodes below; nodes keep their order."""
    left, right = tree.children_left, tree.children_right
    leaf, kept = final | (left == LEAF), np.ones(tree.node_count, bool)
    gone = np.flatnonzero(leaf & (left != LEAF))
    kept[left[gone]] = kept[right[gone]] = False
    rows, number = np.flatnonzero(kept), np.cumsum(kept, dtype=np.int32) - np.int32(1)
    columns = {name: column.take(rows, axis=0) for name in COLUMNS if (column := getattr(tree, name)) is not None}
    columns["children_left"], columns["children_right"] = number[left[rows]], number[right[rows]]
    leaf = np.flatnonzero(leaf[rows])
    for name, mark in MARKS.items():
        if name in columns:
            columns[name][leaf] = mark
    if not np.isnan(columns["threshold"]).any():
        columns["levels"] = None  # no split by levels is left
    return replace(tree, parameters=dict(tree.parameters), **columns)


def best_first(tree, max_leaf_nodes):
    """The tree that would have grown by splitting the node of the largest gain first, up to so many leaves."""
    # Gains are weighted by the node's share of the samples; of equal ones the node of the lowest row comes first.
    gain = tree.gain if tree.weighted else tree.gain * (tree.weighted_n_node_samples / tree.weighted_n_node_samples[0])
    final, waiting, leaves = np.ones(tree.node_count, bool), [(-gain[0], 0)], 1
    while waiting and leaves < max_leaf_nodes:
        _, row = heapq.heappop(waiting)
        if tree.children_left[row] == LEAF:
            continue
        final[row] = False
        leaves += 1
        for child in (tree.children_left[row], tree.children_right[row]):
            heapq.heappush(waiting, (-gain[child], child))
    return cut(tree, final)


def cost_complexity_prune(tree, ccp_alpha):
    """The smallest subtree that minimises impurity of the leaves + `ccp_alpha` * number of leaves."""
    return cut(tree, node_alphas(tree) <= ccp_alpha)


def node_alphas(tree):
    """Smallest `ccp_alpha` under which each node is a leaf or gone, ndarray of shape (node_count,), float64."""
    return weakest_links(tree.children_left, tree.children_right, node_risks(tree))[2]


def cost_complexity_path(tree):
    """Effective alphas, from 0.0 for the whole tree, and the weighted impurity of the leaves of each one's subtree."""
    risks = node_risks(tree)
    alphas, impurities, _ = weakest_links(tree.children_left, tree.children_right, risks)
    whole = risks[tree.children_left == LEAF].sum()
    return np.concatenate([[0.0], alphas]), np.concatenate([[whole], impurities])


def node_risks(tree):
    """Impurity of each node times its share of the samples."""
    weights = tree.weighted_n_node_samples
    return tree.impurity * (weights / weights[0])


def pruned(estimator, limits):
    """Fitted copy of an estimator with other stopping rules, a dict of parameters; nothing mutable is shared."""
    other = clone(estimator).set_params(**limits)
    other._validate_params()
    check_stricter(estimator, other, limits)
    for name, value in vars(estimator).items():
        if name == "trees_":
            other.trees_ = [shrink(tree, other, limits) for tree in value]
        elif name == "tree_":
            other.tree_ = shrink(value, other, limits)
        elif name.endswith("_") and not name.startswith(OF_LARGER_TREES):
            setattr(other, name, copy.deepcopy(value))
    other.ccp_alpha_ = float(limits.get("ccp_alpha", estimator.ccp_alpha_))
    return other


def shrink(tree: Tree, estimator, limits: dict) -> Tree:
    """The tree that would have grown under the limits of `estimator`, from one under no stricter ones."""
    final = tree.n_node_samples < estimator.min_samples_split
    if limits.get("max_depth") is not None:  # the tree keeps its own limit
        final |= tree.depths() >= estimator.max_depth
    smaller = cut(tree, final)
    return cost_complexity_prune(smaller, estimator.ccp_alpha) if "ccp_alpha" in limits else smaller


def check_stricter(old, new, limits):
    """Raise ValueError unless the trees of `old` can be cut down to those of `new`, which has these limits."""
    if not isinstance(limits.get("ccp_alpha", 0), Real):
        raise InputError(f"ccp_alpha={limits['ccp_alpha']!r} is no price to prune with; give numbers >= 0.")
    depths = [float("inf") if estimator.max_depth is None else estimator.max_depth for estimator in (old, new)]
    laxer = {
        "min_samples_split": (new.min_samples_split < old.min_samples_split, old.min_samples_split),
        "max_depth": (depths[1] > depths[0], old.max_depth),
        "ccp_alpha": ("ccp_alpha" in limits and new.ccp_alpha < old.ccp_alpha_, old.ccp_alpha_),
    }
    for name, (is_laxer, fitted) in laxer.items():
        if is_laxer:
            raise ValueError(
                f"{name}={getattr(new, name)} is laxer than {name}={fitted}, with which {type(old).__name__} was "
                "fitted, and pruning makes trees only smaller; fit again."
            )
    if new.min_samples_split == old.min_samples_split and depths[0] == depths[1]:
        return
    if old.max_leaf_nodes is not None:
        raise ValueError(
            f"trees have at most max_leaf_nodes={old.max_leaf_nodes} leaves, and would have others under stricter "
            "rules; fit with max_leaf_nodes=None to prune by min_samples_split or max_depth."
        )
    if old.ccp_alpha_ > 0:
        raise ValueError(
            f"trees are pruned with ccp_alpha={old.ccp_alpha_} already, which comes after all stopping rules; fit with "
            "ccp_alpha=0 to prune by min_samples_split or max_depth."
        )
