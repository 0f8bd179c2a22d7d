"""A small folder of results and the plan behind it."""

import json

import numpy as np

from ironbark.pipeline import tables
from ironbark.pipeline.results import records
from ironbark.pipeline.tables import layout

METHODS = {"dt-a": "Tree A", "dt-b": "Tree B", "rf-c": "Forest C"}
SECONDS = {"dt-a": 12.0, "dt-b": 2.0, "rf-c": 1.5}  # as text, 12 comes before 2
NOISES = {
    "clean": {"label": "0", "model": "clean"},
    "uniform-0.2": {"label": "0.2", "model": "uniform", "rate": 0.2},
    "uniform-0.4": {"label": "0.4", "model": "uniform", "rate": 0.4},
}
CURVES = {"view": "curves", "task": "binary"}
DATASETS = {"ducks": "Ducks", "geese": "Geese"}
DEFINITION = {"name": "x", "text": "What it is::\n\n    a + b < c", "Notes": "", "References": "Somebody (1999)."}


def study(id="pond", **changes):
    """Entry of a study, as the planner makes it."""
    about = {
        "id": id,
        "scale": "full",
        "title": "The pond",
        "description": "Birds.",
        "parts": [],
        "caps": "",
        "absent": "",
        "protocol": {"kind": "fixed-split", "repeats": 2, "options": {}},
        "blocks": [[name, "binary", list(NOISES), list(METHODS)] for name in DATASETS],
        "repeats": 2,
        "folds": 1,
        "methods": METHODS,
        "datasets": DATASETS,
        "noises": list(NOISES),
        "tables": [{"id": "accuracy", "kind": "accuracy", "caption": "Accuracy."}],
        "figures": [{"id": "curves", "kind": "noise-curves", "caption": "Curves.", "view": CURVES}],
        "compare": False,
    }
    return about | changes


def spec(*studies, problems=()):
    """What the planner tells the site."""
    empty = not studies
    method = {"estimator": "ironbark.X", "definitions": [DEFINITION]}
    methods = {} if empty else {name: {"label": label} | method for name, label in METHODS.items()}
    return {
        "studies": [{"entries": dict(methods)} | about for about in studies],
        "problems": list(problems),
        "methods": methods,
        "datasets": {} if empty else {name: {"title": title, "source": "file"} for name, title in DATASETS.items()},
        "noises": {} if empty else NOISES,
    }


def rows(seed=0, repeats=2):
    """Result rows of `study`: Tree A is best, the more the more noise there is."""
    rng, found = np.random.default_rng(seed), []
    for dataset in DATASETS:
        for noise, about in NOISES.items():
            for place, method in enumerate(METHODS):
                for repeat in range(repeats):
                    value = 0.9 - about.get("rate", 0) * (0.2 + 0.3 * place) + 0.01 * rng.normal()
                    found.append(_row(dataset, noise, about, method, repeat, value))
    return records.frame(found)


def _row(dataset, noise, about, method, repeat, value):
    ids = {"study": "pond", "scale": "full", "dataset": dataset, "task": "binary", "method": method, "repeat": repeat}
    what = {"noise": about["model"], "rate": str(about.get("rate", 0)), "noise_id": noise, "fold": 0, "status": "ok"}
    times = {"fit_seconds": SECONDS[method], "tune_seconds": 0.0, "score_seconds": 0.01}
    about = {"accuracy": value, "error": 1 - value, "seed": repeat, "versions": '{"numpy": "2.0"}'}
    return ids | what | times | about


def fill(folder, frame=None):
    """Write the results of `study` to a folder of results."""
    frame, place = rows() if frame is None else frame, folder / "pond/full"
    records.write(frame, place / "rows.parquet")
    spec = {"kind": "accuracy", "id": "accuracy", "caption": "Accuracy"}
    layout.write(tables.build(frame, spec, METHODS), place / "tables/accuracy")
    (place / "figures").mkdir()
    for end in ("png", "svg", "pdf"):
        (place / f"figures/curves.{end}").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    return folder


def meta(folder):
    """Write the meta.json of a prepared data set."""
    about = {"n": 120, "d": 3, "k": 2, "classes": ["duck", "drake"], "counts": [70, 50], "digest": "ab" * 32}
    about |= {"source": {"source": "file"}, "deviations": ["Two ducks are missing."], "missing": {}, "notes": []}
    about |= {"warnings": ["Column ring looks like an identifier."]}
    (folder / "ducks").mkdir(parents=True)
    (folder / "ducks/meta.json").write_text(json.dumps(about), encoding="utf-8")
    return folder
