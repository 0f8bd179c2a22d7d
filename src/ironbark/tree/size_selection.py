"""Choice of `ccp_alpha` on the training labels, noisy or not, by scores of all candidates on samples left out.

The trees are grown once. The result is what `fit` gives with the chosen alpha as a parameter.
"""

import warnings
from numbers import Real

import numpy as np

from ironbark.errors import InputError
from ironbark.tree.held_out_votes import packed, path_losses
from ironbark.tree.pruning import node_alphas

N_FOLDS = 5
MAX_SCORED = 5000  # samples; the mean of more of them has no smaller error that would matter
#: Alphas to choose from, times the number of samples: what a leaf must save of a sample's impurity.
PRICES = np.concatenate([[0.0], 2.0 ** np.arange(-2, 8)])


def is_chosen(ccp_alpha):
    """Whether this value of the parameter asks for a choice."""
    return not isinstance(ccp_alpha, Real)


def candidates(ccp_alpha, n_samples):
    """Ascending values of `ccp_alpha` to choose from, ndarray of float64.

    Parameters
    ----------
    ccp_alpha : float, "auto" or sequence of float
    n_samples : int
        Draws or samples that a tree is grown on.

    Raises
    ------
    InputError
        If a sequence is empty, or holds anything but finite numbers >= 0.
    """
    if isinstance(ccp_alpha, str):
        return PRICES / n_samples
    values = [ccp_alpha] if isinstance(ccp_alpha, Real) else list(ccp_alpha)
    if not values:
        raise InputError("ccp_alpha is an empty sequence; give numbers >= 0 to choose from, or 'auto'.")
    good = [isinstance(value, Real) and not isinstance(value, bool) and 0 <= value < np.inf for value in values]
    if not all(good):
        raise InputError(f"ccp_alpha holds {values[good.index(False)]!r}; give finite numbers >= 0 to choose from.")
    return np.unique(np.asarray(values, np.float64))


def grown_on(n_samples, weights=None):
    """Samples as stopping rules count them: weights that are integers are numbers of copies."""
    counted = weights is not None and weights.dtype.kind == "i"
    return max(1, int(n_samples * weights.mean())) if counted else n_samples


def ccp_path(trees, prices, outside, keys, features, codes, alphas, weights=None, **options):
    """Mean Brier score of each alpha, on samples by the trees that were grown without them.

    Parameters
    ----------
    trees, prices, features, codes, alphas, **options
        As in `path_losses`.
    outside, keys
        As in `packed`.
    weights : ndarray of shape (n_samples,), optional
        Weight of each sample in the mean.

    Returns
    -------
    dict
        "ccp_alpha" and "brier_score", ndarrays of shape (n_alphas,); scores are NaN if no sample of positive weight was
        left out by any tree.
    """
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


def cross_validated_path(grow, seeds, features, codes, alphas, weights=None, **options):
    """`ccp_path` of trees that are grown for this purpose, each without one of five folds.

    Parameters
    ----------
    grow : callable
        Takes features, class indices, weights and seed of a tree.
    seeds : sequence of int
        One for each tree. With fewer than five, the last folds are not scored.
    features, codes, alphas, weights, options
        As in `ccp_path`.
    """
    folds = fold_numbers(codes, weights, np.random.default_rng(seeds[0]))
    parts = {}
    for fold in np.unique(folds[folds >= 0])[: len(seeds)]:
        kept = np.flatnonzero((folds != fold) & (folds >= 0))
        if len(kept):
            parts[fold] = features.take(kept), codes[kept], None if weights is None else weights[kept]
    if not parts:
        return {"ccp_alpha": alphas, "brier_score": np.full(len(alphas), np.nan)}
    left_out = [list(parts)[i % len(parts)] for i in range(len(seeds))]
    trees = [grow(*parts[fold], seed) for fold, seed in zip(left_out, seeds, strict=True)]
    prices = [node_alphas(tree) for tree in trees]
    return ccp_path(trees, prices, folds.__eq__, left_out, features, codes, alphas, weights, **options)


def fold_numbers(codes, weights, rng):
    """Fold of each sample, ndarray of int64: random, with the classes spread evenly; -1 for samples of weight 0."""
    rows = rng.permutation(len(codes) if weights is None else np.flatnonzero(weights))
    rows = rows[np.argsort(codes[rows], kind="stable")]
    folds = np.full(len(codes), -1)
    folds[rows] = np.arange(len(rows)) % N_FOLDS
    return folds
