"""Walks through trees from their roots to the leaf of each sample, and what several trees add up to."""

import numpy as np

from ironbark.jit import inlined_kernel, kernel

#: A node as one walk after the other reads it: 16 bytes, four to a cache line. The right child stands behind the left
#: one; a leaf is its own left child and sends every sample there.
NODE = np.dtype([("threshold", np.float64), ("feature", np.int32), ("left", np.int32)])
ABREAST = 16  # walks at a time; each waits for memory, and they wait together
BLOCK = 2**18  # bytes of samples that stay in cache while all trees of a forest see them


def pack(tree):
    """The nodes of a `Tree` for `walk`, ndarray of shape (node_count,) of `NODE`."""
    leaf = tree.children_left < 0
    nodes = np.empty(tree.node_count, NODE)
    nodes["threshold"] = np.where(leaf, np.inf, tree.threshold)
    nodes["feature"] = np.where(leaf, 0, tree.feature)
    nodes["left"] = np.where(leaf, np.arange(tree.node_count), tree.children_left)
    return nodes


def proportions(trees, X, missing=False):
    """Mean over the trees of the class proportions of each sample's leaf, ndarray of shape (n_samples, n_classes)."""
    # All trees see a block of samples before the next block comes, so that X is read from memory once.
    total = np.zeros((len(X), trees[0].max_n_classes))
    size = max(ABREAST, BLOCK // (X.shape[1] * X.itemsize))
    for first in range(0, len(X), size):
        some, votes = X[first : first + size], total[first : first + size]
        for tree in trees:
            vote(tree.counts, tree.apply(some, missing), votes)
    return total / len(trees)


@kernel
def vote(counts, leaves, total):
    """Add the class proportions of the leaves to `total`."""
    for i in range(leaves.shape[0]):
        leaf, size = leaves[i], 0
        for k in range(counts.shape[1]):
            size += counts[leaf, k]
        for k in range(counts.shape[1]):
            total[i, k] += counts[leaf, k] / size


@kernel
def walk(X, nodes, leaves):
    """Write the leaves of samples, finite numbers, to `leaves`, int64."""
    for first in range(0, X.shape[0], ABREAST):
        last = min(first + ABREAST, X.shape[0])
        for i in range(first, last):
            leaves[i] = 0
        moves = 1
        while moves != 0:
            moves = 0
            for i in range(first, last):
                moves |= step(X, nodes, leaves, i)


@inlined_kernel
def step(X, nodes, rows, i):
    """Let sample i go to its next node; 0 if it stays, in a leaf."""
    row = rows[np.uint64(i)]
    node = nodes[np.uint64(row)]
    following = node["left"] + np.int64(X[np.uint64(i), np.uint64(node["feature"])] > node["threshold"])
    rows[np.uint64(i)] = following
    return following ^ row


@kernel
def walk_missing(X, feature, threshold, left, right, missing_go_to_left, levels, leaves):
    """`walk` for rows that may hold NaN; splits of threshold NaN are by levels, unknown ones are missing values."""
    most = 64 * levels.shape[1]
    for i in range(X.shape[0]):
        row = 0
        while left[row] >= 0:
            x, by_level = X[i, feature[row]], np.isnan(threshold[row])
            if np.isnan(x) or (by_level and not 0 <= x < most):
                goes_left = missing_go_to_left[row] != 0
            elif by_level:
                level = np.int64(x)
                goes_left = (levels[row, level >> 6] >> np.uint64(level & 63)) & np.uint64(1) != 0
            else:
                goes_left = x <= threshold[row]
            row = left[row] if goes_left else right[row]
        leaves[i] = row


@kernel
def climb(parent, leaves, ends, indices):
    """Write the nodes from each leaf up to the root before the leaf's end."""
    for i in range(leaves.shape[0]):
        row, slot = leaves[i], ends[i]
        while row >= 0:
            slot -= 1
            indices[slot] = row
            row = np.int64(parent[row])


def total_score(trees, sizes, decays, X):
    """F after the last tree of ``F <- decay F + size tree(x)`` from 0, for a finite float array in C order."""
    score = np.zeros(len(X))
    if trees:
        means = np.concatenate([tree.means for tree in trees])
        starts = np.cumsum([0, *(tree.node_count for tree in trees)])
        nodes = np.concatenate([tree.packed.view(np.complex128) for tree in trees]).view(NODE)  # faster than of NODE
        add(X, nodes, means, starts, sizes, decays, score)
    return score


@kernel
def add(X, nodes, means, starts, sizes, decays, score):
    """Let `ABREAST` samples at a time see one tree after the other, whose nodes stay in cache."""
    rows = np.empty(ABREAST, np.int64)
    for first in range(0, X.shape[0], ABREAST):
        some = X[first : first + ABREAST]
        for tree in range(sizes.shape[0]):
            own = nodes[starts[tree] :]
            walk(some, own, rows)
            for j in range(some.shape[0]):
                value = means[starts[tree] + rows[j]]
                score[first + j] = decays[tree] * score[first + j] + sizes[tree] * value
