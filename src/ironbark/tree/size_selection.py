"""The choice of `ccp_alpha` by votes of trees on samples that they were grown without; the labels may be noisy."""

import warnings
from numbers import Real

import numpy as np

from ironbark.errors import InputError
from ironbark.tree.held_out_votes import packed, path_losses
from ironbark.tree.pruning import node_alphas

N_FOLDS = 5
MOST_COPIES = 8  # mean; larger weights are a scale, which changes no impurity and must change no price
MAX_SCORED = 5000  # samples; the mean of more of them has no smaller error that would matter
#: Alphas to choose from, times the number of samples: what a leaf must save of a sample's impurity.
PRICES = np.concatenate([[0.0], 2.0 ** np.arange(-2, 8)])


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
    """Number of samples of positive weight; integer weights are copies, if they are few; `samples` may repeat."""
    counted = np.ones(len(codes), bool) if weights is None else weights > 0
    if weights is not None and weights.dtype.kind == "i":
        return min(int(weights.sum()), MOST_COPIES * int(counted.sum()))
    return int(counted.sum()) if samples is None else len(np.unique(samples[counted]))


def ccp_path(trees, prices, outside, keys, features, codes, alphas, weights=None, samples=None, **options):
    """Weighted mean Brier score of each alpha by `path_losses`, and the standard error of what it is above the lowest.

    Both are NaN if each tree was grown on all samples.
    """
    rows = scored_rows(len(codes), weights)
    bits = packed(outside, keys, rows)
    weights = np.ones(len(rows)) if weights is None else weights[rows].astype(np.float64)
    losses = path_losses(trees, prices, bits, features.take(rows), codes[rows], alphas, **options)
    voted = ~np.isnan(losses[:, 0])
    if not voted.any():
        return _unscored(alphas)
    losses, shares = losses[voted], weights[voted] / weights[voted].sum()
    scores = np.average(losses, axis=0, weights=weights[voted])
    best = scores.argmin()
    above = losses - losses[:, [best]] - (scores - scores[best])
    parts = above * shares[:, None]
    if samples is not None:  # rows of one sample are not independent
        parts = np.add.reduceat(parts, np.flatnonzero(np.diff(samples[rows][voted], prepend=-1)))
    errors = np.sqrt((parts**2).sum(axis=0))
    return {"ccp_alpha": alphas, "brier_score": scores, "standard_error": errors}


def _unscored(alphas):
    """`ccp_path` where no sample has a score."""
    return {"ccp_alpha": alphas} | {name: np.full(len(alphas), np.nan) for name in ("brier_score", "standard_error")}


def best_alpha(path, prices=()):
    """The alpha of the lowest score for a forest of trees with these `node_alphas`, if it leaves any of them a split.

    Else, and for a single tree, the smallest alpha whose score is within its standard error of the lowest one: chance
    decides among these, and a root cannot rank samples. The smallest of all if there are no scores.
    """
    alphas, scores = path["ccp_alpha"], path["brier_score"]
    if np.isnan(scores).all():
        warnings.warn(
            f"no sample was left out by any tree, so ccp_alpha={alphas[0]:g} was taken without a choice; give more "
            "samples or trees, or fix ccp_alpha.",
            stacklevel=5,
        )
        return float(alphas[0])
    lowest = scores.argmin()
    if any(price[0] > alphas[lowest] for price in prices):
        return float(alphas[lowest])
    return float(alphas[np.argmax(scores - scores[lowest] <= path["standard_error"])])


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
        return _unscored(alphas)
    trees = [None] * len(seeds)
    for fold in range(n_folds):
        kept = np.flatnonzero((folds != fold) & (folds >= 0))
        trees[fold::n_folds] = _grown_on_rows(grow, seeds[fold::n_folds], kept, features, codes, weights)
    left_out = [i % n_folds for i in range(len(seeds))]
    prices = [node_alphas(tree) for tree in trees]
    return ccp_path(trees, prices, folds.__eq__, left_out, features, codes, alphas, weights, samples, **options)


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
