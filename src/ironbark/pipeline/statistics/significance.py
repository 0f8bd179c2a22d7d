"""Paired tests between methods trained on the same noisy sets, win/tie/loss counts, and which methods are bold."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from ironbark.pipeline import metrics
from ironbark.pipeline.results.records import FAILED, OK

RUN = ["dataset", "task", "noise_id", "repeat", "fold"]
ALPHA = 0.05
CONFIDENCE = 0.975  # of the intervals behind bold cells
PARTITIONS = ("random-partitions", "grouped")  # protocols whose repeats have overlapping training parts
TOLERANCE = 1e-12  # equal accuracies may differ in the last bits of their means


def _t_test(differences, share=0.0):
    """t and two-sided p of mean differences; equal differences everywhere, and a single one, are a tie."""
    # `share` is what overlapping training sets add to the variance of the mean, in variances of a difference.
    differences = np.asarray(differences, dtype=float)
    n, varies = len(differences), np.ptp(differences, axis=0) >= 1e-12  # less is rounding noise around a constant
    error = np.sqrt((1 / n + share) * np.var(differences, axis=0, ddof=int(n > 1)))
    t = np.divide(differences.mean(axis=0), error, out=np.zeros(differences.shape[1:]), where=varies)
    p = np.where(varies, 2 * stats.t.sf(np.abs(t), n - 1), 1.0)
    return t[()], p[()]


def paired_t(differences: np.ndarray, repeats: np.ndarray | None = None, share: float | None = None):
    """Paired t-test over all runs."""
    return _t_test(differences)


def trial_mean_t(differences, repeats, share=None):
    """Paired t-test over the means of the repeats; their training parts overlap, so it is for these samples only."""
    differences = np.asarray(differences, dtype=float)
    means = pd.DataFrame(differences).groupby(np.asarray(repeats)).mean().to_numpy()
    return paired_t(means.reshape(-1, *differences.shape[1:]))


def corrected_t(differences, repeats, share=None):
    """Paired t-test whose variance allows for overlapping training sets."""
    if share is None:
        share = 1 / (np.unique(repeats, return_counts=True)[1].max() - 1)  # of the fullest repeat: folds may fail
    return _t_test(differences, share)


#: Name -> test(differences, repeats, share) -> (t, p).
TESTS = {"paired": paired_t, "trial-means": trial_mean_t, "corrected": corrected_t}


def possible(rows):
    """Names of the tests that the protocol of these result rows allows, the default first."""
    protocol = _protocol(rows)
    if protocol == "training-sizes":  # whose folds are sizes, so that only the repeats are runs of one kind
        return ["trial-means"]
    if rows["fold"].nunique() > 1:
        return ["paired", *["trial-means"] * (rows["repeat"].nunique() > 1), "corrected"]
    return ["paired", "corrected"] if protocol in PARTITIONS else ["paired"]


def shares(rows):
    """Setting -> size of the test part over that of the rest, where training parts overlap; else nothing."""
    if _protocol(rows) not in (*PARTITIONS, "repeated-cv"):
        return {}
    sums = rows[rows["status"] == OK].groupby(RUN[:3])[["n_test", "n_samples"]].sum()  # whatever a scale caps
    return (sums["n_test"] / (sums["n_samples"] - sums["n_test"])).to_dict()


def _protocol(rows):
    """The protocol of all rows; None where they do not say, or differ."""
    names = set(rows["protocol"]) if "protocol" in rows else set()
    return names.pop() if len(names) == 1 else None


def verdicts(rows, method: str, rivals: list[str], *, test: str = "paired", metric: str = "accuracy") -> pd.DataFrame:
    """Test a method against its rivals, in each setting in which both have finished the same runs."""
    lines, of_setting = [], shares(rows)
    sign = 1 if metrics.resolve(metric).larger_is_better else -1
    for setting, runs in rows.groupby(RUN[:3]):
        for rival in rivals:
            pair = runs[runs["method"].isin([method, rival])]
            wide = pair.pivot(index=["repeat", "fold"], columns="method", values=["status", metric])
            if len(wide["status"].T) < 2 or not wide["status"].eq(OK).all(axis=None):
                continue
            gaps = (wide[metric, method] - wide[metric, rival]).dropna().astype(float)
            given = gaps.to_numpy(), gaps.index.get_level_values("repeat").to_numpy(), of_setting.get(setting)
            t, p = TESTS[test](*given) if len(gaps) > 1 else (np.nan, np.nan)
            lines.append([*setting, rival, gaps.mean(), t, p, len(gaps), _verdict(sign * t, p)])
    return pd.DataFrame(lines, columns=[*RUN[:3], "rival", "difference", "t", "p", "n", "verdict"])


def beaten(rows: pd.DataFrame, among: list[tuple], metric: str = "accuracy") -> set[tuple]:
    """Methods than which another one is significantly better, by the first test that the protocol allows."""
    test, of_setting, worse, asked = TESTS[possible(rows)[0]], shares(rows), set(), {}
    for *setting, method in among:
        asked.setdefault(tuple(setting), []).append(method)
    values = rows.assign(value=rows[metric].where(rows["status"] != FAILED))
    for setting, runs in values.groupby(RUN[:3]):
        wide = runs.pivot(index=["repeat", "fold"], columns="method", values="value").dropna(axis="columns")
        repeats = wide.index.get_level_values("repeat").to_numpy()
        for method in wide.columns.intersection(asked.get(setting, [])) if wide.shape[1] > 1 else ():
            gaps = wide.drop(columns=method).sub(wide[method], axis=0).to_numpy()
            t, p = test(gaps, repeats, of_setting.get(setting))
            if ((t > 0) & (p < ALPHA)).any():
                worse.add((*setting, method))
    return worse


def _verdict(t, p):
    if p >= ALPHA:
        return "tie"
    return "untested" if np.isnan(p) else "win" if t > 0 else "loss"


def win_tie_loss(verdicts):
    """Counts of the verdicts: a frame with one row per rival and the columns ``win, tie, loss``."""
    table = verdicts.groupby(["rival", "verdict"], sort=False).size().unstack(fill_value=0)
    return table.reindex(index=list(dict.fromkeys(verdicts["rival"])), columns=["win", "tie", "loss"], fill_value=0)


def p_text(p):
    """``p = 0.012``, or ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def holm(p_values, *, chosen: bool = False):
    """P-values adjusted by Holm's step-down rule; NaN entries stay NaN and do not count."""
    # Those of a method that was `chosen` as the best against each other one count among all pairs of methods.
    # Not by statsmodels, whose `multipletests` collects garbage in each call: half the time of building the site.
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values)[: np.count_nonzero(~np.isnan(p_values))]  # NaN comes last
    adjusted = np.full(p_values.shape, np.nan)
    tests = n_tests(len(order), chosen) - np.arange(len(order))
    adjusted[order] = np.maximum.accumulate(p_values[order] * tests).clip(max=1)
    return adjusted


