"""Tests of the best method against each other one: over the runs of a setting, and over data sets."""

import numpy as np
import pandas as pd
from scipy import stats

from ironbark.pipeline import metrics
from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.statistics import ranks, significance
from ironbark.pipeline.statistics.ranks import DIGITS

LEAST_DATASETS = 6  # for intervals; with fewer, no p-value of the signed-rank test is below `ALPHA` either


def over_runs(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Paired test of the best mean against each other method, in each setting."""
    names, of_setting = significance.possible(rows), significance.shares(rows)
    test = significance.TESTS["corrected" if "corrected" in names else names[0]]  # the most careful one
    done = rows[rows["status"] != FAILED]
    wide = done.pivot(index=significance.RUN, columns="method", values=metric).sort_index(axis=1)
    wide = wide.dropna(axis="columns", how="all")
    sign = 1 if metrics.resolve(metric).larger_is_better else -1
    parts = []
    for setting, runs in wide.groupby(ranks.SETTING, observed=True, sort=False):
        values, repeats = runs.to_numpy(), runs.index.get_level_values("repeat").to_numpy()
        finished = ~np.isnan(values).all(axis=0)
        if not finished.any():
            continue
        methods, values = runs.columns[finished].astype("str"), values[:, finished]
        missing = np.isnan(values).sum(axis=0)  # means of fewer runs, perhaps the easier ones, are no rivals
        means = np.where(missing == missing.min(), sign * np.nanmean(values, axis=0), -np.inf)
        at = int(np.argmax(np.round(means, DIGITS)))
        tested = _tested(values[:, [at]] - values, repeats, test, of_setting.get(setting))
        tested["p"][at] = np.nan
        shared = dict(zip(ranks.SETTING, map(str, setting), strict=True)) | {"method": methods, "best": methods[at]}
        parts.append(pd.DataFrame(shared | tested | {"p_holm": significance.holm(tested["p"], chosen=True)}))
    columns = [*ranks.SETTING, "method", "best", "difference", "runs", "p", "p_holm"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _tested(differences, repeats, test, share):
    """Mean difference, number of runs and p-value of each column; columns with the same runs are tested together."""
    known = ~np.isnan(differences)
    difference, p = np.full((2, known.shape[1]), np.nan)
    patterns, group = np.unique(known, axis=1, return_inverse=True)
    for number, pattern in enumerate(patterns.T):
        columns = np.flatnonzero(group.ravel() == number)
        part = differences[np.ix_(pattern, columns)]
        if len(part):
            difference[columns] = part.mean(axis=0)
        if len(part) > 1:
            p[columns] = test(part, repeats[pattern], share)[1]
    return {"difference": difference, "runs": known.sum(axis=0), "p": p}


def over_datasets(scores: pd.DataFrame, *, chosen: bool = True):
    """Wilcoxon's signed-rank test of the first method, `chosen` as the best or not, against each other one."""
    result = pd.Series(np.nan, scores.columns)
    tests = significance.n_tests(scores.shape[1] - 1, chosen)
    if tests == 0 or tests * 2.0 ** (1 - len(scores)) >= significance.ALPHA:  # the smallest p-value is 2 / 2^n
        return result
    gaps = (scores.iloc[:, [0]].to_numpy() - scores.iloc[:, 1:].to_numpy()).round(DIGITS)
    varied = (gaps != 0).any(axis=0)
    p = np.ones(gaps.shape[1])
    if varied.any():
        p[varied] = [signed_rank(gap) for gap in gaps[:, varied].T]  # together, ties of one would change all
    result.iloc[1:] = significance.holm(p, chosen=chosen)
    return result


def signed_rank(gaps: np.ndarray) -> float:
    """Exact two-sided p-value of Wilcoxon's test, which `scipy.stats.wilcoxon` approximates where values tie."""
    gaps = gaps[gaps != 0]
    doubled, chance = (2 * stats.rankdata(np.abs(gaps))).astype(int), np.ones(1)
    for rank in doubled:  # probability of each sum of the ranks of positive gaps; any is positive half of the time
        chance = (np.pad(chance, (0, rank)) + np.pad(chance, (rank, 0))) / 2
    observed = doubled @ (gaps > 0)
    return min(2 * min(chance[observed:].sum(), chance[: observed + 1].sum()), 1)
