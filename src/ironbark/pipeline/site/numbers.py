"""What pages show of result rows: means with tests, the best methods, leaderboards, coverage."""

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.entries import distinct
from ironbark.pipeline.metrics import METRICS, ON_REQUEST, Metric
from ironbark.pipeline.results import parquet, records
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
MOST_RATED = 60  # methods for which there are Elo ratings under some of the noises too; 100 take 16 seconds a board


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


def answers(made, about, noises) -> pd.DataFrame:
    """Best method on each data set at each noise, the next best one and the adjusted p-value of their difference."""
    lines, order = [], {name: place for place, name in enumerate(about["noises"])}
    for (task, track), metric in main_metrics(made).items():
        for (dataset, noise), part in made[task, metric].groupby(["dataset", "noise_id"], sort=False):
            about_line = {"dataset": dataset, "task": task, "track": track, "metric": metric, "noise": noise}
            lines.append(about_line | {"name": noises[noise]["name"]} | _answer(part, SHOWN[metric]))
    return pd.DataFrame(lines).sort_values("noise", key=lambda ids: ids.map(order), kind="stable") if lines else None


def _answer(part, metric):
    best = part[part["method"] == part["best"]].iloc[0]
    others = part[part["method"] != part["best"]].dropna(subset="difference")
    line = {"best": best["method"], "mean": metric.factor * best["mean"], "sd": metric.factor * best["sd"]}
    line |= {"n": int(best["n"]), "others": len(others), "beaten": int((others["p_holm"] < ALPHA).sum())}
    line |= {"tied": int((others["difference"].round(against_best.DIGITS) == 0).sum())}
    line |= {"second": None, "difference": np.nan, "p": np.nan}
    if len(others):
        second = others.loc[others["difference"].abs().idxmin()]
        line |= {"second": second["method"], "difference": metric.factor * abs(second["difference"])}
        line |= {"p": second["p_holm"]}
    return line


def selections(noises):
    """Groups of noises that a leaderboard can be made of, without two of the same: name -> ids."""
    found = {ALL: list(noises)}
    for name, about in noises.items():
        for group in (f"{about['kind']}, all rates", f"{about['rate']}, all kinds" if about["rate"] else about["name"]):
            found.setdefault(group, []).append(name)
    found |= {about["name"]: [name] for name, about in noises.items()}
    single = {tuple(ids): group for group, ids in found.items()}  # the last name of a group is its shortest
    return {group: list(ids) for ids, group in single.items()}


def leaderboard(made: dict, task, metric, noises: dict, *, rated: bool) -> pd.DataFrame:
    """Methods by average rank over the settings that all of them have finished, for each selection of noises."""
    part, shown = made[task, metric], SHOWN[metric]
    sign = 1 if shown.larger_is_better else -1
    scores, dropped = ranks.scores(part)
    scores = sign * scores
    seconds = made[task, SECONDS].pivot(index=ranks.SETTING, columns="method", values="mean")
    seconds = np.log(seconds.reindex(index=scores.index, columns=scores.columns))
    there, found = set(part["noise_id"]), []
    for name, ids in selections({id: entry for id, entry in noises.items() if id in there}).items():
        at = scores.index.get_level_values("noise_id").isin(ids)
        if scores.shape[1] < 2 or not at.any():
            continue
        elos = rated and (len(ids) == len(there) or (len(ids) > 1 and scores.shape[1] <= MOST_RATED))
        board = _board(scores[at], rated=elos)
        board["mean"] *= sign * shown.factor
        board["seconds"] = np.exp(seconds[at].mean())
        found.append(board.assign(noise=name, dropped=dropped).reset_index())
    return pd.concat(found, ignore_index=True) if found else None


def _board(scores, *, rated):
    """Statistics of complete settings, the best method first; each data set counts once in a mean."""
    board = rankings.standing(scores, rated).sort_values("rank", kind="stable")
    means = ranks.by_dataset(scores)[board.index]
    board = board.assign(place=range(1, len(board) + 1), mean=means.mean(), p=against_best.over_datasets(means))
    half = half_width(ranks.by_dataset(ranks.setting_ranks(scores))[board.index].std(), len(means), 1 - ALPHA)
    board["half"] = half if len(means) >= against_best.LEAST_DATASETS else np.nan
    return board.assign(settings=len(scores), datasets=len(means))


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
    fits = pd.DataFrame({"failed": frame["status"] == FAILED, "seconds": frame[list(TIMINGS)].sum(axis=1)})
    fits = fits.assign(present=1).groupby(frame[by].astype("str")).sum().reindex(result.index).fillna(0)
    failed, present = fits["failed"].astype("int64"), fits["present"].astype("int64")
    counts = {"failed": failed, "done": present - failed, "missing": result["asked"] - present}
    return result.assign(**counts, seconds=fits["seconds"])


