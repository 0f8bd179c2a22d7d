"""What the job that estimates the cost of studies is told."""

import contextlib
from pathlib import Path

from ironbark import noise
from ironbark.errors import InputError
from ironbark.plan import cost
from ironbark.plan.study import SCALES, text
from ironbark.protocols.methods import takes_encoded

#: Columns of the cells in a spec.
COLUMNS = ("study", "scale", "batch", "dataset", "task", "noise_id", "method", "fits", "seconds")


def spec(plan, studies, cores, results="results"):
    """Everything that `ironbark.jobs.estimate` needs, as JSON text.

    Parameters
    ----------
    plan : ironbark.plan.specs.Plan
    studies : list of str
        Studies to estimate at the scale of the settings.
    cores : int
    results : path
        Folder in which studies have run before: their fits calibrate the estimate.

    Returns
    -------
    str
        Keys cores, columns, studies (list of dicts with study, scale, caps, others: number of
        jobs that train nothing, datasets: id -> megabytes and disk),
        cells (rows of `COLUMNS`; seconds as planned) and known (such rows of what has run).
    """
    scale = plan.settings["scale"]
    asked = [plan.study(study, scale) for study in studies]
    return text(
        {
            "cores": cores,
            "columns": COLUMNS,
            "studies": [_about(plan, study) for study in asked],
            "cells": [cell for study in asked for cell in cells(plan.config, study)],
            "known": known(plan, results),
        }
    )


def cells(config, study):
    """Rows of `COLUMNS` of a study, one for each of its cells."""
    splits = _splits(study.protocol)
    for batch in study.batches:
        for part in batch.parts:
            size = cost.size_of(config["datasets"][part.dataset])
            for noise_id in part.noises:
                about = config["noises"][noise_id]
                for name in part.methods:
                    seconds = cost.seconds(study.methods[name], size, part.task, study.protocol, about)
                    ids = study.id, study.scale, batch.name, part.dataset, part.task, noise_id, name
                    yield [*ids, splits, seconds]


def _splits(protocol):
    return protocol["repeats"] * protocol["options"].get("folds", 1)


def known(plan, results):
    """Rows of `COLUMNS` of all studies and scales with result rows on disk."""
    found = []
    for study in plan.config["studies"]:
        for scale in SCALES:
            if Path(results, study, scale, "shards").is_dir():
                with contextlib.suppress(InputError):  # edited since: its own run will say what is wrong
                    found += cells(plan.config, plan.study(study, scale))
    return found


def _about(plan, study):
    labels = sum(len(noises) for noises, _ in study.cells.values())
    others = labels + 2 * len(study.datasets) + len(study.tables) + len(study.figures) + 2
    found = {name: _dataset(plan.config, study, name) for name in study.datasets}
    return {"study": study.id, "scale": study.scale, "caps": study.caps, "others": others, "datasets": found}


def _dataset(config, study, name):
    """Megabytes of memory and of disk of one data set in a study."""
    cells = [both for (dataset, _), both in study.cells.items() if dataset == name]
    noises = [noise_id for ids, _ in cells for noise_id in ids]
    methods = {method for _, ids in cells for method in ids}
    looks = any(noise.resolve(config["noises"][noise_id]["model"])[1].needs_features for noise_id in noises)
    encoded = all(takes_encoded(study.methods[method]) for method in methods)
    size, splits = cost.size_of(config["datasets"][name]), _splits(study.protocol)
    rows = splits * sum(len(ids) * len(names) for ids, names in cells)
    return {
        "megabytes": cost.megabytes(size, study.protocol, encoded, looks),
        "disk": cost.disk(size, splits * len(noises), rows),
    }
