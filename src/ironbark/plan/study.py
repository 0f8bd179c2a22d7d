"""From the configuration to what there is to do: which labels, which fits, which tables and figures.

Everything here is a pure function of the configuration: no data is read and no job runs, and equal configurations give
equal plans. Fits that share their code are merged into one batch, a job, as long as they are cheap together.
"""

import json
import math
from dataclasses import dataclass, field

from ironbark import criteria, noise, protocols
from ironbark.analysis.kinds import FIGURE_KINDS, TABLE_KINDS
from ironbark.errors import InputError
from ironbark.plan.config import lookup, suggestion
from ironbark.plan.fingerprint import fingerprint

TASKS = ("binary", "multiclass")
SCALES = ("smoke", "lite", "full")
RUNNER = ("ironbark.jobs.shard",)  # what every fit depends on


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


@dataclass
class Study:
    """A study at one scale, with everything resolved.

    Attributes
    ----------
    id, scale, title : str
    protocol : dict
        Keys kind, repeats, options.
    methods : dict
        Method id -> resolved entry (estimator, params, tune, label), caps of the scale included.
    cells : dict
        (data set, task) -> (noise ids, method ids), in the order of the study.
    batches : list of Batch
    tables, figures : dict
        Id -> spec.
    caps : str
        What the scale caps, in words; empty for nothing.
    """

    id: str
    scale: str
    title: str
    protocol: dict
    methods: dict
    cells: dict
    batches: list
    tables: dict
    figures: dict
    compare: dict
    caps: str

    @property
    def datasets(self):
        return list(dict.fromkeys(dataset for dataset, _ in self.cells))

    def batch(self, dataset, task, name):
        """The batch of this output file."""
        return next(b for b in self.batches if (b.dataset, b.task, b.name) == (dataset, task, name))

    def selection(self, kind, name):
        """Entry of a table ("tables") or figure ("figures") with its id, and its ids in the order of the grids."""
        spec = {"id": name, **getattr(self, kind)[name]}
        cells = {cell: both for cell, both in self.cells.items() if spec.get("task") in (None, cell[1])}
        spec.setdefault("datasets", list(dict.fromkeys(dataset for dataset, _ in cells)))
        spec.setdefault("noises", list(dict.fromkeys(n for noises, _ in cells.values() for n in noises)))
        spec.setdefault("methods", list(dict.fromkeys(m for _, methods in cells.values() for m in methods)))
        return spec


def plan(config, study_id, scale):
    """Resolve one study.

    Parameters
    ----------
    config : dict
        Of `ironbark.plan.config.read`.
    study_id, scale : str

    Returns
    -------
    Study

    Raises
    ------
    InputError
        For anything that could not run: the sentence names study, culprit and remedy.
    """
    entry = lookup("study", study_id, config["studies"])
    if scale not in SCALES:
        raise InputError(f"unknown scale {scale!r}; choose one of {', '.join(SCALES)}")
    caps = entry.get("scales", {}).get(scale, {})
    protocol = _protocol(study_id, entry["protocol"], caps)
    cells = _cells(config, study_id, entry, caps)
    names = dict.fromkeys(method for _, methods in cells.values() for method in methods)
    methods = {name: _method(config["methods"][name], name, caps) for name in names}
    return Study(
        study_id,
        scale,
        entry["title"],
        protocol,
        methods,
        cells,
        _batches(config, cells, methods, protocol),
        _artefacts(study_id, "table", entry.get("tables", {}), cells, TABLE_KINDS),
        _artefacts(study_id, "figure", entry.get("figures", {}), cells, FIGURE_KINDS),
        entry.get("compare", {}),
        _caps_in_words(caps),
    )


def _protocol(study_id, entry, caps):
    options = {key: value for key, value in entry.items() if key not in ("kind", "repeats")}
    if "max_train" in caps:
        options["max_train"] = caps["max_train"]
    try:
        options = protocols.check_options(entry["kind"], options)
    except InputError as error:
        raise InputError(f"study {study_id!r}: {error}") from None
    repeats = min(entry["repeats"], caps.get("repeats", entry["repeats"]))
    return {"kind": entry["kind"], "repeats": repeats, "options": options}


def _cells(config, study_id, entry, caps):
    """(data set, task) -> noises and methods, merged over the grids and checked."""
    cells = {}
    for grid in entry["grids"]:
        for dataset in _kept(grid["datasets"], caps.get("datasets")):
            for task in grid["tasks"]:
                noises, methods = cells.setdefault((dataset, task), ([], []))
                noises += [n for n in _kept(grid["noises"], caps.get("noises")) if n not in noises]
                methods += [m for m in grid["methods"] if m not in methods]
    if not cells:
        raise InputError(f"study {study_id!r} is empty at this scale; its caps leave no data set.")
    for (dataset, task), (noises, methods) in cells.items():
        try:
            n_classes = _check_dataset(config, dataset, task)
            for name in noises:
                check_noise(config, name, task, n_classes)
            for name in methods:
                _check_method(config, name, dataset, task)
        except InputError as error:
            raise InputError(f"study {study_id!r}: {error}") from None
    return cells


def _kept(names, allowed):
    return [name for name in names if allowed is None or name in allowed]


def _check_dataset(config, name, task):
    """Number of classes of a task, 255 if the catalogue does not say."""
    entry = lookup("data set", name, config["datasets"])
    k = entry.get("expect", {}).get("k")
    if task == "multiclass" and k == 2:
        raise InputError(f"data set {name!r} has two classes, so it has no multiclass task; ask for binary.")
    if task == "binary" and k not in (None, 2) and "positive" not in entry:
        raise InputError(f"data set {name!r} has {k} classes; give it a key 'positive' to make a binary task.")
    return 2 if task == "binary" else k or 255


