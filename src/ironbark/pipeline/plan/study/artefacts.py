"""Tables and figures that a study asks for, checked to show only what its grids run."""

from functools import partial

from ironbark import noise
from ironbark.entries import distinct, suggestion
from ironbark.errors import InputError, located
from ironbark.pipeline import metrics
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.published import CURVES, PAPERS, of_artefact
from ironbark.pipeline.tables import TABLES
from ironbark.pipeline.tables.kinds import check_series

KINDS = {"table": TABLES, "figure": FIGURES}


def check(study_id: str, entry: dict, grids: dict):
    """Raise InputError for a table or figure that its study cannot make with all of its data sets."""
    with located(f"study {study_id!r}, dataset_labels or despite"):
        known = {*(name for name, _ in grids), *filter(None, entry.get("if_absent", {}).values())}
        for name in [*entry.get("dataset_labels", {}), *entry.get("compare", {}).get("despite", {})]:
            refuse_unknown("data set", name, known)
    for category in KINDS:
        for name, spec in entry.get(f"{category}s", {}).items():
            with located(f"study {study_id!r}, {category} {name!r}"):
                _check(category, spec, entry, grids)
                if fault := _fault(category, spec, grids):
                    raise InputError(fault)


def kept(study_id: str, category: str, entry: dict, cells: dict) -> dict:
    """Specs of the tables or figures of a study that have something to show in a run."""
    result = {}
    for name, written in entry.get(f"{category}s", {}).items():
        spec = {key: value for key, value in written.items() if key != "artefact"}
        where, kind = f"study {study_id!r}, {category} {name!r}", KINDS[category][spec["kind"]]
        at_scale = partial(_at_scale, cells, where, kind.one_task)
        left = at_scale(spec)
        for key in ("panels", "series"):
            if left and key in spec:
                left = left | {key: [part for part in spec[key] if at_scale(spec | part)]}
        if left and all(left.get(key, True) for key in ("panels", "series")) and not _fault(category, left, cells):
            result[name] = left
    return result


def joined(category: str, spec: dict, cells: dict, added: dict) -> dict:
    """A table or figure that lists ids, with the added ones of the grids that it shows."""
    kind = KINDS[category][spec["kind"]]
    if kind.data not in ("rows", "labels"):
        return spec
    spec = longer(spec, "datasets", _sets_like(spec, cells, added["datasets"]))
    noises, methods = ({id for both in _shown(spec, cells).values() for id in both[place]} for place in (0, 1))
    if not kind.chosen_noises:
        spec = longer(spec, "noises", [name for name in added["noises"] if name in noises])
    spec = longer(spec, "methods", [name for name in added["methods"] if name in methods])
    if "panels" not in spec:
        return spec
    shown = [{id for _, ids in _shown(spec | panel, cells).values() for id in ids} for panel in spec["panels"]]
    new = [[name for name in added["methods"] if name in ids & shown[0]] for ids in shown]  # the first has the legend
    return spec | {"panels": [longer(panel, "methods", ids) for panel, ids in zip(spec["panels"], new, strict=True)]}


def _sets_like(spec, cells, names):
    """Those of some data sets that have results of the task of a spec, and none of another one."""
    tasks = {task for _, task in _shown(spec, cells)}
    wanted = [cell for cell in cells if spec.get("task") in (None, cell[1])]
    own = {name: {task for other, task in wanted if other == name} for name in names}
    return [name for name, can in own.items() if can and can <= tasks]


def longer(spec, key, names):
    """A spec with these ids at the end of its list, if it has that list."""
    return spec if key not in spec else spec | {key: list(dict.fromkeys([*spec[key], *names]))}


def remarks(study, config):
    """One sentence for each table and figure of a study that a run does not make, as a list of str."""
    entry = config["studies"].get(study.id, {})  # a part of a study that is run alone has no entry
    return [
        f"study {study.id!r} makes no {category} {name!r} in this run, which has too few data sets, noises or methods"
        for category in KINDS
        for name in entry.get(f"{category}s", {})
        if name not in study.shown[category]
    ]


def _fault(category, spec, cells):
    """Why a table or figure could not be made of these cells even if all fits succeeded; empty if it could."""
    name, shown = spec["kind"], chosen(spec, cells).values()
    if KINDS[category][name].compares and not any(len(methods) > 1 for _, methods in shown):
        return f"the kind {name!r} needs two methods on a data set; add what is missing, or leave it out"
    return ""


def chosen(spec, cells):
    """Those cells that a spec shows, with the noises and methods that it shows."""
    wanted = spec.get("noises"), spec.get("methods")
    if "reference" in spec and wanted[1]:
        wanted = wanted[0], [spec["reference"], *wanted[1]]
    return {
        cell: tuple(
            [name for name in ids if names is None or name in names] for ids, names in zip(both, wanted, strict=True)
        )
        for cell, both in _shown(spec, cells).items()
    }


