"""Descriptions of studies for the results site: all that their result files do not hold."""

import json

from ironbark.pipeline import protocols
from ironbark.pipeline.plan.config.methods import definitions

METHOD_KEYS = ("label", "about", "estimator", "params", "preprocess", "tune", "tasks", "needs", "paper")
DATASET_KEYS = ("title", "source", "licence", "cite", "deviations", "notes", "expect", "papers")


def describe(plan, study_id, scale):
    """Description of a study for the site, recorded when the study runs."""
    study = _study(plan, study_id, scale)
    about = {
        "study": study,
        "methods": {name: _method(plan, name) for name in study["methods"]},
        "datasets": {name: _only(plan.entry(name), DATASET_KEYS) for name in study["datasets"]},
        "noises": {name: _noise(plan, name) for name in study["noises"]},
    }
    return json.dumps(about)  # the order of methods and data sets is that of the study


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
    """Id, kind and caption of a table or figure."""
    about = getattr(study, kind)[name]
    return {"id": name, "kind": about["kind"], "caption": plan.caption(study.id, study.scale, kind, name)}


def _method(plan, name):
    entry = plan.config["methods"][name]
    return {"label": name} | _only(entry, METHOD_KEYS) | {"definitions": definitions.of_method(entry)}


def _noise(plan, name):
    entry = plan.config["noises"][name]
    about = definitions.of_noise(entry["model"])
    return {"label": entry.get("label", name)} | _only(entry, ("model", "rate", "params")) | {"definition": about}


def _only(entry, keys):
    return {key: entry[key] for key in keys if entry.get(key) not in (None, [], {})}
