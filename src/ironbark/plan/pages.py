"""What the site is told of the studies that have run: everything that is not in their result files."""

from pathlib import Path

from ironbark import protocols
from ironbark.analysis.kinds import CONCEPTS
from ironbark.errors import InputError
from ironbark.plan import definitions
from ironbark.plan.study import SCALES

#: Figure kind -> view of the explorer that shows the same, interactively.
VIEWS = {
    "noise-curves": "curves",
    "noise-panels": "curves",
    "metric-curves": "curves",
    "by-dataset": "curves",
    "critical-difference": "difference",
    "relative-times": "time",
    "trade-off": "time",
    "accuracy-cost": "time",
}

METHOD_KEYS = ("label", "about", "estimator", "params", "preprocess", "tune", "tasks", "paper")
DATASET_KEYS = ("title", "source", "licence", "cite", "deviations", "notes", "expect", "papers")


def spec(plan, results="results"):
    """Studies with results on disk, and the methods, data sets and noises that they use.

    Parameters
    ----------
    plan : ironbark.plan.specs.Plan
    results : path

    Returns
    -------
    dict
        Keys studies (list), methods, datasets, noises (id -> entry) and problems (sentences on what is left out).
    """
    studies, problems = [], []
    for study_id, scale in _on_disk(results):
        if study_id not in plan.config["studies"]:
            problems.append(f"{study_id} ({scale}) is left out: config/studies has no such study any more.")
            continue
        try:
            studies.append(_study(plan, study_id, scale))
        except InputError as error:
            problems.append(f"{study_id} ({scale}) is left out: {error}")
    used = {key: {name for study in studies for name in study[key]} for key in ("methods", "datasets", "noises")}
    return {
        "studies": studies,
        "problems": problems,
        "methods": {name: _method(plan, name) for name in sorted(used["methods"])},
        "datasets": {name: _only(plan.entry(name), DATASET_KEYS) for name in sorted(used["datasets"])},
        "noises": {name: _noise(plan, name) for name in sorted(used["noises"])},
    }


def _on_disk(results):
    """(study, scale) of each folder that a run has made, in the order of names and sizes."""
    names = sorted(path.name for path in Path(results).iterdir() if path.is_dir()) if Path(results).is_dir() else []
    return [(name, scale) for name in names for scale in reversed(SCALES) if Path(results, name, scale).is_dir()]


def _study(plan, study_id, scale):
    study, entry = plan.study(study_id, scale), plan.config["studies"][study_id]
    return {
        "id": study_id,
        "scale": scale,
        "title": study.title,
        "description": entry.get("description", ""),
        "parts": entry.get("parts", []),
        "caps": study.caps,
        "absent": study.absent,
        "protocol": study.protocol,
        "blocks": study.blocks,
        "repeats": study.protocol["repeats"],
        "folds": protocols.per_repeat(study.protocol["options"]),
        "methods": {name: method["label"] for name, method in study.methods.items()},
        "datasets": {name: study.dataset_labels.get(name, name) for name in study.datasets},
        "noises": list(dict.fromkeys(n for noises, _ in study.cells.values() for n in noises)),
        "tables": [_artefact(plan, study, "tables", name) for name in study.tables],
        "figures": [_artefact(plan, study, "figures", name) for name in study.figures],
        "compare": bool(study.compare),
    }


def _artefact(plan, study, kind, name):
    """Id, kind and caption of a table or figure, and what an interactive version of it shows."""
    about = getattr(study, kind)[name]
    result = {"id": name, "kind": about["kind"], "caption": plan.caption(study.id, study.scale, kind, name)}
    if kind == "figures" and about["kind"] in VIEWS and about["kind"] not in CONCEPTS:
        keys = ("task", "metric", "methods", "datasets", "noises")
        result["view"] = {"view": VIEWS[about["kind"]]} | {key: about[key] for key in keys if key in about}
    return result


def _method(plan, name):
    entry = plan.config["methods"][name]
    return {"label": name} | _only(entry, METHOD_KEYS) | {"definitions": definitions.of_method(entry)}


def _noise(plan, name):
    entry = plan.config["noises"][name]
    about = definitions.of_noise(entry["model"])
    return {"label": entry.get("label", name)} | _only(entry, ("model", "rate", "params")) | {"definition": about}


def _only(entry, keys):
    return {key: entry[key] for key in keys if entry.get(key) not in (None, [], {})}
