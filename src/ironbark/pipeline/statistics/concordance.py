"""Whether the methods of a published table have the same order in our numbers: statistics that can fail."""

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import comb

SETTING = ["dataset", "task", "metric", "noise", "rate"]
RESAMPLES = 50_000  # all orders of up to eight methods are enumerated
DRAWS = 1_000  # bootstrap samples of data sets
LEVEL = 0.9  # of their intervals


def spearman(first, second):
    """Spearman's correlation of two Series over the ids in both; NaN for fewer than three, or a constant side."""
    return _rho(*pd.concat([first, second], axis=1).to_numpy(float).T)


def _rho(*sides):
    """Spearman's correlation of two arrays, NaN left out."""
    kept = np.round(sides, 9)[:, ~np.isnan(sides).any(axis=0)]  # means that should be tied are
    if kept.shape[1] < 3 or (np.ptp(kept, axis=1) == 0).any():
        return np.nan
    return float(np.corrcoef(stats.rankdata(kept, axis=1))[0, 1])  # as spearmanr, without its test


def spearman_interval(first, second):
    """Interval of Spearman's correlation of the column means of two frames by resampled rows; NaN below three."""
    if len(first) < 3:
        return np.nan, np.nan
    sides = first.to_numpy(float), second[first.columns].to_numpy(float)

    def rho(rows):
        return _rho(*(np.nanmean(side[rows], axis=0) for side in sides))

    options = {"n_resamples": DRAWS, "method": "percentile", "rng": 0}
    drawn = stats.bootstrap((np.arange(len(first)),), rho, vectorized=False, **options).bootstrap_distribution
    known = drawn[~np.isnan(drawn)]  # where all methods tie there is no correlation
    return tuple(np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])) if len(known) else (np.nan, np.nan)


def correlation(lines: pd.DataFrame) -> dict:
    """Mean Spearman correlation ``rho`` of a published table with ours, its ``p``; counts of methods, settings."""
    # Ties share their mean rank. The p-value is one-sided: the share of the orders of our methods whose mean
    # correlation is at least as large. One order is drawn for all settings together, since the results of a method on
    # related settings are not independent. With k methods it cannot be smaller than 1 / k!, which is 0.17 for three.
    wide = lines.pivot_table(index=SETTING, columns="method", values=["published_mean", "mean"]).dropna(axis="columns")
    both = [wide[side] if side in wide else pd.DataFrame() for side in ("published_mean", "mean")]
    methods = [name for name in both[0].columns if name in both[1].columns]
    unknown = {"rho": np.nan, "p": np.nan, "methods": len(methods), "settings": 0}
    if len(methods) < 3:
        return unknown
    theirs, ours = (_standardised(side[methods]) for side in both)
    varied = ~(np.isnan(theirs).any(axis=1) | np.isnan(ours).any(axis=1))
    if not varied.any():
        return unknown
    products = theirs[varied].T @ ours[varied] / (varied.sum() * len(methods))

    def mean_rho(order, axis=-1):
        at = np.moveaxis(order, axis, -1).astype(int)
        return products[np.arange(len(methods)), at].sum(axis=-1)

    test = stats.permutation_test(
        (np.arange(len(methods)),), mean_rho, permutation_type="pairings", alternative="greater",
        n_resamples=RESAMPLES, batch=RESAMPLES, vectorized=True, rng=0,
    )  # fmt: skip
    return unknown | {"rho": float(test.statistic), "p": float(test.pvalue), "settings": int(varied.sum())}


def _standardised(side):
    """Ranks in each setting with mean 0 and variance 1; NaN where all are tied."""
    ranks = stats.rankdata(side.to_numpy().round(9), axis=1)
    sd = ranks.std(axis=1, keepdims=True)
    return np.divide(ranks - ranks.mean(axis=1, keepdims=True), sd, out=np.full(ranks.shape, np.nan), where=sd > 0)


def same_best(lines: pd.DataFrame, larger_is_better) -> dict:
    """In how many settings (``count``) the best method of a published table is ours, and how many by chance."""
    sign = np.where(larger_is_better, 1, -1)
    shown = lines.assign(theirs=lines["published_mean"] * sign, ours=(lines["mean"] * sign))
    hits, chance = [], []
    for _, group in shown.groupby(SETTING):
        if len(group) < 2:
            continue
        best = [group[side].round(9) == group[side].round(9).max() for side in ("theirs", "ours")]
        hits.append((best[0] & best[1]).any())
        chance.append(1 - comb(len(group) - best[0].sum(), best[1].sum()) / comb(len(group), best[1].sum()))
    return {"count": int(np.sum(hits)), "settings": len(hits), "by_chance": float(np.sum(chance))}