def check_noise(config, name, task, n_classes):
    """Model, canonical rate and parameters of a noise id, checked for a task."""
    entry = lookup("noise", name, config["noises"])
    try:
        model, about = noise.resolve(entry["model"])
        if task not in about.tasks:
            raise InputError(
                f"model {model!r} works for {' and '.join(about.tasks)} only; drop it from the {task} grid."
            )
        rate = noise.check_rate(model, entry.get("rate"), n_classes)
        params = entry.get("params", {})
        noise.check_params(model, params)
    except InputError as error:
        raise InputError(f"noise {name!r}: {error}") from None
    return {"model": model, "rate": rate, "params": params}


def rate_text(about):
    """Canonical text of a noise's rate: 0.2, 0.1/0.3, 0 for clean labels, empty for a model without a rate."""
    rate = about["rate"]
    if rate is None:
        return "0" if about["model"] == "clean" else ""
    return "/".join(format(r, "g") for r in (rate if isinstance(rate, (tuple, list)) else (rate,)))


def _check_method(config, name, dataset, task):
    entry = lookup("method", name, config["methods"])
    criterion = entry.get("params", {}).get("criterion")
    tasks = set(entry.get("tasks", TASKS))
    if is_ours(entry) and criterion is not None:
        try:
            about = criteria.resolve(criterion)
            grid = entry.get("tune", {}).get("grid", {})
            for value in [*grid.get(about.parameter, ()), *filter(None, [entry["params"].get(about.parameter)])]:
                criteria.check_parameter(criterion, value)
        except InputError as error:
            raise InputError(f"method {name!r}: {error}") from None
        tasks &= set(about.tasks)
    if task not in tasks:
        raise InputError(
            f"method {name!r} can't do the {task} task of {dataset!r}, only {' and '.join(sorted(tasks))}; "
            "take it out of that grid."
        )


def is_ours(entry):
    """Whether a method's estimator is one of ironbark's."""
    return entry["estimator"].split(".")[0] == "ironbark"


def _method(entry, name, caps):
    """Entry of a method with the caps of a scale."""
    params = dict(entry.get("params", {}))
    if "n_estimators" in params and "n_estimators" in caps:
        params["n_estimators"] = min(params["n_estimators"], caps["n_estimators"])
    return {
        "estimator": entry["estimator"],
        "params": params,
        "tune": entry.get("tune", {}),
        "label": entry.get("label", name),
    }


def modules(method):
    """Modules behind a method that are imported by name at run time."""
    found = [method["estimator"].rpartition(".")[0]]
    if is_ours(method):
        from ironbark import _PUBLIC

        found = [_PUBLIC.get(method["estimator"].rpartition(".")[2], found[0])]
        if "criterion" in method["params"]:
            found.append(criteria.resolve(method["params"]["criterion"]).module)
    return found


def code_of(methods):
    """Fingerprint of what the fits of these methods run."""
    return fingerprint(*RUNNER, *sorted({module for method in methods for module in modules(method)}))


def _batches(config, cells, methods, protocol):
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
    criterion = method["params"].get("criterion") if is_ours(method) else None
    return criterion.replace("_", "-") if criterion else name


def seconds(method, size, protocol):
    """Rough CPU seconds of one fit, from the size of the data set; unknown sizes count as small."""
    n, d = size.get("n", 1000), size.get("d", 20)
    n = min(n, protocol["options"].get("max_train") or n)
    trees = method["params"].get("n_estimators", 0)
    columns = trees * math.ceil(math.sqrt(d)) if trees else d
    fits = math.prod(len(values) for values in method["tune"].get("grid", {}).values()) if method["tune"] else 1
    return 2e-8 * n * columns * math.log2(n + 2) * fits + 0.002 * max(trees, 1)


def _artefacts(study_id, kind, specs, cells, kinds):
    """Specs of tables or figures, checked to ask only for what the grids run; what a scale leaves empty is dropped."""
    kept = {}
    for name, spec in specs.items():
        where = f"study {study_id!r}, {kind} {name!r}"
        if spec["kind"] not in kinds:
            raise InputError(f"{where}: unknown kind {spec['kind']!r}{suggestion(spec['kind'], kinds)}")
        wanted = [spec["dataset"]] if "dataset" in spec else spec.get("datasets")
        found = {
            cell: both
            for cell, both in cells.items()
            if spec.get("task") in (None, cell[1]) and (wanted is None or cell[0] in wanted)
        }
        if not found:
            continue
        if "task" not in spec and len({task for _, task in found}) > 1:
            raise InputError(f"{where} mixes both tasks; set `task` to one of them")
        for place, word in ((0, "noise"), (1, "method")):
            known = {name for both in found.values() for name in both[place]}
            for unknown in [name for name in spec.get(f"{word}s", []) if name not in known]:
                raise InputError(f"{where}: {word} {unknown!r} is in none of its grids{suggestion(unknown, known)}")
        kept[name] = spec
    return kept


def _caps_in_words(caps):
    words = {
        "repeats": "{} repeats at most",
        "n_estimators": "{} trees per forest at most",
        "max_train": "{} training samples at most",
        "datasets": "data sets {} only",
        "noises": "noises {} only",
    }
    return ", ".join(
        words[key].format(", ".join(value) if isinstance(value, list) else value) for key, value in caps.items()
    )


def text(value):
    """Canonical JSON text, for job parameters that Snakemake compares."""
    return json.dumps(value, sort_keys=True)
