"""Tables of docs/arena.md, from the packs of the studies `arena` and `arena-standard`."""

import itertools
import math
from functools import cache

import numpy as np
import pandas as pd
import scipy.stats
from docs.reference import ROOT, config, packed, share

from ironbark.entries import distinct
from ironbark.pipeline.figures.rankings import gains
from ironbark.pipeline.site.numbers import label
from ironbark.pipeline.statistics import against_best, ranks
from ironbark.pipeline.statistics.significance import ALPHA
from ironbark.pipeline.tables.collect import cells

PACK, STANDARD = ROOT / "data/packs/arena-lite.pack", ROOT / "data/packs/arena-standard-full.pack"
TASKS = ("binary", "multiclass")
PLAIN = "sklearn-rf"
#: Methods whose gains are shown with intervals.
ADVERTISED = ["rf-self-tuned", "ensemble", "rf-corrected-estimate", "sklearn-extra-trees-leaf-5", "sklearn-rf-leaf-20"]
ADVERTISED += ["sklearn-rf-leaf-tuned", "lgb-small", "catboost", "perpetual"]
SHARED = ["clean", "uniform-0.2", "uniform-0.4"]  # noises of all methods of the study `arena-standard`


@cache
def rows(pack=PACK):
    """One row for each fit, with its scores."""
    return packed(pack)


@cache
def scores(task, metric="accuracy", methods=None, part=None):
    """Means by setting and method, of the settings that all methods, or those given, have finished; of a `half`."""
    found = rows(STANDARD if part else PACK)
    found = found[(found["task"] == task) & (found["method"].isin(methods) if methods else True)]
    found = found[found["dataset"].isin(half(part))] if part else found
    return ranks.scores(cells(found, metric))[0]


@cache
def leaderboard(name, pack=PACK):
    """A leaderboard as the study made it: leaderboard-<task> or detectors-<task>."""
    return pd.read_csv(pack.with_suffix("") / f"{name}.csv", index_col="method")


@cache
def labels(pack=PACK):
    """Method id -> display name as on the site, distinct."""
    entries = config()["methods"]
    known = {name: entries[name] for name in dict.fromkeys(rows(pack)["method"])}
    return distinct({name: label(entry["label"], entry["estimator"]) for name, entry in known.items()})


def leaders(name, pack=PACK):
    """A leaderboard with intervals, costs and memory."""
    found, lines = rows(pack), []
    _, task, *part = name.split("-")
    found = found[(found["task"] == task) & (found["dataset"].isin(half(*part)) if part else True)]
    memory = found.groupby("method")["fit_memory"].median()
    for place, line in enumerate(leaderboard(name, pack).reset_index().itertuples(), 1):
        ratings = f"{line.elo:.0f}", f"{line.low:.0f} to {line.high:.0f}", f"{line.rank:.1f}"
        costs = f"{line.seconds:.2g}", f"{memory[line.method]:.2g}"
        lines.append([place, labels(pack)[line.method], *ratings, f"{100 * line.mean:.1f}", *costs])
    measure = "Accuracy" if name.startswith("leaderboard") else "Average precision"
    return [["Place", "Method", "Elo", "95 %", "Average rank", measure, "CPU seconds", "MB"], *lines]


def size():
    """Fits and settings of the pack, and how clearly the best method leads."""
    lines = []
    for task in TASKS:
        fits, complete = rows()[rows()["task"] == task], scores(task)
        order, found = list(ranks.dataset_ranks(complete).index), leaderboard(f"leaderboard-{task}")
        p = against_best.over_datasets(ranks.by_dataset(complete)[order])
        means, adjusted = _gains(task)
        helped = share([((adjusted[x] < ALPHA) & (means[x] > 0)).any() for x in means.columns if x != "clean"])
        best = [labels()[order[0]], share(found["high"].iloc[1:] >= found["low"].iloc[0]), share(p.iloc[1:] < ALPHA)]
        lines.append([task, len(fits), fits["method"].nunique(), fits["dataset"].nunique(), *best, helped])
    heads = ["Task", "Fits", "Methods", "Data sets", "Best", "Intervals that overlap its own"]
    return [[*heads, "Separated from it by Wilcoxon's test", "Noises with a significant gain"], *lines]


def _gains(task):
    """Gains of methods over scikit-learn's forest by noise, and their adjusted p-values."""
    complete = scores(task)
    return gains(complete, PLAIN, list(dict.fromkeys(complete.index.get_level_values("noise_id"))))


def gained():
    """Gains of all methods over scikit-learn's forest in points; * if significant."""
    lines, noises = [], list(dict.fromkeys(rows()["noise_id"]))
    for task in TASKS:
        means, p = _gains(task)
        for method in means.index:
            stars = {x: f"{100 * means.loc[method, x]:+.1f}{'*' * bool(p.loc[method, x] < ALPHA)}" for x in means}
            lines.append([labels()[method], task, *(stars.get(noise, "") for noise in noises)])
    return [["Method", "Task", *noises], *lines]


