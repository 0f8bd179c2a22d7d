"""Batches of fits: those of a task that share their code, up to a limit of cost."""

import functools
from dataclasses import dataclass, replace

from ironbark.criteria import CRITERIA
from ironbark.pipeline.plan.config.estimators import class_name, criteria_of, is_ours
from ironbark.pipeline.plan.cost.fits import seconds, size_of
from ironbark.pipeline.protocols import per_repeat
from ironbark.pipeline.protocols.searches import chooser

FROM_PACKS = 10  # times as long may a job be if packs are imported: most of its fits are copied then
LEAST = 0.1  # share of the longest time of a job below which it is dear because it has to start


@dataclass(frozen=True)
class Part:
    """Fits of one data set and task; every method meets every noise."""

    dataset: str
    task: str
    noises: tuple
    methods: tuple


@dataclass(frozen=True)
class Batch:
    """Fits that one job runs.

    Attributes
    ----------
    name : str
        Path of the job's output below the study's folder ``fits``, without ending.
    parts : tuple of Part
    """

    name: str
    parts: tuple


def batches(config, blocks, methods, protocol):
    """Merge fits that share their code, unless together they are too long for a job.

    Data sets go together while they take less time than a job should at least. One that would take longer than a job
    should at most is cut by noises, and these by method.
    """
    settings = config["settings"]
    limit = settings.get("batch_minutes", 10) * 60 * (FROM_PACKS if settings.get("packs") else 1)
    groups = {}
    for dataset, task, noises, names in blocks:
        members = {}
        for name in names:
            members.setdefault(_group(methods[name], name), []).append(name)
        for group, found in members.items():
            groups.setdefault((task, group), []).append(Part(dataset, task, tuple(noises), tuple(found)))

    @functools.cache
    def cost_of(part):
        return seconds_of(part, size_of(config["datasets"][part.dataset]), methods, protocol)

    def cost(parts):
        return sum(map(cost_of, parts))

    result = []
    for (task, group), parts in groups.items():
        datasets = [
            [part for part in parts if part.dataset == name] for name in dict.fromkeys(part.dataset for part in parts)
        ]
        bins = _filled(datasets, cost, limit * LEAST)
        for found in bins:
            if len({part.dataset for part in found}) > 1:
                first = f"--{found[0].dataset}" * (len(bins) > 1)
                result.append(Batch(f"{task}/{group}{first}", found))
            elif len(bins) == 1 and cost(found) <= limit * LEAST:
                result.append(Batch(f"{task}/{group}", found))
            else:
                result += _cut(f"{found[0].dataset}/{task}", found, group, methods, cost, limit)
    return result


def _filled(groups, cost, most):
    """Tuples that hold the parts of neighbouring groups, each filled until the next one would cost too much."""
    bins, room = [], 0.0
    for group in groups:
        needed = cost(group)
        if needed <= room:
            bins[-1] += tuple(group)
            room -= needed
        else:
            bins.append(tuple(group))
            room = most - needed
    return bins


def seconds_of(part, size, methods, protocol):
    """Estimated CPU seconds of all fits of a part; `size` is that of `ironbark.pipeline.plan.cost.fits.seconds`."""
    return (
        n_splits(protocol)
        * len(part.noises)
        * sum(
            seconds(methods[name], size, part.task, protocol, is_chosen(part, name, methods)) for name in part.methods
        )
    )


def n_splits(protocol):
    """Number of splits of a data set: each method is fitted once to each under each noise."""
    return protocol["repeats"] * per_repeat(protocol["options"])


def is_chosen(part, name, methods):
    """Whether another method of the part chooses the parameters of this one."""
    return chooser(name, part.methods, methods) is not None


def _cut(place, parts, group, methods, cost, limit):
    """Batches of one data set and task."""
    if cost(parts) <= limit:
        return [Batch(f"{place}/{group}", parts)]
    noises = dict.fromkeys(noise_id for part in parts for noise_id in part.noises)
    found = []
    for some in _filled([_under(parts, noise_id) for noise_id in noises], cost, limit):
        ids = list(dict.fromkeys(part.noises[0] for part in some))
        name = ids[0] if len(ids) == 1 else f"{ids[0]}-to-{ids[-1]}"
        if len(ids) > 1 or cost(some) <= limit:
            found.append(Batch(f"{place}/{group}--{name}", some))
        else:
            alone = [replace(part, methods=names) for part in some for names in _choosing_alike(part.methods, methods)]
            found += [Batch(f"{place}/{part.methods[0]}--{name}", (part,)) for part in alone]
    return found


def _under(parts, noise_id):
    """The fits under one noise."""
    return tuple(replace(part, noises=(noise_id,)) for part in parts if noise_id in part.noises)


def _choosing_alike(names, methods):
    """Tuples of the names: what another one chooses for goes with it."""
    groups = {}
    for name in names:
        groups.setdefault(chooser(name, names, methods) or name, []).append(name)
    return map(tuple, groups.values())


def _group(method, name):
    """Name of what shares its code: a criterion of ours, a booster of ours, or a method by itself."""
    if not is_ours(method):
        return name
    found = criteria_of(method)
    if not found:
        return class_name(method).removesuffix("Classifier").lower()
    return found[0].replace("_", "-") if len(found) == 1 and found[0] in CRITERIA else name
