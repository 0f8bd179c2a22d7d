"""Elo ratings of methods from their wins on data sets, with bootstrap intervals."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np
from scipy import stats

from ironbark.pipeline.statistics.against_best import LEAST_DATASETS
from ironbark.pipeline.statistics.ranks import DIGITS, SETTING

SCALE = 400 / np.log(10)  # a lead of 400 points means ten wins for each loss
MEAN = 1000  # rating of the average method
VIRTUAL = 1.0  # comparisons of each pair that count as tied, so that a method that always wins has a finite rating
DRAWS = 2000
STEPS = 200  # Newton steps at most
LEVEL = 0.95


def wins(scores) -> np.ndarray:
    """Share of settings in which one method is better than another, for each data set."""
    rounded, names = scores.round(DIGITS), scores.index.get_level_values(SETTING[0])
    by_dataset = []
    for name in dict.fromkeys(names):
        values = rounded[names == name].to_numpy()
        first, second = values[:, :, None], values[:, None, :]
        share = ((first > second) + 0.5 * (first == second)).mean(axis=0)
        np.fill_diagonal(share, 0.0)
        by_dataset.append(share)
    return np.array(by_dataset)


def ratings(counts: np.ndarray) -> np.ndarray:
    """Maximum-likelihood ratings of the Bradley-Terry model."""
    size = counts.shape[-1]
    counts = counts + 0.5 * VIRTUAL * (1 - np.eye(size))
    games = counts + np.swapaxes(counts, -1, -2)
    theta = np.zeros(counts.shape[:-1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(theta[..., None, :] - theta[..., :, None]))
        gradient = (counts - games * chance).sum(axis=-1)
        weight = games * chance * (1 - chance)
        hessian = np.eye(size) * weight.sum(axis=-1)[..., None] - weight + 1 / size  # the last term fixes the mean
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        theta = theta + np.clip(step, -1, 1)
        if np.abs(step).max(initial=0) < 1e-10:
            break
    else:
        raise ArithmeticError(f"Elo ratings did not converge in {STEPS} steps; report this with the table's values")
    return MEAN + SCALE * (theta - theta.mean(axis=-1, keepdims=True))


def intervals_in_words(n_datasets, overlap):
    """What the intervals of a table or figure are, with what `overlap` marks; or that there are none."""
    if n_datasets < LEAST_DATASETS:
        return f"no intervals, which need {LEAST_DATASETS} data sets"
    kind = f"nominal {100 * LEVEL:g} % intervals by a bootstrap of data sets, too narrow for a method that always wins"
    return f"{kind}; {overlap}: overlaps the best"


def intervals(shares: np.ndarray) -> np.ndarray:
    """Bootstrap intervals of the ratings over data sets, by quantiles as far out as those of a t-interval."""
    # Plain quantiles of the draws are too narrow for few data sets (Hesterberg, The American Statistician 69, 2015).
    if (n := len(shares)) < LEAST_DATASETS:  # too few different draws
        return np.full((2, shares.shape[-1]), np.nan)
    tail = stats.norm.cdf(stats.t.ppf((1 - LEVEL) / 2, n - 1) * np.sqrt(n / (n - 1)))
    drawn, chances = resamples(n)
    drawn_ratings = ratings(np.einsum("bd,dij->bij", drawn.astype("float64"), shares))
    return np.quantile(drawn_ratings, [tail, 1 - tail], axis=0, method="inverted_cdf", weights=chances)


def resamples(n):
    """How often each of n data sets is drawn, and the chance of that: all ways, or if they are many, random draws."""
    if comb(2 * n - 1, n) > DRAWS:
        return np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), DRAWS), np.full(DRAWS, 1 / DRAWS)
    drawn = np.array([np.bincount(way, minlength=n) for way in combinations_with_replacement(range(n), n)])
    return drawn, stats.multinomial.pmf(drawn, n, np.full(n, 1 / n))
