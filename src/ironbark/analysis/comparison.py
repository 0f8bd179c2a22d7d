"""Our numbers beside the printed ones, cell by cell, and whether they agree."""

import numpy as np
import pandas as pd
from scipy import stats

from ironbark.analysis import metrics as shown
from ironbark.analysis.collect import cells
from ironbark.analysis.highlight import highlighted
from ironbark.analysis.significance import ALPHA, holm
from ironbark.errors import InputError

COLUMNS = ["table", "dataset", "task", "method", "noise", "rate"]
COLUMNS += ["published_mean", "published_spread", "mean", "spread", "n", "difference", "verdict"]
COLUMNS += ["p_holm", "within_margin", "reason", "metric"]
AGREES, DIFFERS, NOT_COMPARABLE = "agrees", "differs", "not comparable"
MARGIN = 1.0  # percentage points that matter in practice
EPS = 1e-9


def compare(rows, published, mapping, *, datasets=None, tables=None, unlike=None, metrics=None, alpha=ALPHA):
    """One line per printed cell, with our mean where we have one.

    Parameters
    ----------
    rows : DataFrame
        Result rows, see `ironbark.records`.
    published : DataFrame
        From a reader in `ironbark.analysis.published`.
    mapping : dict of dict
        Model -> printed method -> our method id, such as ``{"DT": {"ane": "dt-ane"}}``. A printed method that is not
        in it keeps its printed name and is not comparable.
    datasets, tables : collection, optional
        Restrict the printed cells.
    unlike : dict, optional
        Data set -> why its fits cannot be set against the printed ones: what the scale caps, or how the data differ.
        Such cells are shown, but not comparable.
    metrics : dict, optional
        Model -> column of the rows that the paper prints of it; accuracy where it is left out.
    alpha : float
        Level of the tests of one table together.

    Returns
    -------
    DataFrame
        The columns `COLUMNS`, in the order of the print. All means, spreads (one standard deviation) and the
        difference (ours minus printed) are in percent; ``n`` counts our fits; ``p_holm`` is the adjusted p-value of a
        comparable cell; ``within_margin`` says whether the difference is at most `MARGIN`, and is empty without our
        mean; ``reason`` says why a cell is not comparable, else it is empty; ``metric`` is the column compared.

    Raises
    ------
    InputError
        If no printed cell is left, or two of our noise ids have the same noise and rate.

    Notes
    -----
    A cell agrees if the difference is within the rounding of the print, or if Welch's two-sided t-test on the two
    means, spreads and counts does not reject, with p-values adjusted by Holm's rule within each printed table. The
    rounding of a printed mean counts as an error of its own, uniform between its two ends. Where neither spread is
    above zero there is no test, and the rounding alone decides.
    """
    printed = published
    for column, wanted in (("dataset", datasets), ("table", tables)):
        if wanted is not None:
            printed = printed[printed[column].astype("str").isin([str(name) for name in wanted])]
    if printed.empty:
        raise InputError("no printed number is left to compare with; check the data sets and tables of the comparison")
    line = _beside(printed, rows, mapping, metrics or {})
    line["p"] = [_welch(*cell) for cell in line[[*_MEASURES]].itertuples(index=False, name=None)]
    line["reason"] = [_reason(cell, (unlike or {}).get(cell.dataset)) for cell in line.itertuples()]
    comparable = line["reason"] == ""
    line["p_holm"] = line["p"].where(comparable).groupby(line["table"]).transform(holm)
    distance = line["difference"].abs()
    same = (distance <= line["rounding"] + EPS) | (line["p_holm"] >= alpha)
    line["verdict"] = np.where(comparable, np.where(same, AGREES, DIFFERS), NOT_COMPARABLE)
    line["within_margin"] = (distance <= MARGIN + EPS).astype("object").where(distance.notna())
    return line[COLUMNS]


def _reason(cell, unlike):
    """Why a cell is not comparable, or nothing."""
    if not cell.mapped:
        return "no method of ours stands for it"
    if cell.n == 0:
        return "not run"
    return unlike or ("fewer than two fits" if cell.n < 2 else "")


_MEASURES = {"published_mean": "mean1", "published_spread": "std1", "published_n": "nobs1"}
_MEASURES |= {"mean": "mean2", "spread": "std2", "n": "nobs2", "rounding": "rounding"}


