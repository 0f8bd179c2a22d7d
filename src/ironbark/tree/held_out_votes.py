"""Votes of trees on samples that they were grown without, whole or under several prices of pruning.

Minimal cost-complexity pruning with a larger `ccp_alpha` gives a subtree, so the leaves of a sample under ascending
alphas follow each other on its way from its leaf in the whole tree to the root. One walk for each sample and tree is
enough for all alphas, and trees are grown once. The labels may be noisy.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from joblib import effective_n_jobs

from ironbark.jit import kernel
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.traversal import ABREAST

BLOCK = 2**22  # bytes of votes and of features that are held at a time


def in_threads(function, items, n_jobs=None):
    """Results of a function in the order of the items; its first call, which may compile kernels, is made alone."""
    n_threads = effective_n_jobs(n_jobs)
    if n_threads == 1:
        return [function(item) for item in items]
    first = [function(item) for item in items[:1]]
    with ThreadPoolExecutor(n_threads) as pool:
        return first + list(pool.map(function, items[1:]))


def packed(outside, keys, rows=slice(None)):
    """Bits that say whether each tree was grown without each sample in `rows`; `outside` takes the key of a tree."""
    return np.array([np.packbits(outside(key)[rows]) for key in keys])


def held_out_votes(trees, outside, features, vote, shape, summary, dtype=np.float64, n_jobs=None):
    """Mean votes of the trees that were grown without each sample, by `outside`, the bits of `packed`."""
    n, missing = len(features), bool(features.missing.any())
    rows = max(ABREAST, BLOCK // (8 * (np.prod(shape, dtype=int) + features.shape[1])) // 8 * 8)  # whole bytes of bits

    def summary_from(first):
        last = min(first + rows, n)
        X = replace(features, codes=features.codes[:, first:last]).decode(dtype)
        votes, voters = np.zeros((last - first, *shape)), np.zeros(last - first)
        for number, (tree, bits) in enumerate(zip(trees, outside, strict=True)):
            some = np.flatnonzero(np.unpackbits(bits[first // 8 : -(-last // 8)], count=last - first))
            vote(number, tree.apply(X[some], missing), some, votes)
            voters[some] += 1
        voters[voters == 0] = np.nan
        return summary(votes / voters.reshape(-1, *(1 for _ in shape)), slice(first, last))

    return np.concatenate(in_threads(summary_from, range(0, n, rows), n_jobs))


def out_of_bag_proportions(trees, outside, features, **options):
    """`held_out_votes` of whole trees: mean class proportions, ndarray of shape (n_samples, n_classes)."""

    def vote(number, leaves, some, votes):
        counts = trees[number].counts[leaves]
        votes[some] += counts / counts.sum(axis=1, keepdims=True)

    shape = (trees[0].max_n_classes,)
    return held_out_votes(trees, outside, features, vote, shape, lambda votes, _: votes, **options)


def path_losses(trees, prices, outside, features, codes, alphas, loss=None, **options):
    """Loss of each sample under each of the ascending alphas by `held_out_votes` of trees that are not pruned yet."""
    # `prices` are the `node_alphas` of each tree; `loss` takes mean class proportions of shape (n_samples, n_alphas,
    # n_classes) and class indices. The result is NaN where no tree was grown without the sample.
    limits, loss = np.where(alphas > 0, alphas, -1.0), loss or brier_losses
    climbs = [(tree.parents(), price, tree.counts) for tree, price in zip(trees, prices, strict=True)]

    def vote(number, leaves, some, votes):
        add_votes(leaves, some, *climbs[number], limits, votes)

    shape = len(alphas), trees[0].max_n_classes
    return held_out_votes(trees, outside, features, vote, shape, lambda votes, i: loss(votes, codes[i]), **options)


def brier_losses(votes, codes):
    """Sum over the classes of (share of the votes - indicator of the label)^2, for each sample and alpha."""
    own = np.take_along_axis(votes, codes[:, None, None], axis=2)[:, :, 0]
    return np.einsum("ijk,ijk->ij", votes, votes) - 2 * own + 1


@kernel
def add_votes(leaves, some, parent, price, counts, limits, votes):
    """Add the class proportions of the leaf under each alpha to votes[some]."""
    for i in range(leaves.shape[0]):
        node, own = leaves[i], votes[some[i]]
        for j in range(limits.shape[0]):
            above = parent[np.uint64(node)]
            while above != LEAF and price[np.uint64(above)] <= limits[j]:
                node = np.int64(above)
                above = parent[np.uint64(node)]
            classes, target, weight = counts[np.uint64(node)], own[j], 0.0
            for k in range(counts.shape[1]):
                weight += classes[np.uint64(k)]
            scale = 1 / weight
            for k in range(counts.shape[1]):
                target[np.uint64(k)] += classes[np.uint64(k)] * scale