def _at_scale(cells, where, one_task, spec):
    """A spec without the noises and methods that a run does not have; None if none is left."""
    shown = _shown(spec, cells)
    tasks = {task for _, task in shown}
    if len(tasks) > 1 and "task" not in spec and "panels" not in spec and one_task:
        raise InputError(f"{where} mixes both tasks; set `task` to one of them")
    noises, methods = ({name for both in shown.values() for name in both[place]} for place in (0, 1))
    left = {
        "noises": [name for name in spec.get("noises", noises) if name in noises],
        "methods": [name for name in spec.get("methods", methods) if name in methods],
        "pairs": [pair for pair in spec.get("pairs", ["all"]) if pair == "all" or methods.issuperset(pair)],
    }
    return {**spec, **{key: left[key] for key in left if key in spec}} if all(left.values()) else None


def _shown(spec, cells):
    wanted = [spec["dataset"]] if "dataset" in spec else spec.get("datasets")
    return {
        cell: both
        for cell, both in cells.items()
        if spec.get("task") in (None, cell[1]) and (wanted is None or cell[0] in wanted)
    }


def _check(category, spec, entry, grids):
    name = spec["kind"]
    kind = KINDS[category][name]
    _check_keys(category, spec, kind, grids)
    if kind.compared:
        _check_compared(name, {paper for paper, _ in kind.published.values()}, entry)
    if ("paper" in spec) != ("printed_methods" in spec) and ("", CURVES) in kind.published.values():
        raise InputError("`paper` and `printed_methods` (published method -> our method id) go together; give both")
    for dataset in [*spec.get("datasets", ()), *filter(None, [spec.get("dataset")])]:
        refuse_unknown("data set", dataset, {name for name, _ in grids})
    for line in spec.get("series", ()):
        check_series(spec, line)
    methods = [*spec.get("pairs", ()), *([spec[key]] for key in ("reference", "risk_of") if key in spec)]
    for part in [*spec.get("panels", [{}]), *spec.get("series", ()), *({"methods": names} for names in methods)]:
        _check_shown(spec | part, grids)
    ours = list(spec.get("printed_methods", {}).values())
    if "printed_methods" in kind.needs and len({*ours}) < len(ours):
        raise InputError("`printed_methods` names one of our methods twice; give each a published one of its own")
    for name in ours:
        refuse_unknown("method", name, {method for _, methods in grids.values() for method in methods})
    model, _ = noise.resolve(spec.get("line", "uniform"))
    if model != spec.get("line", model):  # it is compared with that in result rows
        raise InputError(f"`line` names the noise model {spec['line']!r}; write it as {model!r}")


def _check_keys(category, spec, kind, grids):
    """Keys that are missing or of other kinds, and the noises of a kind that shows one."""
    for key in kind.needs:
        if key not in spec:
            raise InputError(f"a {spec['kind']} needs the key {key!r}; add it")
    special = {key for other in KINDS[category].values() for key in (*other.needs, *other.options)} - {"task", "noises"}
    for key in sorted((spec.keys() & special) - {*kind.needs, *kind.options}):
        raise InputError(f"the kind {spec['kind']!r} takes no key {key!r}; leave it out")
    noises = {id for ids, _ in chosen(spec, grids).values() for id in ids}
    if kind.one_noise and len(noises) > 1:
        raise InputError(
            f"the kind {spec['kind']!r} shows one noise; set `noises` to one of {', '.join(sorted(noises))}"
        )


def _check_compared(name, papers, entry):
    """Kinds that show published values need a study that is compared with these."""
    if "compare" not in entry:
        raise InputError(f"a {name} needs published values; add the key 'compare' to the study")
    if papers and entry["compare"]["published"] not in papers:
        wanted = ", ".join(sorted(papers))
        raise InputError(f"a {name} shows the published values of {wanted!r}; compare the study with these")


def _check_shown(spec, grids):
    """Metric, task, noises and methods of a spec or of one of its panels."""
    for name in [spec.get("metric", "accuracy"), *spec.get("metrics", ())]:
        metrics.resolve(name)
    shown = _shown(spec, grids)
    if not shown:
        raise InputError("no grid runs its data sets on its task; correct `task` or the data sets")
    for place, key in ((0, "noise"), (1, "method")):
        for name in spec.get(f"{key}s", ()):
            refuse_unknown(key, name, {known for both in shown.values() for known in both[place]})


def refuse_unknown(kind, name, known):
    """InputError unless `name` is in `known`, the ids of the grids that are looked at."""
    if name not in known:
        raise InputError(f"{kind} {name!r} is in none of its grids; add it to one; {suggestion(name, sorted(known))}")


def as_published(names: dict, spec: dict) -> dict:
    """Names in which the methods of a paper's own table or figure are called as in the paper."""
    if "artefact" not in spec:
        return names
    own = PAPERS[of_artefact(spec["artefact"])].names
    return names | {"labels": {name: own.get(label, label) for name, label in names["labels"].items()}}


def told_apart(names: dict, spec: dict, kind) -> dict:
    """Names in which methods of one label are shown with their ids, such as tree and forest of a criterion."""
    shown = {name: names["labels"].get(name, name) for name in spec.get("methods", ())}
    apart = {name: label for name, label in distinct(shown).items() if label != shown[name]}
    if not apart or kind.repeats_labels:
        return names
    return names | {"labels": names["labels"] | apart}
