"""Methods, noises and data sets of the settings, which join each grid, table and figure that can have them."""

import itertools

from ironbark import noise
from ironbark.entries import lookup
from ironbark.errors import InputError, located
from ironbark.pipeline.plan.config import estimators, expansion
from ironbark.pipeline.plan.study import artefacts
from ironbark.pipeline.plan.study.batches import merged

#: Setting, and key of a grid -> what one of them is called.
KINDS = {"methods": "method", "noises": "noise", "datasets": "data set"}
CAPPED = ("noises", "datasets")  # lists that a scale may have too


def asked(config):
    """Ids that the settings add, as key of `KINDS` -> list, groups spelled out."""
    settings = {key: config["settings"].get(key) or [] for key in KINDS}
    return expansion.spelled_out(settings, config["groups"])


def joined(config: dict) -> dict:
    """The studies of a configuration, with what its settings add."""
    tasks = {key: {name: _tasks(config, key, name) for name in names} for key, names in asked(config).items()}
    if not any(tasks.values()):
        return config["studies"]
    return {study_id: _with(study, tasks) for study_id, study in config["studies"].items()}


def check(study_id, study, config):
    """Raise InputError for an added id that no grid of a study has."""
    for key, names in asked(config).items():
        for name in names:
            if not any(name in grid[key] for grid in study["grids"]):
                able = " and ".join(sorted(_tasks(config, key, name)))
                raise InputError(
                    f"--config {key}: no grid of study {study_id!r} can take the {KINDS[key]} {name!r}, which can do "
                    f"{able} tasks only; leave it out"
                )


def _with(study, tasks):
    grids = [_grown(grid, tasks) for grid in study.get("grids", ())]
    scales = dict(study.get("scales", {}))
    for key in CAPPED:
        added = [name for name in tasks[key] if any(name in grid[key] for grid in grids)]
        scales = {scale: artefacts.longer(caps, key, added) for scale, caps in scales.items()}
    places = ((grid, cell) for grid in grids for cell in itertools.product(grid["datasets"], grid["tasks"]))
    cells = merged((*cell, grid["noises"], grid["methods"]) for grid, cell in places)
    shown = {
        f"{word}s": {name: artefacts.joined(word, spec, cells, tasks) for name, spec in study[f"{word}s"].items()}
        for word in artefacts.KINDS
        if f"{word}s" in study
    }
    return study | {"grids": grids, "scales": scales} | shown


def words(study, config):
    """Which of the added ids a planned study has, for captions; empty for none."""
    noises = {name: config["noises"][name].get("label", name) for ids, _ in study.cells.values() for name in ids}
    methods = {name: method["label"] for name, method in study.methods.items()}
    datasets = {name: study.dataset_labels.get(name, name) for name in study.datasets}
    known = {"methods": methods, "noises": noises, "datasets": datasets}
    found = [known[key][name] for key, ids in asked(config).items() for name in ids if name in known[key]]
    return f"Added by --config: {', '.join(found)}." if found else ""


def _grown(grid, tasks):
    for key, about in tasks.items():
        grid = artefacts.longer(grid, key, [name for name, can in about.items() if set(grid["tasks"]) <= can])
    return grid


def _tasks(config, key, name):
    """Tasks that an added method, noise or data set can do."""
    with located(f"--config {key}"):
        entry = lookup(KINDS[key], name, config[key])
        with located(f"{KINDS[key]} {name!r}"):
            if key == "methods":
                return estimators.check(entry)
            if key == "noises":
                return set(noise.resolve(entry["model"])[1].tasks)
            if (k := entry.get("expect", {}).get("k")) is None:
                raise InputError("its number of classes is not known; add `expect: {k: ...}` to its entry")
            is_merged = {"positive", "binary"} & entry.keys()
            return {"binary"} if k == 2 else {"multiclass", "binary"} if is_merged else {"multiclass"}
