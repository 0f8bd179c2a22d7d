"""What pages show of result rows: means with tests, the best methods, leaderboards, coverage."""

import itertools
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ironbark.entries import distinct
from ironbark.errors import InputError
from ironbark.pipeline.metrics import METRICS, Metric
from ironbark.pipeline.results import records
from ironbark.pipeline.results.records import COLUMNS, FAILED, FIT, TIMINGS
from ironbark.pipeline.statistics import against_best, ranks
from ironbark.pipeline.statistics.significance import ALPHA, half_width
from ironbark.pipeline.tables import rankings

CELL = ["dataset", "task", "noise_id", "method"]
SECONDS = "seconds"
SHOWN = METRICS | {SECONDS: Metric("CPU time of a fit with its tuning", "seconds", 1, False)}
TWICE = ("error", "fit_seconds", "tune_seconds")  # shown in another form: the accuracy, and the sum of the seconds

#: Track -> outputs of fits that its metrics are computed from; the first metric of a track is its main one.
TRACKS = {"classification": ("labels", "probabilities"), "detection": ("label_quality", "noise_rate")}
ALL = "all noises"


def cells(frame: pd.DataFrame) -> dict:
    """Means of finished fits."""
    ok = frame[frame["status"] != FAILED].sort_values(FIT, kind="stable")  # sums do not depend on the order of rows
    ok = ok.assign(**{SECONDS: (ok["fit_seconds"] + ok["tune_seconds"].fillna(0)).clip(lower=rankings.LEAST)})
    found = {}
    for task, part in ok.groupby("task", observed=True):
        names = [name for name in SHOWN if name in part and part[name].notna().any() and name not in TWICE]
        grouped = part.groupby(CELL, observed=True)
        for name in names:
            made = grouped[name].agg(mean="mean", sd="std", n="count").reset_index().astype(dict.fromkeys(CELL, "str"))
            made = made[made["n"] > 0]
            if track_of(name):
                made = made.merge(against_best.over_runs(part, name), how="left", on=CELL)
            found[str(task), name] = made
    return found


def track_of(metric):
    """Name of the track that ranks methods by a metric, or None."""
    return next((track for track, outputs in TRACKS.items() if SHOWN[metric].output in outputs), None)


def main_metrics(made):
    """(task, track) -> the metric that its answers and leaderboards start with."""
    found = {}
    for task, metric in made:
        if track_of(metric):
            found.setdefault((task, track_of(metric)), metric)
    return found


def selections(noises):
    """Groups of noises that a leaderboard can be made of, without two of the same: name -> ids."""
    found = {ALL: list(noises)}
    for name, about in noises.items():
        for group in (f"{about['kind']}, all rates", f"{about['rate']}, all kinds" if about["rate"] else about["name"]):
            found.setdefault(group, []).append(name)
    found |= {about["name"]: [name] for name, about in noises.items()}
    single = {tuple(ids): group for group, ids in found.items()}  # the last name of a group is its shortest
    return {group: list(ids) for ids, group in single.items()}


def leaderboard(made: dict, task, metric, noises: dict, *, rated: bool) -> pd.DataFrame | None:
    """Methods by average rank over the settings that all of them have finished, for each selection of noises."""
    # Each data set counts once in ranks and means. Ratings are over all noises; `half` is half a rank's 95 % interval.
    part, shown = made[task, metric], SHOWN[metric]
    sign = 1 if shown.larger_is_better else -1
    scores = sign * ranks.scores(part)[0]
    seconds = made[task, SECONDS].pivot(index=ranks.SETTING, columns="method", values="mean")
    seconds = np.log(seconds.reindex(index=scores.index, columns=scores.columns))
    there, found = set(part["noise_id"]), []
    for name, ids in selections({id: entry for id, entry in noises.items() if id in there}).items():
        at = scores.index.get_level_values("noise_id").isin(ids)
        if scores.shape[1] < 2 or not at.any():
            continue
        board = rankings.standing(scores[at], rated and len(ids) == len(there)).sort_values("rank", kind="stable")
        means = ranks.by_dataset(scores[at])[board.index]
        spread = ranks.by_dataset(ranks.setting_ranks(scores[at])).std()[board.index]
        half = half_width(spread, len(means), 1 - ALPHA) if len(means) >= against_best.LEAST_DATASETS else np.nan
        board = board.assign(mean=sign * shown.factor * means.mean(), p=against_best.over_datasets(means), half=half)
        board = board.assign(
            place=board["rank"].rank(method="min").astype(int), seconds=np.exp(seconds[at].mean()), noise=name
        )
        found.append(board.assign(settings=int(at.sum()), datasets=len(means)).reset_index())
    return pd.concat(found, ignore_index=True) if found else None


def asked(study):
    """Number of fits that a study asks for, by the columns of `CELL`."""
    cells = [
        (dataset, task, noise, method, study["repeats"] * study["folds"])
        for dataset, task, noises, methods in study["blocks"]
        for noise, method in itertools.product(noises, methods)
    ]
    return pd.DataFrame(cells, columns=[*CELL, "asked"])


def within(frame, study):
    """Rows of fits that the study still asks for; the others are left from an earlier plan of it."""
    wanted = pd.MultiIndex.from_frame(asked(study)[CELL])
    frame = frame[frame["repeat"] < study["repeats"]]
    return frame[pd.MultiIndex.from_frame(frame[CELL].astype("str")).isin(wanted)]


