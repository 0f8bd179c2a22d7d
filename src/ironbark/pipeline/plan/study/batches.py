"""Batches of fits: those of a task that share their code, up to a limit of cost."""

import functools
from dataclasses import replace

from ironbark.criteria import CRITERIA
from ironbark.pipeline.job_specs import Part
from ironbark.pipeline.plan.config.estimators import class_name, criteria_of, is_ours, modules
from ironbark.pipeline.plan.cost.fits import seconds, size_of
from ironbark.pipeline.plan.keys import is_own, packages_of, versions
from ironbark.pipeline.protocols import per_repeat
from ironbark.pipeline.protocols.searches import chooser

FROM_PACKS = 10  # times as long may a job be if packs are imported: most of its fits are copied then
LEAST = 0.1  # share of the longest time of a job below which it is dear because it has to start


def merged(blocks) -> dict:
    """(data set, task) -> noises and methods of all its blocks (data set, task, noises, methods), each id once."""
    cells = {}
    for dataset, task, noises, methods in blocks:
        both = cells.setdefault((dataset, task), ([], []))
        for ids, new in zip(both, (noises, methods), strict=True):
            ids += [one for one in new if one not in ids]
    return cells


def batches(config, blocks, methods, protocol) -> dict[str, tuple[Part, ...]]:
    """The fits of each job, by the path of its output below the study's folder "fits", without ending."""
    # Fits that compute with the same libraries are merged, unless together they are too long for a job.
    # The fits of a data set by methods that share their code stay together. Those that take less time than a job should
    # at least share one; those that take longer than a job should at most are cut by noises, and these by method.
    settings = config["settings"]
    limit = settings.get("batch_minutes", 10) * 60 * (FROM_PACKS if settings.get("packs") else 1)

    @functools.cache
    def cost_of(part):
        return seconds_of(part, size_of(config["datasets"][part.dataset]), methods, protocol)

    def cost(parts):
        return sum(map(cost_of, parts))

    result, small = {}, {}
    for (dataset, task, group), parts in _grouped(blocks, methods).items():
        if cost(parts) <= limit * LEAST:
            small.setdefault((task, _libraries(parts, methods)), []).append(parts)
        else:
            result |= _cut(f"{dataset}/{task}", parts, group, methods, cost, limit)
    for alike in small.values():
        for parts in _filled(alike, cost, limit * LEAST):
            first, name = parts[0], parts[0].methods[0]
            result[f"{first.dataset}/{first.task}/{_group(methods[name], name)}"] = _joined(parts)
    return result


def _joined(parts):
    """Parts of which no two have the same data set and noises, so that a job prepares the features of a split once."""
    names = {}
    for part in parts:
        names.setdefault(replace(part, methods=()), []).extend(part.methods)
    return tuple(replace(part, methods=tuple(dict.fromkeys(ids))) for part, ids in names.items())


def _grouped(blocks, methods):
    """(data set, task, group of methods) -> parts."""
    groups = {}
    for dataset, task, noises, names in blocks:
        members = {}
        for name in names:
            members.setdefault(_group(methods[name], name), []).append(name)
        for group, ids in members.items():
            part = Part(dataset, task, tuple(noises), tuple(ids))
            groups[dataset, task, group] = (*groups.get((dataset, task, group), ()), part)
    return groups


def _libraries(parts, methods):
    """Distributions whose versions are in the rows of some parts, and methods of a user's class, which may fail."""
    behind = {name: modules(methods[name]) for part in parts for name in part.methods}
    own = [name for name, names in behind.items() if any(map(is_own, names))]
    return (*versions(*packages_of(sorted({module for names in behind.values() for module in names}))), *own)


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
    each = (seconds(methods[name], size, part.task, protocol, is_chosen(part, name, methods)) for name in part.methods)
    return n_splits(protocol) * len(part.noises) * sum(each)


def n_splits(protocol):
    """Number of splits of a data set: each method is fitted once to each under each noise."""
    return protocol["repeats"] * per_repeat(protocol["options"])


def is_chosen(part, name, methods):
    """Whether another method of the part chooses the parameters of this one."""
    return chooser(name, part.methods, methods) is not None


def _cut(place, parts, group, methods, cost, limit):
    """Batches of one data set and task."""
    if cost(parts) <= limit:
        return {f"{place}/{group}": parts}
    noises = dict.fromkeys(noise_id for part in parts for noise_id in part.noises)
    result = {}
    under = [[replace(part, noises=(name,)) for part in parts if name in part.noises] for name in noises]
    for some in _filled(under, cost, limit):
        ids = list(dict.fromkeys(part.noises[0] for part in some))
        name = ids[0] if len(ids) == 1 else f"{ids[0]}-to-{ids[-1]}"
        if len(ids) > 1 or cost(some) <= limit:
            result[f"{place}/{group}--{name}"] = some
        else:
            alone = [replace(part, methods=names) for part in some for names in _choosing_alike(part.methods, methods)]
            result |= {f"{place}/{part.methods[0]}--{name}": (part,) for part in alone}
    return result


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
    criteria = criteria_of(method)
    if not criteria:
        return class_name(method).removesuffix("Classifier").lower()
    return criteria[0].replace("_", "-") if len(criteria) == 1 and criteria[0] in CRITERIA else name
