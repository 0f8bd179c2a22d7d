"""Which fits run together: those of a data set and task that share their code, as long as they are cheap together."""

import math
from dataclasses import dataclass, field

from ironbark.plan.estimators import criteria_of, is_ours


@dataclass
class Batch:
    """Fits of one data set and task that one job runs.

    Attributes
    ----------
    name : str
        File name of the job's output, without ending.
    noises, methods : list of str
        Ids; every method meets every noise.
    """

    dataset: str
    task: str
    name: str
    noises: list = field(default_factory=list)
    methods: list = field(default_factory=list)


def batches(config, cells, methods, protocol):
    """Merge the fits of a data set and task that share their code, unless together they are too long for a job."""
    limit = config["settings"].get("batch_minutes", 10) * 60
    result = []
    for (dataset, task), (noises, names) in cells.items():
        size = config["datasets"][dataset].get("expect", {})
        groups = {}
        for name in names:
            groups.setdefault(_group(methods[name], name), []).append(name)
        for group, members in groups.items():
            fits = protocol["repeats"] * protocol["options"].get("folds", 1)
            cost = {name: fits * seconds(methods[name], size, protocol) for name in members}
            if sum(cost.values()) * len(noises) <= limit:
                result.append(Batch(dataset, task, group, list(noises), members))
                continue
            for noise_id in noises:
                if sum(cost.values()) <= limit:
                    result.append(Batch(dataset, task, f"{group}--{noise_id}", [noise_id], members))
                else:
                    result += [Batch(dataset, task, f"{name}--{noise_id}", [noise_id], [name]) for name in members]
    return result


def _group(method, name):
    found = criteria_of(method) if is_ours(method) else []
    return found[0].replace("_", "-") if len(found) == 1 else name


def seconds(method, size, protocol):
    """Rough CPU seconds of one fit, from the size of the data set; unknown sizes count as small."""
    n, d = size.get("n", 1000), size.get("d", 20)
    n = min(n, protocol["options"].get("max_train") or n)
    trees = method["params"].get("n_estimators", 0)
    columns = trees * math.ceil(math.sqrt(d)) if trees else d
    fits = math.prod(len(values) for values in method["tune"].get("grid", {}).values()) if method["tune"] else 1
    return 2e-8 * n * columns * math.log2(n + 2) * fits + 0.002 * max(trees, 1)
