"""The choice of `ccp_alpha` by votes of trees on samples that they were grown without; the labels may be noisy."""

import warnings
from numbers import Real

import numpy as np

from ironbark.errors import InputError
from ironbark.tree.held_out_votes import packed, path_losses

MOST_COPIES = 8  # mean; larger weights are a scale, which changes no impurity and must change no price
MAX_SCORED = 5000  # samples; the mean of more of them has no smaller error that would matter
#: Alphas to choose from, times the number of samples: what a leaf must save of a sample's impurity.
PRICES = np.concatenate([[0.0], 2.0 ** np.arange(-2, 8)])
CLEARLY = 2.0  # standard errors by which an accuracy is below the best one at least


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

    Both are NaN if each tree was grown on all samples. If the loss of the options gives misses behind the scores, also
    the accuracy of each alpha, and the standard error of what it is below the best one.
    """
    rows = np.arange(len(codes)) if weights is None else np.flatnonzero(weights)
    if len(rows) > MAX_SCORED:
        rows = np.sort(np.random.default_rng(len(codes)).choice(rows, MAX_SCORED, replace=False))
    bits = packed(outside, keys, rows)
    weights = np.ones(len(rows)) if weights is None else weights[rows].astype(np.float64)
    losses = path_losses(trees, prices, bits, features.take(rows), codes[rows], alphas, **options)
    voted = ~np.isnan(losses[:, 0])
    if not voted.any():
        return unscored(alphas)
    starts = None if samples is None else np.flatnonzero(np.diff(samples[rows][voted], prepend=-1))
    scores, errors = above_lowest(losses[voted, : len(alphas)], weights[voted], starts)
    path = {"ccp_alpha": alphas, "brier_score": scores, "standard_error": errors}
    if losses.shape[1] > len(alphas):
        misses, errors = above_lowest(losses[voted, len(alphas) :], weights[voted], starts)
        path |= {"accuracy": 1 - misses, "accuracy_error": errors}
    return path


def above_lowest(losses, weights, starts=None):
    """Weighted means of columns, and the standard error of what each is above the lowest one."""
    # Rows of one sample, which are not independent, are neighbours that begin at one of `starts`.
    shares, means = weights / weights.sum(), np.average(losses, axis=0, weights=weights)
    best = means.argmin()
    parts = (losses - losses[:, [best]] - (means - means[best])) * shares[:, None]
    if starts is not None:
        parts = np.add.reduceat(parts, starts)
    return means, np.sqrt((parts**2).sum(axis=0))


def unscored(alphas):
    """`ccp_path` where no sample has a score."""
    return {"ccp_alpha": alphas} | {name: np.full(len(alphas), np.nan) for name in ("brier_score", "standard_error")}


def best_alpha(path, prices=()):
    """The alpha of the lowest score for a forest of trees with these `node_alphas`, if it leaves any of them a split.

    Else, and for a single tree, the smallest alpha whose score is within its standard error of the lowest one: chance
    decides among these, and a root cannot rank samples. The smallest of all if there are no scores. Alphas whose
    accuracy, if it is known, is clearly below the best one are left out.
    """
    alphas, scores = path["ccp_alpha"], path["brier_score"]
    if np.isnan(scores).all():
        warnings.warn(
            f"no sample was left out by any tree, so ccp_alpha={alphas[0]:g} was taken without a choice; give more "
            "samples or trees, or fix ccp_alpha.",
            stacklevel=5,
        )
        return float(alphas[0])
    if "accuracy" in path:
        behind = path["accuracy"].max() - path["accuracy"]
        scores = np.where(behind <= CLEARLY * path["accuracy_error"], scores, np.inf)
    lowest = scores.argmin()
    if any(price[0] > alphas[lowest] for price in prices):
        return float(alphas[lowest])
    return float(alphas[np.argmax(scores - scores[lowest] <= path["standard_error"])])