def power():
    """How many data sets the paired t-test needs to find a difference of one point, from pairs of methods."""
    from statsmodels.stats.power import TTestPower  # who adds a method to the board need not have it

    found, lines = rows(STANDARD), []
    found = found[found["noise_id"].isin(SHARED)]
    for name, tasks in {**{task: [task] for task in TASKS}, "both": TASKS}.items():
        part = found[found["task"].isin(tasks)]
        fits = part.groupby("method")["method"].transform("size")
        complete = ranks.scores(cells(part[fits > 0.9 * fits.max()], "accuracy"))[0]  # slow and binary ones lack more
        means = 100 * ranks.by_dataset(complete)[ranks.dataset_ranks(complete).index]
        for which, most in (("all", None), ("the ten best", 10)):
            pairs = itertools.combinations(means.columns[:most], 2)
            spread = np.median([(means[one] - means[two]).std() for one, two in pairs])
            needed = TTestPower().solve_power(1.0 / spread, alpha=ALPHA, power=0.8)
            lines.append([name, len(means), which, f"{spread:.1f}", math.ceil(needed)])
    heads = "Median standard deviation over data sets of their difference", "Data sets for a difference of one point"
    return [["Task", "Data sets here", "Pairs of methods", *heads], *lines]


def standard():
    """Mean accuracy by task and noise on the reported half of `arena-standard`, best mean over shared settings first.

    Packs that others have added are in it. Means of slow methods, of fewer data sets, are left out.
    """
    added = sorted(STANDARD.with_suffix("").glob("*.pack"))
    found, entries = pd.concat(map(rows, [STANDARD, *added])), config()["methods"]
    found = found[found["dataset"].isin(half("reported"))]
    of_cells = found.groupby(["method", "task", "noise_id"])["accuracy"].agg(["mean", "size"]).unstack([1, 2])
    means = 100 * of_cells["mean"].where(of_cells["size"] == of_cells["size"].max()).sort_index(axis=1)
    known = {name: label(entries[name]["label"], entries[name]["estimator"]) for name in means.index}
    order = means.loc[:, means.columns.get_level_values("noise_id").isin(SHARED)].mean(axis=1, skipna=False)
    order = order.fillna(means["binary"][SHARED].mean(axis=1) - 100).sort_values(ascending=False)  # no multiclass: last
    spent = found["fit_seconds"] + found["tune_seconds"].fillna(0)
    cost, names = spent.groupby(found["method"]).mean(), distinct(known)
    texts = means.map(lambda value: "" if np.isnan(value) else f"{value:.1f}")
    lines = [[names[x], *texts.loc[x], f"{cost[x]:.2g}"] for x in order.index]
    return [["Method", *(f"{noise}, {task}" for task, noise in means.columns), "CPU seconds"], *lines]


def half(name):
    """Data sets of one half of `arena-standard`: those on which defaults were chosen, or reported."""
    tables = config()["studies"]["arena-standard"]["tables"]
    return [x for task in TASKS for x in tables[f"leaderboard-{task}-{name}"]["datasets"]]


def standard_gains():
    """Gains over scikit-learn's forest of its rivals on both halves, with 95 % t-intervals over data sets."""
    found, lines = rows(STANDARD), []
    for name in ("reported", "chosen"):
        part = found[found["dataset"].isin(half(name))]
        means = 100 * part.pivot_table(index=["noise_id", "dataset"], columns="method", values="accuracy")
        means = means.loc[SHARED, [PLAIN, *ADVERTISED]].unstack("noise_id").dropna().stack("noise_id")
        means = means.swaplevel().sort_index()
        for method in ADVERTISED:
            cells = []
            for noise in SHARED:
                gain = (means[method] - means[PLAIN])[noise]
                wide = scipy.stats.t.ppf(0.975, len(gain) - 1) * gain.sem()
                cells.append(f"{means[method][noise].mean():.1f}; {gain.mean():+.1f} ± {wide:.1f}")
            lines.append([labels(STANDARD)[method], name, len(gain), *cells])
    return [["Method", "Half", "Data sets", "Clean", "Uniform 0.2", "Uniform 0.4"], *lines]


TABLES = {
    "arena-standard-binary": lambda: leaders("leaderboard-binary-reported", STANDARD),
    "arena-standard-multiclass": lambda: leaders("leaderboard-multiclass-reported", STANDARD),
    "arena-standard-gains": standard_gains,
    "arena-standard": standard,
    "arena-power": power,
    "arena-size": size,
    "arena-binary": lambda: leaders("leaderboard-binary"),
    "arena-multiclass": lambda: leaders("leaderboard-multiclass"),
    "arena-detectors-binary": lambda: leaders("detectors-binary"),
    "arena-detectors-multiclass": lambda: leaders("detectors-multiclass"),
    "arena-gains": gained,
}
