"""The choice of `ccp_alpha` by trees that are grown for it, without one fold of the samples each."""

import numpy as np

from ironbark.tree.held_out_votes import brier_losses
from ironbark.tree.pruning import node_alphas
from ironbark.tree.size_selection import ccp_path, unscored

N_FOLDS = 5


def path_of_one_tree(grow, seed, *training, **options):
    """`cross_validated_path` for a tree of its own, with its accuracy."""
    return cross_validated_path(grow, [seed] * N_FOLDS, *training, loss=losses_of_one_tree, **options)


def losses_of_one_tree(votes, codes):
    """`brier_losses`, and behind them whether each label is missed under each alpha; in a tie the chance of it."""
    # Pure leaves make the Brier score of a tree that predicts less than half of many classes worse than that of a root,
    # although it predicts much more; the votes of a forest are no such extremes.
    own, most = np.take_along_axis(votes, codes[:, None, None], axis=2)[:, :, 0], votes.max(axis=2)
    right = (own == most) / (votes == most[:, :, None]).sum(axis=2)
    return np.hstack([brier_losses(votes, codes), np.where(np.isnan(own), np.nan, 1 - right)])


def cross_validated_path(grow, seeds, features, codes, alphas, weights=None, samples=None, **options):
    """`ccp_path` of trees grown for it, one for each seed, each without one of five folds; the last may lack a tree."""
    # Rows of one of `samples`, if they are given, are in one fold, by the first of its classes.
    first = np.arange(len(codes)) if samples is None else np.flatnonzero(np.diff(samples, prepend=-1))
    rng, own = np.random.default_rng(seeds[0]), None if weights is None else np.add.reduceat(weights, first)
    folds = fold_numbers(codes[first], own, rng)[slice(None) if samples is None else samples]
    n_folds = min(folds.max() + 1, len(seeds))
    if folds.max() < 1:
        return unscored(alphas)
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
