"""Tables of docs/reproduction-rgbdt.md."""

import pandas as pd
from docs.reference import counts, measured, published, wide

from ironbark.pipeline.statistics.concordance import spearman_interval
from ironbark.pipeline.tables import rank_table

NAMES = {"adaboost": "AdaBoost", "logitboost": "LogitBoost", "random-forest": "RandomForest", "bagging": "Bagging"}
NAMES |= {name.lower(): name for name in ("XGBoost", "LightGBM", "Robust-XGB", "Robust-LGB")}
#: (study, scale) of reference results.
FULL, LITE, SMALL = ("rgbdt-laptop-multiclass", "full"), ("rgbdt", "lite"), ("rgbdt", "full")
AUCPR = "average_precision"
TUNED = {name: f"rgbdt-{name}" for name in NAMES}
UNTUNED = {name: own + "-untuned" * (not name.startswith("robust")) for name, own in TUNED.items()}
AUTHORS = TUNED | {"robust-xgb": "rgbdt-robust-xgb-authors-gradient"}
HEADS = [*NAMES.values(), "Spearman"]


def _ranks(studies, ids=TUNED, task="multiclass", metric="accuracy"):
    """Our and the published average ranks of the sets of a task that all methods have run on, one line per data set."""
    found = pd.concat([measured(*each) for each in studies]).query("task == @task and metric == @metric")
    found = found[found["method"].isin(ids.values())]
    found = found[found.groupby("dataset")["method"].transform("nunique") == len(ids)]
    ours = rank_table.by_dataset(rank_table.ranked(found, metric))[list(ids.values())].set_axis(list(NAMES), axis=1)
    theirs = published("rgbdt", "ranks").query("task == @task")
    theirs = theirs.pivot(index="dataset", columns="method", values="average_rank")
    return ours, theirs.loc[ours.index, list(NAMES)]


def _line(name, ours, theirs):
    cells = [f"{ours[m]:.1f} / {'–' if pd.isna(theirs[m]) else f'{theirs[m]:.1f}'}" for m in NAMES]
    return [name, *cells, f"{rank_table.spearman(ours, theirs):.2f}"]


def _average(name, ours, theirs):
    """Means over the data sets, ours with standard errors, and the interval of their correlation."""
    ours, theirs = rank_table.tied_last(ours), rank_table.tied_last(theirs)
    low, high = spearman_interval(ours, theirs)
    shown = _line(name, ours.mean(), theirs.mean())
    error = [cell.replace(" /", f" ± {value:.1f} /") for cell, value in zip(shown[1:], ours.sem(), strict=False)]
    return [name, *error, f"{shown[-1]} [{low:.2f}, {high:.2f}]"]


def _with_average(ours, theirs):
    rows = [_line(name, ours.loc[name], theirs.loc[name]) for name in ours.index]
    return [["Ranks, ours / published", *HEADS], *rows, _average(f"average of {len(ours)}", ours, theirs)]


def multiclass():
    return _with_average(*_ranks([FULL, SMALL]))


def tuning():
    """Averages by what is tuned and by what ranks are made of."""
    names = {AUCPR: "AUCPR", f"{AUCPR}_trapezoid": "AUCPR by trapezoids"}
    names[f"{AUCPR}_labels"] = "AUCPR of predicted labels"
    tasks, rows = [*(("binary", metric) for metric in names), ("binary", "accuracy"), ("multiclass", "accuracy")], []
    for task, metric in tasks:
        for way, ids in {"all tuned alike": TUNED, "rivals untuned": UNTUNED}.items():
            if metric.endswith("labels") and ids is TUNED:
                continue  # not run
            ranks = _ranks([SMALL] if task == "binary" else [FULL, SMALL], ids, task, metric)
            rows.append(_average(f"{len(ranks[0])} {task} sets by {names.get(metric, metric)}, {way}", *ranks))
    rows.append(_average("3 multiclass sets, authors' gradient", *_ranks([FULL], AUTHORS)))
    return [["Average ranks, ours / published", *HEADS], *rows, _average("7 multiclass sets at lite", *_ranks([LITE]))]


def losses():
    """Differences of pairs of methods, in points of accuracy (binary sets: of AUCPR)."""
    small = measured(*SMALL).query("task == 'binary' and metric == @AUCPR")
    small = 100 * small.pivot(index=["dataset", "noise_id"], columns="method", values="mean")
    six = pd.concat([wide(*FULL), wide(*SMALL, task="multiclass")])
    where = {"": six, ", lite": wide(*LITE, task="multiclass"), ", binary": small}
    plain = {"Robust-XGB minus XGBoost": ("robust-xgb", "xgboost")}
    plain |= {"Robust-LGB minus LightGBM": ("robust-lgb", "lightgbm")}
    rows = [_change(name + part, found, *pair) for part, found in where.items() for name, pair in plain.items()]
    for lib, library in (("xgb", "xgboost"), ("lgb", "lightgbm")):
        full, name = f"robust-{lib}", f"Robust-{lib.upper()}"
        pairs = {
            f"{name}, r = 0 (GCE), minus {name}": (f"{full}-r0", full),
            f"{name}, q = 0 (focal loss), minus {name}": (f"{full}-q0", full),
            f"log loss from score 0 (r = q = 0), minus {NAMES[library]}": (f"{full}-r0q0", library),
            f"{name}, one-vs-rest, minus softmax": (f"{full}-ovr", full),
            f"{name}, one-vs-rest, minus {NAMES[library]}": (f"{full}-ovr", library),
        }
        rows += [_change(label, wide(*FULL), *pair) for label, pair in pairs.items()]
    for way, label in {"balanced": "balanced accuracy", "probability": "mean probability of the label"}.items():
        name = f"Robust-XGB tuned by {label}, minus by accuracy"
        rows.append(_change(name, wide(*FULL), f"robust-xgb-{way}", "robust-xgb"))
    name = "Robust-XGB with the authors' gradient, minus with the right one"
    rows.append(_change(name, wide(*FULL), "robust-xgb-authors-gradient", "robust-xgb"))
    return [["Difference in points", "Settings", "Mean", "Better", "Equal", "Worse"], *rows]


def _change(label, found, method, rival):
    c = counts(found[f"rgbdt-{method}"], found[f"rgbdt-{rival}"])
    return [label, c["n"], f"{c['mean']:+.1f}", c["better"], c["equal"], c["worse"]]


TABLES = {
    "rgbdt-ranks-binary": lambda: _with_average(*_ranks([SMALL], task="binary", metric=AUCPR)),
    "rgbdt-ranks-multiclass": multiclass,
    "rgbdt-tuning": tuning,
    "rgbdt-losses": losses,
}