def coverage(frame: pd.DataFrame, study: dict, by: str) -> pd.DataFrame:
    """Fits done, failed and missing, and their CPU seconds, by one column of `CELL`."""
    result = asked(study).groupby(by, sort=False)["asked"].sum().to_frame()
    failed, seconds = frame["status"] == FAILED, frame[list(TIMINGS)].sum(axis=1)
    fits = pd.DataFrame({"failed": failed, "done": ~failed}).astype("int64").assign(seconds=seconds)
    fits = fits.groupby(frame[by].astype("str")).sum().reindex(result.index, fill_value=0)
    return result.join(fits).assign(missing=result["asked"] - fits["failed"] - fits["done"])


def causes(frame, most=20):
    """Why fits failed: columns method, message, fits and example, the most frequent first."""
    failed = frame[frame["status"] == FAILED].astype(dict.fromkeys(("method", "message", *CELL), "str"))
    failed = failed.assign(example=failed["dataset"] + " " + failed["noise_id"])
    grouped = failed.groupby(["method", "message"], sort=False)["example"].agg(fits="size", example="first")
    return grouped.reset_index().sort_values("fits", ascending=False, kind="stable").head(most)


FILE = "study.json"
THINGS = ("methods", "datasets", "noises")
UNREAD = ("tuned", "key")  # long texts that no page shows

#: Part of the estimator's class name -> word in the label, as trees and forests share most labels of their criteria.
FAMILIES = {"DecisionTree": "tree", "Forest": "forest"}


class Rows(NamedTuple):
    """Result rows (of `records.COLUMNS` but `UNREAD`, a fit once), what is wrong with their file, and that file."""

    frame: pd.DataFrame
    problems: list
    path: Path | None


def studies(results="results"):
    """Studies with results on disk, and the methods, data sets and noises that they use."""
    found, problems = {}, []
    signs = (FILE, "rows.parquet", "fits")
    for folder in sorted({path.parent for name in signs for path in Path(results).glob(f"*/*/{name}")}):
        try:
            found[folder / FILE] = json.loads((folder / FILE).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            study, scale = folder.parts[-2:]
            again = f"run `snakemake --cores 2 {study} --config scale={scale}` again, with its other settings"
            problems.append(f"{study} ({scale}) is left out: {folder / FILE} is missing or damaged; {again}.")
    by_age = sorted(found, key=lambda path: path.stat().st_mtime)
    entries = {thing: [item for path in by_age for item in found[path][thing].items()] for thing in THINGS}
    things = {thing: dict(sorted(dict(items).items())) for thing, items in entries.items()}
    own = [about["study"] | {"entries": about["methods"]} for about in found.values()]
    return {"studies": own, "problems": problems, **things}


def rows(folder):
    """Rows of a study, finished or not: of ``rows.parquet``, or of ``partial.parquet`` if that is newer."""
    there = [path for path in (Path(folder, "rows.parquet"), Path(folder, "partial.parquet")) if path.exists()]
    path, problems = max(there, key=lambda path: path.stat().st_mtime, default=None), []
    frame = records.frame([]).drop(columns=list(UNREAD))
    try:
        if path:
            frame = records.shown(path, UNREAD).drop_duplicates(FIT, keep="last", ignore_index=True)
    except InputError as error:
        path, problems = None, [f"{error}."]
    texts = [name for name in frame if COLUMNS.get(name) == "str"]
    return Rows(frame.astype(dict.fromkeys(texts, "category")), problems, path)


def label(text, estimator):
    """The label with the family of the estimator, unless it says so already."""
    word = next((word for part, word in FAMILIES.items() if part in estimator.rpartition(".")[2]), "")
    return text if word in text.lower() else f"{text} {word}"


def labelled(spec):
    """The description of all studies with labels of methods and names of noises that are unique."""
    entries = spec["methods"]

    def labels(texts):
        return distinct({name: label(text, entries[name].get("estimator", "")) for name, text in texts.items()})

    own = labels({name: entry["label"] for name, entry in entries.items()})
    return spec | {
        "methods": {name: entry | {"label": own[name]} for name, entry in entries.items()},
        "studies": [about | {"methods": labels(about["methods"])} for about in spec["studies"]],
        "noises": described(spec["noises"]),
    }


def described(noises):
    """Entries of noises with name, kind (the model in words), rate (in words) and x (a number for an axis, or None)."""
    found = {name: entry | _described(entry) for name, entry in noises.items()}
    names = distinct({name: about["name"] for name, about in found.items()})
    return {name: about | {"name": names[name]} for name, about in found.items()}


def _described(entry):
    kind = entry["model"].replace("_", " ")
    rate = entry.get("rate", 0 if kind == "clean" else None)
    parts = [] if rate is None else rate if isinstance(rate, list) else [rate]
    text = " / ".join(f"{100 * part:g} %" for part in parts)
    own = entry.get("params") or not text  # the label of the configuration tells parameters
    name = kind if kind == "clean" else entry["label"] if own else f"{kind} {text}"
    return {"name": name, "kind": kind, "rate": text, "x": rate if isinstance(rate, int | float) else None}