def causes(frame, most=20):
    """Why fits failed: columns method, message, fits and example, the most frequent first."""
    failed = frame[frame["status"] == FAILED].astype({"method": "str", "message": "str"})
    if failed.empty:
        return pd.DataFrame(columns=["method", "message", "fits", "example"])
    failed = failed.assign(example=failed["dataset"].astype("str") + " " + failed["noise_id"].astype("str"))
    grouped = failed.groupby(["method", "message"], sort=False)["example"].agg(fits="size", example="first")
    return grouped.reset_index().sort_values("fits", ascending=False, kind="stable").head(most)


FILE = "study.json"
THINGS = ("methods", "datasets", "noises")
ESSENTIAL = (*FIT, "noise", "rate", "status")  # columns without which rows mean nothing
UNREAD = ("tuned", "key")  # long texts that no page shows

#: Part of the estimator's class name -> word in the label, as trees and forests share most labels of their criteria.
FAMILIES = {"DecisionTree": "tree", "Forest": "forest"}


@dataclass(frozen=True, eq=False)
class Rows:
    """Result rows (of `records.COLUMNS` but `UNREAD`, a fit once), what is wrong with their files, and these files."""

    frame: pd.DataFrame
    problems: list = field(default_factory=list)
    files: list = field(default_factory=list)


def studies(results="results"):
    """Studies with results on disk, and the methods, data sets and noises that they use."""
    found, problems = {}, []
    signs = (FILE, "rows.parquet", "fits")
    for folder in sorted({path.parent for name in signs for path in Path(results).glob(f"*/*/{name}")}):
        try:
            found[folder / FILE] = json.loads((folder / FILE).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError) as error:
            state = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
            study, scale = folder.parts[-2:]
            problems.append(
                f"{study} ({scale}) is left out: {folder / FILE} {state}; "
                f"run `snakemake --cores 2 {study} --config scale={scale}` again, with its other settings."
            )
    by_age = sorted(found, key=lambda path: path.stat().st_mtime)
    entries = {thing: [item for path in by_age for item in found[path][thing].items()] for thing in THINGS}
    things = {thing: dict(sorted(dict(items).items())) for thing, items in entries.items()}
    return {"studies": [about["study"] for about in found.values()], "problems": problems, **things}


def rows(folder):
    """Rows of a study, finished or not: of ``rows.parquet``, or of ``partial.parquet`` if that is newer."""
    there = [path for path in (Path(folder, "rows.parquet"), Path(folder, "partial.parquet")) if path.exists()]
    frame, problems, files = records.frame([]).drop(columns=list(UNREAD)), [], []
    for path in sorted(there, key=lambda path: path.stat().st_mtime)[-1:]:
        try:
            frame, files = _table(path, problems), [path]
        except (pa.ArrowException, OSError) as error:
            cause = str(error).strip().partition("\n")[0].rstrip(".")
            problems.append(f"{path} is damaged ({cause}); remove it and run the study again.")
        except KeyError as error:
            problems.append(f"{path} is no table of result rows: {error.args[0]} missing; run the study again.")
    frame = frame.drop_duplicates(FIT, keep="last", ignore_index=True)
    texts = [name for name in frame if COLUMNS.get(name) == "str"]
    return Rows(frame.astype(dict.fromkeys(texts, "category")), problems, files)


def _table(path, problems):
    """The frame of a file; a column that an older version has not recorded is empty."""
    there = pq.read_schema(path).names
    wanted = [name for name in COLUMNS if name not in UNREAD] + [name for name in ON_REQUEST if name in there]
    missing = [name for name in wanted if name not in there]
    if essential := [name for name in missing if name in ESSENTIAL]:
        raise KeyError(", ".join(essential))
    if missing:
        problems.append(
            f"{path} was written by an older version of ironbark: {', '.join(missing)} not recorded; "
            "run the study again to have them."
        )
    defaults = {"str": "", "float64": float("nan"), "int64": -1}
    frame = parquet.read(path, columns=[name for name in wanted if name in there])
    return frame.assign(**{name: defaults[COLUMNS[name]] for name in missing})[wanted]


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
    found = [about | {"methods": labels(about["methods"])} for about in spec["studies"]]
    methods = {name: entries[name] | {"label": own[name]} for name in entries}
    return spec | {"methods": methods, "studies": found, "noises": described(spec["noises"])}


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
