"""Ranks of methods over many settings: Friedman's test and Nemenyi's critical difference.

The scores are a frame with one row per setting (data set and noise) and one column per method; larger is better. Tests
take data sets for independent, not their noises, which share samples.
"""

from functools import cache

import numpy as np
from scipy import stats

from ironbark.pipeline.results.records import NoResults

SETTING = ["dataset", "task", "noise_id"]
DIGITS = 12  # equal means may differ in their last bits
LEAST = 0.5  # share of the settings that a method needs to be compared


def scores(cells):
    """Mean of each method (columns) in each setting (rows) that all finished, of those that finished half of them."""
    wide = cells.pivot(index=SETTING, columns="method", values="mean").dropna(how="all")
    wide = wide.loc[:, wide.notna().mean() >= LEAST]
    complete = wide.dropna().round(DIGITS)
    return complete, len(wide) - len(complete)


def compared(cells, spec: dict, names: dict):
    """The settings on which a table compares methods, and sentences on settings and methods that it leaves out."""
    complete, dropped = scores(cells)
    if complete.shape[1] < 2 or complete.empty:
        name = f"{spec.get('kind', 'table')} {spec['id']!r}" if "id" in spec else "the comparison"
        raise NoResults(f"{name} needs two methods and a setting that both have finished; add runs")
    return complete, left_out(cells, complete, dropped, names)


def left_out(cells, complete, dropped, names):
    """Sentences on the methods, fits and settings that a table does without."""
    few = [names[method] for method in sorted(set(cells["method"]) - set(complete))]
    notes = [f"Not compared, since less than half of the settings have a value: {', '.join(few)}."] * bool(few)
    settings = "1 setting is" if dropped == 1 else f"{dropped} settings are"
    gone = int(cells.reindex(columns=["failed", "missing"]).sum().sum())
    notes += [f"Fits that failed or are missing: {gone}; means are over the others of their setting."] * bool(gone)
    return notes + [f"{settings} left out, since some method has no finished fit there."] * bool(dropped)


def by_dataset(scores):
    """Mean of each method (columns) on each data set (rows), so that each data set counts once."""
    return scores.groupby("dataset", observed=True).mean()


def setting_ranks(scores, ties: str = "average"):
    """Rank of each method in each setting, 1 is best."""
    return scores.rank(axis=1, ascending=False, method=ties)


def dataset_ranks(scores):
    """Mean over the data sets, of which each counts once, of `setting_ranks`: a Series over the methods, best first."""
    return by_dataset(setting_ranks(scores)).mean().round(DIGITS).sort_values(kind="stable")


def friedman(scores) -> tuple[float, float]:
    """Statistic and p-value of Friedman's test, over data sets, of the hypothesis that 3 or more methods rank alike."""
    means = by_dataset(setting_ranks(scores)).round(DIGITS)
    if (means.nunique(axis=1) == 1).all():
        return 0.0, 1.0
    result = stats.friedmanchisquare(*means.to_numpy().T)
    return float(result.statistic), float(result.pvalue)


@cache  # a quadrature of 0.1 seconds
def critical_difference(n_methods, n_datasets, alpha=0.05):
    """Average ranks that differ by more than this are separated by Nemenyi's test."""
    q = float(stats.studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2))
    return q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets))