def _beside(printed, rows, mapping, metrics):
    """Printed and own numbers in percent, one line per printed cell."""
    metric = {model: metrics.get(model, "accuracy") for model in dict.fromkeys(printed["model"])}
    ours = pd.concat([cells(rows, column).assign(metric=column) for column in dict.fromkeys(metric.values())])
    printed = printed.assign(metric=printed["model"].map(metric))
    ids = [
        mapping.get(model, {}).get(method) for model, method in zip(printed["model"], printed["method"], strict=True)
    ]
    shown = [own or name for own, name in zip(ids, printed["method"], strict=True)]
    line = printed.assign(method=shown, mapped=[own is not None for own in ids])
    line = line.rename(columns={"mean": "published_mean", "spread": "published_spread", "n": "published_n"})
    keys = ["metric", "dataset", "task", "method", "noise", "rate"]
    if ours.duplicated(keys).any():
        twice = ", ".join(sorted(set(ours.loc[ours.duplicated(keys, keep=False), "noise_id"])))
        raise InputError(f"the noises {twice} have the same model and rate; compare with the rows of one of them")
    line = line.merge(ours[[*keys, "mean", "sd", "n"]].rename(columns={"sd": "spread"}), how="left", on=keys)
    line.loc[~line["mapped"], ["mean", "spread", "n"]] = np.nan
    for column in ("published_mean", "published_spread", "mean", "spread", "rounding"):
        line[column] *= 100
    line["n"] = line["n"].fillna(0).astype("int64")
    return line.assign(difference=line["mean"] - line["published_mean"])


def _welch(*measures):
    """P-value of Welch's test from means, standard deviations and counts; NaN where it has no meaning."""
    named = dict(zip(_MEASURES.values(), measures, strict=True))
    rounding = named.pop("rounding")
    if named["nobs2"] < 2 or np.isnan(named["mean2"]):
        return np.nan
    if named["std1"] == 0 and named["std2"] == 0:
        return float(abs(named["mean1"] - named["mean2"]) <= rounding + EPS)
    named["std1"] = np.sqrt(named["std1"] ** 2 + named["nobs1"] * rounding**2 / 3)  # of the mean: over nobs1
    return float(stats.ttest_ind_from_stats(**named, equal_var=False).pvalue)


def summary(comparison):
    """How well the cells of each printed table agree.

    Parameters
    ----------
    comparison : DataFrame
        From `compare`.

    Returns
    -------
    DataFrame
        One row per table: ``table``; ``cells``, ``agree``, ``differ``, ``not_comparable`` (counts); and over the cells
        for which we have a mean, comparable or not: ``with_mean`` (count), ``mean_absolute_difference`` (percentage
        points), ``within_margin`` (count of cells), ``rank_correlation`` (Spearman's between the printed and our means
        of the methods, averaged over the settings with three or more methods), ``best_highlighted`` (count of the
        settings whose best printed method is among those that `ironbark.analysis.highlight` marks in our numbers) and
        ``settings`` (count of data sets and noises of which we have that method's mean).
    """
    return pd.DataFrame([{"table": table, **_agreement(lines)} for table, lines in comparison.groupby("table")])


def _agreement(lines):
    ours = lines.dropna(subset="mean")
    distance = ours["difference"].abs()
    settings = [group for _, group in ours.groupby(["dataset", "noise", "rate"])]
    sign = np.where([shown.resolve(name).larger_is_better for name in lines["metric"]], 1, -1)
    goodness = lines["published_mean"] * sign
    best = goodness.groupby([lines[name] for name in ("dataset", "noise", "rate")]).transform("max") == goodness
    signed = ours.assign(mean=ours["mean"] * pd.Series(sign, lines.index)[ours.index])
    marked = highlighted(signed.rename(columns={"spread": "sd"}), by=("dataset", "noise", "rate"))
    hits = marked[best[ours.index]].groupby([ours[column] for column in ("dataset", "noise", "rate")]).any()
    return {
        "cells": len(lines),
        "agree": int((lines["verdict"] == AGREES).sum()),
        "differ": int((lines["verdict"] == DIFFERS).sum()),
        "not_comparable": int((lines["verdict"] == NOT_COMPARABLE).sum()),
        "with_mean": len(ours),
        "mean_absolute_difference": distance.mean(),
        "within_margin": int((distance <= MARGIN + EPS).sum()),
        "rank_correlation": pd.Series([_spearman(group) for group in settings], dtype=float).mean(),
        "best_highlighted": int(hits.sum()),
        "settings": len(hits),
    }


def correlations(comparison):
    """Spearman's correlation of the printed and our means of all methods, for each column that a paper prints.

    Returns
    -------
    DataFrame
        Index table, noise and rate; columns data sets. NaN where there are fewer than three methods; tables and data
        sets without any are left out.
    """
    ours = comparison.dropna(subset="mean").astype({"table": "str"})
    groups = ours.groupby(["table", "noise", "rate", "dataset"], sort=False)
    found = pd.Series({key: _spearman(group) for key, group in groups}, dtype=float)
    if found.empty:
        return pd.DataFrame()
    found.index.names = ["table", "noise", "rate", "dataset"]
    names = list(dict.fromkeys(ours["dataset"]))
    return found.unstack(sort=False)[names].dropna(how="all").dropna(axis="columns", how="all")


def _spearman(group):
    """Spearman's correlation of printed and own means; NaN for fewer than three methods or if one side is constant."""
    if len(group) < 3 or group["mean"].nunique() == 1 or group["published_mean"].nunique() == 1:
        return np.nan
    return float(stats.spearmanr(group["published_mean"], group["mean"]).statistic)
