"""Files of studies, whatever state their runs have left: descriptions, result rows, names for readers."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.entries import distinct
from ironbark.pipeline.metrics import ON_REQUEST
from ironbark.pipeline.results import parquet, records
from ironbark.pipeline.results.records import COLUMNS, FIT

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
    for folder in sorted({path.parent for name in (FILE, "rows.parquet", "fits") for path in _each(results, name)}):
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


def _each(results, name):
    return Path(results).glob(f"*/*/{name}")


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
