"""Votes of trees on samples that they were grown without, and the choice of `ccp_alpha` by these votes.

Minimal cost-complexity pruning with a larger `ccp_alpha` gives a subtree, so the leaves of a sample under ascending
alphas follow each other on its way from its leaf in the whole tree to the root. One walk for each sample and tree is
enough for all alphas, and trees are grown once. The labels may be noisy.
"""

import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from numbers import Real

import numpy as np
from joblib import effective_n_jobs

from ironbark.errors import InputError
from ironbark.jit import kernel
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.pruning import node_alphas
from ironbark.tree.traversal import ABREAST

BLOCK = 2**22  # bytes of votes and of features that are held at a time
N_FOLDS = 5
MOST_COPIES = 8  # mean; larger weights are a scale, which changes no impurity and must change no price
MAX_SCORED = 5000  # samples; the mean of more of them has no smaller error that would matter
#: Alphas to choose from, times the number of samples: what a leaf must save of a sample's impurity.
PRICES = np.concatenate([[0.0], 2.0 ** np.arange(-2, 8)])


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


def is_chosen(ccp_alpha):
    """Whether this value of the parameter asks for a choice."""
    return not isinstance(ccp_alpha, Real)


def candidates(ccp_alpha, n_samples):
    """Ascending values of `ccp_alpha` to choose from for trees on so many samples or draws, ndarray of float64."""
    if isinstance(ccp_alpha, str):
        return PRICES / n_samples
    values = list(ccp_alpha) if np.ndim(ccp_alpha) else [np.asarray(ccp_alpha).item()]
    if not values:
        raise InputError("ccp_alpha is an empty sequence; give numbers >= 0 to choose from, or 'auto'.")
    good = [isinstance(value, Real) and not isinstance(value, bool) and 0 <= value < np.inf for value in values]
    if not all(good):
        raise InputError(f"ccp_alpha holds {values[good.index(False)]!r}; give finite numbers >= 0 to choose from.")
    return np.unique(np.asarray(values, np.float64))


def grown_on(codes, weights=None, samples=None):
    """Number of samples: integer weights are numbers of copies, if they are few; `samples` may have several rows."""
    if weights is not None and weights.dtype.kind == "i":
        return min(max(1, int(weights.sum())), MOST_COPIES * len(codes))
    return len(codes) if samples is None else int(samples[-1]) + 1


def ccp_path(trees, prices, outside, keys, features, codes, alphas, weights=None, **options):
    """Weighted mean Brier score of each alpha by `path_losses`; NaN if each tree was grown on all samples."""
    rows = scored_rows(len(codes), weights)
    bits = packed(outside, keys, rows)
    weights = np.ones(len(rows)) if weights is None else weights[rows].astype(np.float64)
    losses = path_losses(trees, prices, bits, features.take(rows), codes[rows], alphas, **options)
    voted = ~np.isnan(losses[:, 0])
    scores = np.average(losses[voted], axis=0, weights=weights[voted]) if voted.any() else np.full(len(alphas), np.nan)
    return {"ccp_alpha": alphas, "brier_score": scores}


def best_alpha(path):
    """The alpha of the lowest score, of several the smallest; the smallest of all if there are no scores."""
    alphas, scores = path["ccp_alpha"], path["brier_score"]
    if not np.isnan(scores).all():
        return float(alphas[scores.argmin()])
    warnings.warn(
        f"no sample was left out by any tree, so ccp_alpha={alphas[0]:g} was taken without a choice; give more samples "
        "or trees, or fix ccp_alpha.",
        stacklevel=5,
    )
    return float(alphas[0])


def scored_rows(n_samples, weights=None):
    """Samples that take part in the scores: those of positive weight, at most `MAX_SCORED` of them, ascending."""
    rows = np.arange(n_samples) if weights is None else np.flatnonzero(weights)
    if len(rows) <= MAX_SCORED:
        return rows
    return np.sort(np.random.default_rng(n_samples).choice(rows, MAX_SCORED, replace=False))


def cross_validated_path(grow, seeds, features, codes, alphas, weights=None, samples=None, **options):
    """`ccp_path` of trees grown for it, one for each seed, each without one of five folds; the last may lack a tree."""
    # Rows of one of `samples`, if they are given, are in one fold, by the first of its classes.
    first = np.arange(len(codes)) if samples is None else np.flatnonzero(np.diff(samples, prepend=-1))
    rng, own = np.random.default_rng(seeds[0]), None if weights is None else np.add.reduceat(weights, first)
    folds = fold_numbers(codes[first], own, rng)[slice(None) if samples is None else samples]
    n_folds = min(folds.max() + 1, len(seeds))
    if folds.max() < 1:
        return {"ccp_alpha": alphas, "brier_score": np.full(len(alphas), np.nan)}
    trees = [None] * len(seeds)
    for fold in range(n_folds):
        kept = np.flatnonzero((folds != fold) & (folds >= 0))
        trees[fold::n_folds] = _grown_on_rows(grow, seeds[fold::n_folds], kept, features, codes, weights)
    left_out = [i % n_folds for i in range(len(seeds))]
    prices = [node_alphas(tree) for tree in trees]
    return ccp_path(trees, prices, folds.__eq__, left_out, features, codes, alphas, weights, **options)


def _grown_on_rows(grow, seeds, rows, features, codes, weights):
    """A tree for each seed; the copy of the samples, which may be large, does not outlive it."""
    part = features.take(rows), codes[rows], None if weights is None else weights[rows]
    return [grow(*part, seed) for seed in seeds]


def fold_numbers(codes, weights, rng):
    """Fold of each sample, ndarray of int64: random, with the classes spread evenly; -1 for samples of weight 0."""
    rows = rng.permutation(len(codes) if weights is None else np.flatnonzero(weights))
    rows = rows[np.argsort(codes[rows], kind="stable")]
    folds = np.full(len(codes), -1)
    folds[rows] = np.arange(len(rows)) % N_FOLDS
    return folds
