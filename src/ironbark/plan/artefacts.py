"""Tables and figures that a study asks for, checked to show only what its grids run."""

from ironbark.analysis import metrics
from ironbark.analysis.kinds import FIGURE_KINDS, PRINTED_DATASETS, TABLE_KINDS
from ironbark.errors import InputError
from ironbark.plan.config import suggestion

KINDS = {"table": TABLE_KINDS, "figure": FIGURE_KINDS}

#: Figure kind -> keys that it cannot do without.
NEEDED = {"transition-matrix": ("dataset", "task", "noises"), "datasets": ("printed",)}

#: Kinds for which the task means nothing.
NO_TASK = ("datasets", "comparison-scatter")


def kept(study_id, word, entry, grids, cells):
    """Specs of the tables or figures of a study that have something to show at this scale.

    Parameters
    ----------
    study_id : str
    word : {"table", "figure"}
    entry : dict
        The study in the configuration.
    grids, cells : dict
        (data set, task) -> (noise ids, method ids), without and with the caps of the scale.

    Returns
    -------
    dict
        Id -> spec; noises that the scale leaves out are left out here too.

    Raises
    ------
    InputError
        If a spec has an unknown kind or metric, lacks a key, names what is in none of its grids, or mixes both tasks.
    """
    result = {}
    for name, spec in entry.get(f"{word}s", {}).items():
        where = f"study {study_id!r}, {word} {name!r}"
        try:
            _check(word, spec, entry, grids)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        found = _shown(spec, cells)
        if spec["kind"] not in NO_TASK and "task" not in spec and len({task for _, task in found}) > 1:
            raise InputError(f"{where} mixes both tasks; set `task` to one of them")
        run = {noise for noises, _ in found.values() for noise in noises}
        noises = [noise for noise in spec.get("noises", run) if noise in run]
        if noises:
            result[name] = {**spec, "noises": noises} if "noises" in spec else spec
    return result


def _shown(spec, cells):
    wanted = [spec["dataset"]] if "dataset" in spec else spec.get("datasets")
    return {
        cell: both
        for cell, both in cells.items()
        if spec.get("task") in (None, cell[1]) and (wanted is None or cell[0] in wanted)
    }


def _check(word, spec, entry, grids):
    kind = spec["kind"]
    if kind not in KINDS[word]:
        hint = suggestion(kind, KINDS[word]) or f"; choose one of {', '.join(KINDS[word])}"
        raise InputError(f"unknown kind {kind!r}{hint}")
    metrics.resolve(spec.get("metric", "accuracy"))
    for key in NEEDED.get(kind, ()):
        if key not in spec:
            raise InputError(f"a {kind} needs the key {key!r}; add it")
    if spec.get("printed", "ane") not in PRINTED_DATASETS:
        hint = suggestion(spec["printed"], PRINTED_DATASETS) or f"; choose one of {', '.join(PRINTED_DATASETS)}"
        raise InputError(f"unknown printed table {spec['printed']!r}{hint}")
    if kind == "comparison-scatter" and "compare" not in entry:
        raise InputError("a comparison-scatter needs printed numbers; add the key 'compare' to the study")
    for dataset in [*spec.get("datasets", ()), *filter(None, [spec.get("dataset")])]:
        refuse_unknown("data set", dataset, {name for name, _ in grids})
    shown = _shown(spec, grids)
    if not shown:
        raise InputError("no grid runs its data sets on its task; correct `task` or the data sets")
    for place, key in ((0, "noise"), (1, "method")):
        for name in spec.get(f"{key}s", ()):
            refuse_unknown(key, name, {known for both in shown.values() for known in both[place]})


def refuse_unknown(kind, name, known):
    """InputError unless `name` is in `known`, the ids of the grids that are looked at."""
    if name not in known:
        hint = suggestion(name, known) or f"; there are {', '.join(sorted(known))}"
        raise InputError(f"{kind} {name!r} is in none of its grids{hint}")
