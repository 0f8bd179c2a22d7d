"""Specification of the job that estimates the cost of studies."""

from collections.abc import Iterator
from pathlib import Path

from ironbark.pipeline.job_specs import text
from ironbark.pipeline.plan.cost import fits
from ironbark.pipeline.plan.study.batches import is_chosen, n_splits

#: Columns of the cells in a spec; seconds are those of a fit, as planned.
COLUMNS = ("study", "scale", "batch", "dataset", "task", "noise_id", "method", "fits", "seconds")


def spec(plan, studies: list[str], cores: int, prepared="data/prepared") -> str:
    """Everything that `ironbark.pipeline.jobs.estimate` needs, as JSON text."""
    asked = [plan.study(study, plan.settings["scale"]) for study in studies]
    sizes = {name: fits.size_of(entry, Path(prepared, name)) for name, entry in plan.config["datasets"].items()}
    return text(
        {
            "cores": cores,
            "columns": COLUMNS,
            "guessed": sorted({name for study in asked for name in study.datasets if "n" not in sizes[name]}),
            "studies": [_summary(study, sizes) for study in asked],
            "cells": [cell for study in asked for cell in cells(study, sizes)],
        }
    )


def cells(study, sizes: dict) -> Iterator[list]:
    """Rows of `COLUMNS` of a study; a choice of parameters that methods share counts once."""
    splits = n_splits(study.protocol)
    for batch, parts in study.batches.items():
        for part in parts:
            for name in part.methods:
                chosen = is_chosen(part, name, study.methods)
                seconds = fits.seconds(study.methods[name], sizes[part.dataset], part.task, study.protocol, chosen)
                for noise_id in part.noises:
                    ids = study.id, study.scale, batch, part.dataset, part.task, noise_id, name
                    yield [*ids, splits, seconds]


def _summary(study, sizes):
    """Number of jobs that train nothing, and megabytes of memory and disk of each data set."""
    others = len(study.cells) + 2 * len(study.datasets) + sum(map(bool, study.shown.values())) + 2
    datasets, splits = {}, n_splits(study.protocol)
    for name in study.datasets:
        members = [both for (dataset, _), both in study.cells.items() if dataset == name]
        methods = {method: study.methods[method] for _, ids in members for method in ids}
        labels = splits * sum(len(noises) for noises, _ in members)
        rows = splits * sum(len(noises) * len(ids) for noises, ids in members)
        memory = fits.megabytes(sizes[name], study.protocol, methods.values())
        datasets[name] = {"megabytes": memory, "disk": fits.disk(sizes[name], labels, rows)}
    about = {name: getattr(study, name) for name in ("scale", "caps", "alone")}
    return {"study": study.id, **about, "others": others, "datasets": datasets}