def n_tests(n_rivals: int, chosen: bool) -> int:
    """Number of comparisons with rivals of a method; if it was chosen as the best of all, that of all pairs."""
    return n_rivals * (n_rivals + 1) // 2 if chosen else n_rivals


def half_width(sd, n, confidence=CONFIDENCE) -> np.ndarray:
    """Half the width of a two-sided t-interval of a mean."""
    sd, n = np.asarray(sd, dtype=float), np.asarray(n, dtype=float)
    several = np.maximum(n, 2)
    return np.where(n >= 2, stats.t.ppf((1 + confidence) / 2, several - 1) * sd / np.sqrt(several), 0.0)


def highlighted(cells: pd.DataFrame, by: Sequence[str] = ("dataset", "task", "noise_id")):
    """Mark in each group the methods whose t-interval reaches that of the best mean, as the ANE paper does."""
    width = pd.Series(half_width(cells["sd"], cells["n"]), index=cells.index)
    keys = [cells[column] for column in by]
    best = cells["mean"].groupby(keys).transform("max")
    widest = width.where(cells["mean"] == best).groupby(keys).transform("max")
    return (cells["mean"] + width >= best - widest - TOLERANCE).rename("highlighted")


def standard_error(sd1, n1, sd2, n2) -> np.ndarray:
    """Standard error of the difference of two means, and Welch's degrees of freedom."""
    one, two = np.asarray(sd1, float) ** 2 / n1, np.asarray(sd2, float) ** 2 / n2
    total = one + two
    weight = one**2 / (np.asarray(n1, float) - 1) + two**2 / (np.asarray(n2, float) - 1)
    return np.sqrt(total), np.divide(total**2, weight, out=np.ones(np.shape(total)), where=weight > 0)


def p_different(difference, se, df):
    """Two-sided p-value of Welch's test of equal means."""
    return 2 * stats.t.sf(np.abs(difference) / se, df)


def p_equivalent(difference, se, df, margin):
    """P-value of the two one-sided tests (TOST) of a difference of at least `margin`."""
    return stats.t.sf((margin - np.abs(difference)) / se, df)


def needed_to_reject(p, se, df, alpha: float):
    """Smallest difference that Welch's test after Holm's rule rejects, all other p-values being as they are."""
    return stats.t.isf(holm_levels(p, alpha) / 2, df) * se


def holm_levels(p, alpha):
    """The level alpha / (m - r) up to which Holm's rule rejects a p-value, r others being rejected anyway."""
    p = np.asarray(p, float)
    steps = alpha / (len(p) - np.arange(len(p) - 1))  # levels of the smallest p-value, the second smallest, ...
    rejected = [np.cumprod(np.sort(np.delete(p, i)) <= steps).sum() for i in range(len(p))]
    return alpha / (len(p) - np.array(rejected, dtype=float))
