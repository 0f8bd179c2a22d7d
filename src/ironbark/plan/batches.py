"""Which fits run together: those of a task that share their code, as long as they are cheap together."""

from dataclasses import dataclass, replace

from ironbark.criteria import CRITERIA
from ironbark.plan.cost import seconds, size_of
from ironbark.plan.estimators import criteria_of, is_ours

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


def batches(config, cells, methods, protocol):
    """Merge fits that share their code, unless together they are too long for a job.

    Those of all data sets go together if they take less time than a job should at least; else each data set has a
    batch, which is cut by noise, then by method, where it would take longer than a job should at most.
    """
    limit = config["settings"].get("batch_minutes", 10) * 60
    groups = {}
    for (dataset, task), (noises, names) in cells.items():
        members = {}
        for name in names:
            members.setdefault(_group(methods[name], name), []).append(name)
        for group, found in members.items():
            groups.setdefault((task, group), []).append(Part(dataset, task, tuple(noises), tuple(found)))

    def cost(part):
        size, splits = (
            size_of(config["datasets"][part.dataset]),
            protocol["repeats"] * protocol["options"].get("folds", 1),
        )
        return splits * sum(
            seconds(methods[name], size, part.task, protocol, config["noises"][noise_id])
            for name in part.methods
            for noise_id in part.noises
        )

    result = []
    for (task, group), parts in groups.items():
        if sum(map(cost, parts)) <= min(START, limit):
            result.append(Batch(f"{task}/{group}", tuple(parts)))
        else:
            result += [batch for part in parts for batch in _cut(part, group, cost, limit)]
    return result


def _cut(part, group, cost, limit):
    """Batches of one data set and task."""
    place = f"{part.dataset}/{part.task}"
    if cost(part) <= limit:
        return [Batch(f"{place}/{group}", (part,))]
    found = []
    for noise_id in part.noises:
        one = replace(part, noises=(noise_id,))
        if cost(one) <= limit:
            found.append(Batch(f"{place}/{group}--{noise_id}", (one,)))
        else:
            found += [Batch(f"{place}/{name}--{noise_id}", (replace(one, methods=(name,)),)) for name in part.methods]
    return found


def _group(method, name):
    found = criteria_of(method) if is_ours(method) else []
    return found[0].replace("_", "-") if len(found) == 1 and found[0] in CRITERIA else name
