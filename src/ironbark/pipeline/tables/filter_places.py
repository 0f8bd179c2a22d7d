"""Detectors of wrong labels among the published filters of MisLaBenchmark: F1, time and places with intervals.

Data set, noise, rate and number of samples of a published mean are those of our fits. A published filter counts where
it has a value of all that we have.
"""

import numpy as np
import pandas as pd
from scipy import stats

from ironbark.errors import InputError
from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.statistics.significance import ALPHA, half_width
from ironbark.pipeline.tables.collect import order, select
from ironbark.pipeline.tables.result_table import ABSENT, Table

METRIC, BEST, ALL = "called_f1", "Best filter", "all"
FEW = 10  # draws, below which a caption says that they are few
NOISES = {"boundary_consistent": "asymmetric", "observed": "real", "uniform": "symmetric"}
LINE = ["noise", "dataset", "n"]


def build(rows, spec: dict, context, *, printed: pd.DataFrame) -> Table:
    """Lines of noises, data sets (one line for all with ``pool``) and sizes; columns of the best filter and methods."""
    if spec.get("metric") != METRIC:
        raise InputError(f"table {spec.get('id', '')!r}: the published values are F1; set `metric: {METRIC}`")
    fits = pd.concat([select(rows, {**spec, "task": task}) for task in dict.fromkeys(rows["task"])])
    fits = fits[(fits["status"] != FAILED) & fits[METRIC].notna() & fits["noise"].isin(list(NOISES))]
    cells = fits.rename(columns={"n_train": "n"})[[*LINE, "rate"]].drop_duplicates()
    theirs, found = printed.merge(cells, on=[*LINE, "rate"]), []
    lines = pd.Series(ALL, fits.index) if spec.get("pool") else fits["dataset"]
    for (noise, line, n), own in fits.groupby(["noise", lines, "n_train"]):
        asked = (theirs["noise"] == noise) & (theirs["n"] == n) & theirs["dataset"].isin(own["dataset"])
        n_cells = own.groupby(["dataset", "rate"]).ngroups
        rivals = _rivals(theirs[asked], n_cells)
        if rivals.empty:
            continue
        at, best = dict(zip(LINE, (noise, line, n), strict=True)), rivals["f1"].idxmax()
        found.append({**at, "method": BEST, "filter": best, **rivals.loc[best, ["f1", "seconds"]]})
        for method, runs in own.groupby("method"):
            cell = runs.groupby(["dataset", "rate"]).ngroup()
            each = runs[cell.groupby(runs["repeat"]).transform("nunique") == n_cells]
            if each.empty:
                continue  # in each draw a fit failed: a mean over some cells has no place
            f1, seconds = each.groupby("repeat")[METRIC].mean(), each["fit_seconds"].mean()
            found.append({**at, "method": method, "f1": f1.mean(), "seconds": seconds, **place(f1, rivals)})
    if {one["method"] for one in found} <= {BEST}:
        raise InputError(
            f"table {spec.get('id', '')!r}: no published filter, or no method, has all data sets, rates and sizes asked"
        )
    return _table(pd.DataFrame(found), order(fits, spec)[1], spec, context)


def _rivals(theirs, n_cells):
    """Mean F1 and seconds, variance of the mean and least number of runs of each filter that has all cells."""
    groups = theirs.assign(variance=theirs["f1_sd"] ** 2 / theirs["runs"]).groupby("filter")
    found = groups[["f1", "seconds"]].mean().assign(runs=groups["runs"].min())
    found["variance"] = groups["variance"].agg(lambda each: each.sum(skipna=False)) / n_cells**2
    return found[groups.size() == n_cells]


def place(f1, rivals: pd.DataFrame) -> dict:
    """Place of a mean over draws; the first and last that chance leaves open, by Welch's test of each rival alone."""
    n, sd, gap = len(f1), np.std(f1, ddof=1) if len(f1) > 1 else np.nan, rivals["f1"] - np.mean(f1)
    theirs = (
        rivals["f1"].to_numpy(),
        np.sqrt(rivals["variance"] * rivals["runs"]).to_numpy(),
        rivals["runs"].to_numpy(),
    )
    p = stats.ttest_ind_from_stats(np.mean(f1), sd, n, *theirs, equal_var=False).pvalue
    better, worse = int(((gap > 0) & (p < ALPHA)).sum()), int(((gap < 0) & (p < ALPHA)).sum())
    places = {"place": 1 + int((gap > 0).sum()), "first": 1 + better, "last": 1 + len(rivals) - worse}
    width = float(half_width(sd, n, 1 - ALPHA)) if n > 1 else np.nan
    return {"half_width": width, "draws": n, **places, "of": len(rivals) + 1}


def _table(values, methods, spec, context):
    texts = values.assign(text=list(map(_text, values.to_dict("records"))))
    frame = texts.pivot(index=LINE, columns="method", values="text").fillna(ABSENT)
    frame = frame.reindex(columns=[BEST, *methods], fill_value=ABSENT)
    lines = [(NOISES[noise], context.datasets[dataset], f"{n:,}") for noise, dataset, n in frame.index]
    frame.index = pd.MultiIndex.from_tuples(lines, names=["Noise", "Data set", "Samples"])
    frame.columns = [BEST, *(context.methods[method] for method in methods)]
    draws = int(values["draws"].min())
    few = "s" * (draws > 1) + ", a small sample" * (draws < FEW)
    reading = (
        f"F1 of the labels called errors, mean of {draws} draw{few}, ± half a 95 % interval; place among the filters, "
        "with those that chance leaves open; seconds, those of filters on another machine"
    )
    notes = [_summary(values[values["method"] == m], context.methods[m]) for m in methods if m in set(values["method"])]
    notes += [f"{ABSENT}: no detector, or fits failed or are missing."] * bool(frame.eq(ABSENT).any(axis=None))
    return Table(frame, values, None, context.caption(spec, reading), notes)


def _text(one):
    if one["method"] == BEST:
        return f"{one['filter']} {one['f1']:.3f}; {one['seconds']:.2g} s"
    spread = f" ± {one['half_width']:.3f}" if one["draws"] > 1 else ""
    places = f"{one['place']:.0f} ({one['first']:.0f}–{one['last']:.0f}) of {one['of']:.0f}"
    return f"{one['f1']:.3f}{spread}; {places}; {one['seconds']:.2g} s"


def _summary(own, label):
    sure, behind = int((own["last"] == 1).sum()), int((own["first"] > 1).sum())
    return f"{label}: first beyond chance on {sure} of {len(own)} lines, not first beyond chance on {behind}."
