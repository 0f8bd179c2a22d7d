"""Which fits run together: those of a task that share their code, as long as they are cheap together."""

from dataclasses import dataclass, replace

from ironbark.criteria import CRITERIA
from ironbark.plan.cost import seconds, size_of
from ironbark.plan.estimators import criteria_of, is_ours
from ironbark.protocols import per_repeat
from ironbark.protocols.searches import chooser

START = 60  # estimated seconds below which a job is dear because it has to start


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
        Path of the job's output below the study's shards, without ending.
    parts : tuple of Part
    """

    name: str
    parts: tuple


def batches(config, blocks, methods, protocol):
    """Merge fits that share their code, unless together they are too long for a job.

    Those of all data sets go together if they take less time than a job should at least; else each data set has a
    batch, which is cut by noise, then by method, where it would take longer than a job should at most.
    """
    limit = config["settings"].get("batch_minutes", 10) * 60
    groups = {}
    for dataset, task, noises, names in blocks:
        members = {}
        for name in names:
            members.setdefault(_group(methods[name], name), []).append(name)
        for group, found in members.items():
            groups.setdefault((task, group), []).append(Part(dataset, task, tuple(noises), tuple(found)))

    def cost(part):
        return seconds_of(config, part, size_of(config["datasets"][part.dataset]), methods, protocol)

    result = []
    for (task, group), parts in groups.items():
        if sum(map(cost, parts)) <= min(START, limit):
            result.append(Batch(f"{task}/{group}", tuple(parts)))
        else:
            for dataset in dict.fromkeys(part.dataset for part in parts):
                own = tuple(part for part in parts if part.dataset == dataset)
                result += _cut(f"{dataset}/{task}", own, group, methods, cost, limit)
    return result


def seconds_of(config, part, size, methods, protocol):
    """Estimated CPU seconds of all fits of a part; `size` is that of `ironbark.plan.cost.seconds`."""
    splits = protocol["repeats"] * per_repeat(protocol["options"])
    noises = [config["noises"][noise_id] for noise_id in part.noises]
    return splits * sum(
        seconds(methods[name], size, part.task, protocol, noise, is_chosen(part, name, methods))
        for name in part.methods
        for noise in noises
    )


def is_chosen(part, name, methods):
    """Whether another method of the part chooses the parameters of this one."""
    return chooser(name, part.methods, methods) is not None


def _cut(place, parts, group, methods, cost, limit):
    """Batches of one data set and task."""
    if sum(map(cost, parts)) <= limit:
        return [Batch(f"{place}/{group}", parts)]
    found = []
    for noise_id in dict.fromkeys(noise_id for part in parts for noise_id in part.noises):
        one = tuple(replace(part, noises=(noise_id,)) for part in parts if noise_id in part.noises)
        if sum(map(cost, one)) <= limit:
            found.append(Batch(f"{place}/{group}--{noise_id}", one))
        else:
            alone = [replace(part, methods=names) for part in one for names in _choosing_alike(part.methods, methods)]
            found += [Batch(f"{place}/{part.methods[0]}--{noise_id}", (part,)) for part in alone]
    return found


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
        return method["estimator"].rpartition(".")[2].removesuffix("Classifier").lower()
    return found[0].replace("_", "-") if len(found) == 1 and found[0] in CRITERIA else name
