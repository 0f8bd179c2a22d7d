"""Votes of all pruned versions of trees on samples that the trees were grown without.

Minimal cost-complexity pruning with a larger `ccp_alpha` gives a subtree, so the leaves of a sample under ascending
alphas follow each other on its way from its leaf in the whole tree to the root. One descent for each sample and tree is
enough for all alphas.
"""

import numpy as np

from ironbark.jit import inlined_kernel, kernel
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.threads import in_threads
from ironbark.tree.traversal import ABREAST

BLOCK = 2**22  # bytes of votes and of features that are held at a time


def brier_losses(votes, codes):
    """Sum over the classes of (share of the votes - indicator of the label)^2.

    Parameters
    ----------
    votes : ndarray of shape (n_samples, n_alphas, n_classes), float64
        Class probabilities.
    codes : ndarray of shape (n_samples,), int
        Class indices.

    Returns
    -------
    ndarray of shape (n_samples, n_alphas), float64
    """
    own = np.take_along_axis(votes, codes[:, None, None], axis=2)[:, :, 0]
    return np.einsum("ijk,ijk->ij", votes, votes) - 2 * own + 1


def path_losses(trees, prices, outside, features, codes, alphas, loss=brier_losses, dtype=np.float64, n_jobs=None):
    """Loss of each sample under each alpha, by the trees that were grown without the sample.

    Memory does not grow with the number of samples, but for the result: samples are taken in blocks. Each block sees
    the trees in their order, so the result does not depend on the number of threads.

    Parameters
    ----------
    trees : list of Tree
        Not pruned yet.
    prices : list of ndarray
        `ironbark.tree.pruning.node_alphas` of each tree.
    outside : ndarray of shape (n_trees, ceil(n_samples / 8)), uint8
        Bits of `numpy.packbits`: whether the tree was grown without the sample.
    features : EncodedFeatures
    codes : ndarray of shape (n_samples,), int
        Class indices.
    alphas : ndarray of shape (n_alphas,), ascending
        Values of `ccp_alpha`; 0 is no pruning.
    loss : callable
        Takes mean class proportions of shape (n_samples, n_alphas, n_classes) and class indices.
    dtype : dtype
        Type of the values of X that thresholds are compared with.
    n_jobs : int, optional
        Threads.

    Returns
    -------
    ndarray of shape (n_samples, n_alphas), float64
        NaN where no tree was grown without the sample.
    """
    limits = np.where(alphas > 0, alphas, -1.0)
    climbs = [
        (*parents(tree.children_left, tree.children_right, tree.counts), price)
        for tree, price in zip(trees, prices, strict=True)
    ]
    n, n_classes = len(codes), trees[0].max_n_classes
    rows = max(ABREAST, BLOCK // (8 * (len(alphas) * n_classes + features.shape[1])) // 8 * 8)  # whole bytes of bits
    missing = bool(features.missing.any())

    def losses_of(first):
        last = min(first + rows, n)
        X = np.ascontiguousarray(features.take(slice(first, last)).decode(dtype))
        votes, voters = np.zeros((last - first, len(alphas), n_classes)), np.zeros(last - first)
        for tree, climb, bits in zip(trees, climbs, outside, strict=True):
            some = np.flatnonzero(np.unpackbits(bits[first // 8 : -(-last // 8)], count=last - first))
            add_votes(leaves_of(tree, X, some, missing), some, *climb, tree.counts, limits, votes)
            voters[some] += 1
        voters[voters == 0] = np.nan
        return loss(votes / voters[:, None, None], codes[first:last])

    return np.concatenate(in_threads(losses_of, range(0, n, rows), n_jobs))


def leaves_of(tree, X, some, missing):
    """Row of the leaf of each of X[some], ndarray of int64."""
    if missing:
        return tree.apply(X[some], missing)
    leaves = np.zeros(len(some), np.int64)
    descend(X, some, tree.packed, leaves)
    return leaves


@kernel
def parents(left, right, counts):
    """Row of each node's parent, -1 for the root, and the sum of its class weights."""
    parent, weight = np.full(left.shape[0], LEAF, np.int32), np.zeros(left.shape[0])
    for row in range(left.shape[0]):
        if left[row] != LEAF:
            parent[left[row]] = parent[right[row]] = row
        for k in range(counts.shape[1]):
            weight[row] += counts[row, k]
    return parent, weight


@kernel
def descend(X, some, nodes, leaves):
    """`ironbark.tree.traversal.walk` for X[some]; `leaves` holds zeros."""
    for first in range(0, some.shape[0], ABREAST):
        last = min(first + ABREAST, some.shape[0])
        moves = 1
        while moves != 0:
            moves = 0
            for i in range(first, last):
                moves |= descend_one(X, some, nodes, leaves, i)


@inlined_kernel
def descend_one(X, some, nodes, leaves, i):
    """Let a sample go to its next node; 0 if it stays, in a leaf."""
    row = leaves[np.uint64(i)]
    node = nodes[np.uint64(row)]
    x = X[np.uint64(some[np.uint64(i)]), np.uint64(node["feature"])]
    following = node["left"] + np.int64(x > node["threshold"])
    leaves[np.uint64(i)] = following
    return following ^ row


@kernel
def add_votes(leaves, some, parent, weight, price, counts, limits, votes):
    """Add the class proportions of the leaf under each alpha to votes[some]."""
    for i in range(leaves.shape[0]):
        node, own = leaves[i], votes[some[i]]
        for j in range(limits.shape[0]):
            above = parent[np.uint64(node)]
            while above != LEAF and price[np.uint64(above)] <= limits[j]:
                node = np.int64(above)
                above = parent[np.uint64(node)]
            classes, target, scale = counts[node], own[j], 1 / weight[np.uint64(node)]
            for k in range(counts.shape[1]):
                target[np.uint64(k)] += classes[np.uint64(k)] * scale
