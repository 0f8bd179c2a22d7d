"""Our numbers next to the published ones, cell by cell, and what the difference of each cell shows."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics as shown
from ironbark.pipeline.statistics import concordance, significance
from ironbark.pipeline.statistics.significance import ALPHA, holm
from ironbark.pipeline.tables.collect import cells

COLUMNS = ["table", "dataset", "task", "method", "noise", "rate"]
COLUMNS += ["published_mean", "published_spread", "mean", "spread", "n", "difference", "verdict"]
COLUMNS += ["p_holm", "within_margin", "reason", "metric"]
COLUMNS += ["p_equivalent", "equivalent", "within_two_sd", "needed_to_reject"]
PUBLISHED_AS = ["model", "published_method", "published_n"]  # not in comparison.csv: earlier versions lack them
NOT_REJECTED, DIFFERS, NOT_COMPARABLE = "not rejected", "differs", "not comparable"
SIGNS = {NOT_REJECTED: "✓", DIFFERS: "≠", NOT_COMPARABLE: "◦"}  # which tell verdicts without colour
MARGIN = 1.0  # percentage points that matter in practice
EPS = 1e-9  # of differences of decimal numbers


def compare(rows, published, mapping, *, metrics=None, **options):
    """`compare_cells` for result rows, see `ironbark.pipeline.results.records`; all else is passed on."""
    wanted = dict.fromkeys((metrics or {}).get(model, "accuracy") for model in published["model"])
    ours = pd.concat([cells(rows, column).assign(metric=column) for column in wanted])
    return compare_cells(ours, published, mapping, metrics=metrics, **options)


def compare_cells(ours, published, mapping, *, datasets=None, tables=None, unlike=None, metrics=None) -> pd.DataFrame:
    """One line per published cell, with our mean where we have one."""
    chosen = published
    for column, wanted in (("dataset", datasets), ("table", tables)):
        if wanted is not None:
            chosen = chosen[chosen[column].astype("str").isin([str(name) for name in wanted])]
    if chosen.empty:
        raise InputError("no published number is left to compare with; check data sets and tables of the comparison")
    line = _beside(chosen, ours, mapping, metrics or {})
    line["reason"] = [_reason(cell, (unlike or {}).get(cell.dataset)) for cell in line.itertuples()]
    return _judged(line)[COLUMNS + PUBLISHED_AS]


def _reason(cell, unlike):
    """Why a cell is not comparable, or nothing."""
    if not cell.mapped:
        return "no method of ours stands for it"
    if cell.n == 0:
        return "all fits failed" if cell.failed > 0 else "not run"
    if np.isnan(cell.published_spread):
        return "published without a standard deviation"
    return unlike or ("fewer than two fits" if cell.n < 2 else "")


def _beside(published, ours, mapping, metrics):
    """Published and own numbers in percent, one line per published cell."""
    metric = {model: metrics.get(model, "accuracy") for model in dict.fromkeys(published["model"])}
    published = published.assign(metric=published["model"].map(metric))
    pairs = zip(published["model"], published["method"], strict=True)
    ids = [mapping.get(model, {}).get(method) for model, method in pairs]
    names = [own or name for own, name in zip(ids, published["method"], strict=True)]
    line = published.assign(method=names, mapped=[own is not None for own in ids], published_method=published["method"])
    line = line.rename(columns={"mean": "published_mean", "spread": "published_spread", "n": "published_n"})
    keys = ["metric", "dataset", "task", "method", "noise", "rate"]
    if ours.duplicated(keys).any():
        twice = ", ".join(sorted(set(ours.loc[ours.duplicated(keys, keep=False), "noise_id"])))
        raise InputError(f"the noises {twice} have the same model and rate; compare with the rows of one of them")
    cell = ["table", "model", "published_method", *keys[1:3], *keys[4:]]
    if (again := line.duplicated(cell)).any():
        cell = ", ".join(map(str, line.loc[again, cell].iloc[0]))
        raise InputError(f"the published values have the cell ({cell}) twice; drop one line of their file")
    line = line.merge(ours[[*keys, "mean", "sd", "n", "failed"]].rename(columns={"sd": "spread"}), how="left", on=keys)
    line.loc[~line["mapped"], ["mean", "spread", "n"]] = np.nan
    for column in ("published_mean", "published_spread", "mean", "spread", "rounding"):
        line[column] *= 100
    line["n"] = line["n"].fillna(0).astype("int64")
    return line.assign(difference=line["mean"] - line["published_mean"])


def _judged(line):
    """The lines with all that is tested."""
    distance, comparable = line["difference"].abs(), line["reason"] == ""
    tested = line[comparable]
    theirs = np.sqrt(tested["published_spread"] ** 2 + tested["published_n"] * tested["rounding"] ** 2 / 3)
    error = significance.standard_error(theirs, tested["published_n"], tested["spread"], tested["n"])
    line["se"], line["df"] = (pd.Series(values, tested.index).reindex(line.index) for values in error)
    given = [tested["difference"], *error]
    line["p"] = pd.Series(significance.p_different(*given), tested.index)
    printed = line["table"].astype("str").str.split(",").str[0]  # Holm's rule covers errors and risks of a table
    line["p_holm"] = line["p"].groupby(printed).transform(holm)
    line["p_equivalent"] = pd.Series(significance.p_equivalent(*given, MARGIN), tested.index)
    parts = [
        pd.Series(significance.needed_to_reject(part["p"], part["se"], part["df"], ALPHA), part.index)
        for _, part in line[comparable].groupby(printed)
    ]
    line["needed_to_reject"] = pd.concat(parts).reindex(line.index) if parts else np.nan
    line["verdict"] = np.where(comparable, np.where(line["p_holm"] < ALPHA, DIFFERS, NOT_REJECTED), NOT_COMPARABLE)
    two = 2 * line["published_spread"] + line["rounding"]
    for name, holds, where in (
        ("within_margin", distance <= MARGIN + EPS, distance.notna()),
        ("equivalent", line["p_equivalent"] < ALPHA, comparable),
        ("within_two_sd", distance <= two + EPS, comparable),
    ):
        line[name] = holds.astype("object").where(where)
    return line


def summary(comparison: pd.DataFrame) -> pd.DataFrame:
    """Summary of the comparison for each published table."""
    return pd.DataFrame([{"table": table, **_agreement(lines)} for table, lines in comparison.groupby("table")])


def _agreement(lines):
    comparable, ours = lines[lines["verdict"] != NOT_COMPARABLE], lines.dropna(subset="mean")
    better = ours["metric"].map(lambda name: shown.resolve(name).larger_is_better).astype(bool)
    return {
        "cells": len(lines),
        "comparable": len(comparable),
        "not_rejected": int((comparable["verdict"] == NOT_REJECTED).sum()),
        **{name: int(comparable[name].eq(True).sum()) for name in ("equivalent", "within_two_sd")},
        "needed_to_reject": comparable["needed_to_reject"].median(),
        "mean_absolute_difference": ours["difference"].abs().mean(),
        **concordance.correlation(ours),
        **{f"best_{name}": value for name, value in concordance.same_best(ours, better).items()},
    }
