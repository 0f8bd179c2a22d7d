"""Specification of the job that estimates the cost of studies."""

import contextlib
import json
import math
from pathlib import Path

from ironbark import noise
from ironbark.errors import InputError
from ironbark.pipeline.plan.cost import fits
from ironbark.pipeline.plan.study.batches import is_chosen, n_splits
from ironbark.pipeline.plan.study.study import SCALES, text
from ironbark.pipeline.protocols.methods import takes_encoded

META = "meta.json"

#: Columns of the cells in a spec.
COLUMNS = ("study", "scale", "batch", "dataset", "task", "noise_id", "method", "fits", "seconds")


def spec(plan, studies: list[str], cores: int, results: Path = "results", prepared: Path = "data/prepared") -> str:
    """Everything that `ironbark.pipeline.jobs.estimate` needs, as JSON text.

    Returns keys cores, columns, unprepared (data sets), studies (list of dicts with study, scale, caps, others: number
    of jobs that train nothing, datasets: id -> megabytes and disk), cells (rows of `COLUMNS`; seconds as planned) and
    known (such rows of what has run).
    """
    scale = plan.settings["scale"]
    asked = [plan.study(study, scale) for study in studies]
    sizes = {name: size_of(name, entry, prepared) for name, entry in plan.config["datasets"].items()}
    return text(
        {
            "cores": cores,
            "columns": COLUMNS,
            "unprepared": sorted({name for study in asked for name in study.datasets if "bits" not in sizes[name]}),
            "studies": [_about(plan.config, study, sizes) for study in asked],
            "cells": [cell for study in asked for cell in cells(plan.config, study, sizes)],
            "known": known(plan, results, sizes),
        }
    )


def size_of(name, entry, prepared):
    """Size of a data set: of the catalogue, or as prepared, with ``n_train`` and ``bits``."""
    size, folder = fits.size_of(entry), Path(prepared, name)
    if not Path(folder, META).exists():
        return size
    meta = json.loads(Path(folder, META).read_text(encoding="utf-8"))
    values = Path(folder, "levels.npy").stat().st_size / 8 / meta["d"]  # float64, after a short head
    train = {"n_train": meta["split"]["train"]} if meta.get("split") else {}
    return {**size, **{key: meta[key] for key in ("n", "d", "k")}, **train, "bits": max(1.0, math.log2(values))}


def needs_features(noises):
    """Whether one of some noises, given by their entries, looks at the features."""
    return any(noise.resolve(entry["model"])[1].needs_features for entry in noises)


def cells(config: dict, study, sizes: dict, shared: bool = True):
    """Rows of `COLUMNS` of a study, one for each of its cells."""
    splits = n_splits(study.protocol)
    for batch in study.batches:
        for part in batch.parts:
            for noise_id in part.noises:
                about = config["noises"][noise_id]
                for name in part.methods:
                    chosen = shared and is_chosen(part, name, study.methods)
                    size = sizes[part.dataset]
                    seconds = fits.seconds(study.methods[name], size, part.task, study.protocol, about, chosen)
                    ids = study.id, study.scale, batch.name, part.dataset, part.task, noise_id, name
                    yield [*ids, splits, seconds]


def known(plan, results, sizes):
    """Rows of `COLUMNS` of all studies and scales with result rows on disk."""
    found = []
    for study in plan.config["studies"]:
        for scale in SCALES:
            if Path(results, study, scale, "fits").is_dir():
                with contextlib.suppress(InputError):  # edited since: its own run will say what is wrong
                    found += cells(plan.config, plan.study(study, scale), sizes, shared=False)
    return found


def _about(config, study, sizes):
    others = len(study.cells) + 2 * len(study.datasets) + len(study.tables) + len(study.figures) + 2
    found = {name: _dataset(config, study, name, sizes[name]) for name in study.datasets}
    return {"study": study.id, "scale": study.scale, "caps": study.caps, "others": others, "datasets": found}


def _dataset(config, study, name, size):
    """Megabytes of memory and of disk of one data set in a study."""
    found = {task: both for (dataset, task), both in study.cells.items() if dataset == name}
    cells = list(found.values())
    noises = [config["noises"][noise_id] for ids, _ in cells for noise_id in ids]
    methods = {method for _, ids in cells for method in ids}
    encoded = all(takes_encoded(study.methods[method]) for method in methods)
    splits = n_splits(study.protocol)
    rows = splits * sum(len(ids) * len(names) for ids, names in cells)
    model = max(
        fits.largest_model(
            [study.methods[method] for method in names], size, task, study.protocol, [config["noises"][i] for i in ids]
        )
        for task, (ids, names) in found.items()
    )
    return {
        "megabytes": fits.megabytes(size, study.protocol, encoded, needs_features(noises), model),
        "disk": fits.disk(size, splits * len(noises), rows),
    }
