"""From the configuration alone to the plan of a study: which labels, which fits, which tables and figures."""

import itertools
from dataclasses import dataclass

from ironbark import noise
from ironbark.entries import lookup
from ironbark.errors import InputError, located
from ironbark.pipeline import metrics, protocols
from ironbark.pipeline.plan.config import additions, estimators, preflight
from ironbark.pipeline.plan.study import artefacts, scale_caps, unavailable
from ironbark.pipeline.plan.study.batches import Part, batches, merged


@dataclass(frozen=True, eq=False)
class Study:
    """A study at one scale, with everything resolved."""

    id: str
    scale: str
    title: str
    protocol: dict  # keys kind, repeats, options
    methods: dict  # id -> resolved entry (estimator, params, tune, label), caps of the scale included
    cells: dict  # (data set, task) -> (noise ids, method ids) of all its grids, in the order of the study
    blocks: list  # of (data set, task, noises, methods): every method meets every noise, no fit is in two of them
    batches: dict[str, tuple[Part, ...]]  # output file of a job below its folder "fits", without ending -> its fits
    shown: dict  # category, "table" or "figure" -> id -> entry
    compare: dict  # what is compared with published values; empty for nothing
    caps: str  # what the scale caps, and how the protocol differs from the paper's, in words; empty for nothing
    capped_fits: str  # that of it which makes fits other than those of the full scale
    absent: str  # data sets that cannot be had in this run, and methods without their packages, in words
    dataset_labels: dict  # data set id -> display name
    alone: bool  # whether a batch takes all cores
    further: list[str]  # metrics of `metrics.ON_REQUEST` that its tables, figures and comparison ask for

    def __str__(self):
        return f"study {self.id!r} at scale {self.scale!r}"

    @property
    def entry_id(self):
        """Id of the study in the configuration; that of a part of it has a folder before it."""
        return self.id.rpartition("/")[2]

    @property
    def folder(self):
        """Folder of its results."""
        return f"results/{self.id}/{self.scale}"

    @property
    def datasets(self):
        return list(dict.fromkeys(dataset for dataset, _ in self.cells))

    def selection(self, category, name):
        """Entry of a table or figure with its id, and its ids in the order of the grids."""
        spec = {"id": name, **self.shown[category][name]}
        cells = {cell: both for cell, both in self.cells.items() if spec.get("task") in (None, cell[1])}
        spec.setdefault("datasets", list(dict.fromkeys(dataset for dataset, _ in cells)))
        spec.setdefault("noises", list(dict.fromkeys(n for noises, _ in cells.values() for n in noises)))
        spec.setdefault("methods", list(dict.fromkeys(m for _, methods in cells.values() for m in methods)))
        return spec


def plan(config: dict, study_id: str, scale: str, unusable=()) -> Study:
    """Resolve one study."""
    written = lookup("study", study_id, config["studies"])
    gone = config.get("absent", ()), unusable
    entry, absent = unavailable.without(study_id, written, config["datasets"], *gone)
    additions.check(study_id, entry, config)
    entry, lacking = unavailable.without_methods(study_id, entry, config)
    caps = entry.get("scales", {}).get(scale, {})
    differs = scale_caps.from_paper(config["studies"], study_id, entry)
    protocol = _protocol(study_id, entry["protocol"], caps)
    for key in ("datasets", "noises"):
        if odd := ", ".join(sorted({*caps.get(key, ())} - {name for grid in entry["grids"] for name in grid[key]})):
            raise InputError(f"study {study_id!r}: a scale keeps the {key} {odd}, which no grid has; correct its caps")
    grids, cells = _cells(entry), _cells(entry, caps)
    _check_cells(config, study_id, grids, protocol)
    _check_compare(study_id, written)
    with located(f"study {study_id!r}"):
        preflight.check_sizes(config, cells, protocol)
    if not cells:
        kept = written.get("scales", {}).get(scale, {}).get("datasets", ())
        out = ", ".join(name for name in kept if name in gone[0] or name in unusable)
        why = f"this run lacks {out}; add them to the mirror" if out else "its caps leave nothing; correct them"
        raise InputError(f"study {study_id!r} is empty at scale {scale!r}: {why}, or take a larger scale")
    blocks = _blocks(entry, caps)
    names = dict.fromkeys(method for _, methods in cells.values() for method in methods)
    methods = {name: scale_caps.method(config["methods"][name], name, caps) for name in names}
    artefacts.check(study_id, written, _cells(written))
    shown = {category: artefacts.kept(study_id, category, entry, cells) for category in artefacts.KINDS}
    asked = metrics.asked([shown, {"compare": entry.get("compare", {})}])
    return Study(
        study_id,
        scale,
        f"{entry['title']} ({differs})" if differs else entry["title"],
        protocol,
        methods,
        cells,
        blocks,
        batches(config, blocks, methods, protocol),
        shown,
        entry.get("compare", {}),
        "; ".join(filter(None, [scale_caps.in_words(caps), differs])),
        scale_caps.in_words({key: cap for key, cap in caps.items() if key in scale_caps.OF_FITS}),
        ". ".join(filter(None, [absent, lacking])),
        entry.get("dataset_labels", {}),
        entry.get("alone", False),
        [name for name in metrics.ON_REQUEST if name in asked],
    )


def _protocol(study_id, entry, caps):
    options = {key: value for key, value in entry.items() if key not in ("kind", "repeats")}
    if "max_train" in caps:
        options["max_train"] = caps["max_train"]
    with located(f"study {study_id!r}"):
        kind, _ = protocols.resolve(entry["kind"])
        options = protocols.check_options(kind, options)
    repeats = int(min(entry["repeats"], caps.get("repeats", entry["repeats"])))
    return {"kind": kind, "repeats": repeats, "options": options}


def _cells(entry, caps=()):
    """(data set, task) -> noises and methods, merged over the grids."""
    return {cell: both for cell, both in merged(_members(entry, dict(caps))).items() if all(both)}


def _members(entry, caps):
    """Data set, task, noises and methods for each data set and task of each grid."""
    for grid in entry["grids"]:
        noises = _kept(grid["noises"], caps.get("noises"))
        for cell in itertools.product(_kept(grid["datasets"], caps.get("datasets")), grid["tasks"]):
            yield *cell, noises, grid["methods"]


def _blocks(entry, caps):
    """The fits of the grids, as (data set, task, noises, methods): methods that meet the same noises together."""
    met, blocks = {}, {}
    for *cell, noises, names in _members(entry, caps):
        methods = met.setdefault(tuple(cell), {})
        for name in names:
            methods.setdefault(name, {}).update(dict.fromkeys(noises))
    for cell, methods in met.items():
        for name, noises in methods.items():
            if noises:
                blocks.setdefault((*cell, tuple(noises)), []).append(name)
    return [(dataset, task, list(noises), methods) for (dataset, task, noises), methods in blocks.items()]


def _check_cells(config, study_id, cells, protocol):
    with located(f"study {study_id!r}"):
        names = dict.fromkeys(name for _, methods in cells.values() for name in methods)
        entries = {name: _defined("method", name, config) for name in names}
        estimators.look_up(entries.values())
        tasks_of = {}
        for name, entry in entries.items():
            with located(f"method {name!r}"):
                tasks_of[name] = estimators.check(entry)
        for (dataset, task), (noises, methods) in cells.items():
            n_classes = preflight.n_classes(config, dataset, task, protocol)
            for name in noises:
                about = check_noise(config, name, task, n_classes)
                preflight.check_noise(config, dataset, name, about, n_classes)
            for name in methods:
                if task not in tasks_of[name]:
                    raise InputError(
                        f"method {name!r} can't do the {task} task of {dataset!r}, only "
                        f"{' and '.join(sorted(tasks_of[name]))}; take it out of that grid."
                    )


def _defined(kind, name, config):
    """Entry of a method or noise; a misspelt name may be that of a group."""
    return lookup(kind, name, config["groups"][f"{kind}s"] | config[f"{kind}s"])


def _check_compare(study_id, entry):
    """The comparison may name methods of data sets that this run lacks."""
    known = {name for grid in entry["grids"] for name in grid["methods"]}
    compare = entry.get("compare", {})
    with located(f"study {study_id!r}, compare"):
        for model, metric in compare.get("metrics", {}).items():
            lookup("published model", model, compare["methods"])
            if metrics.resolve(metric).factor != 100:
                raise InputError(f"metric {metric!r} is no share, as published values are; choose one in percent")
        for names in compare.get("methods", {}).values():
            for name in names.values():
                artefacts.refuse_unknown("method", name, known)


def _kept(names, allowed):
    return [name for name in names if allowed is None or name in allowed]


def check_noise(config, name, task, n_classes):
    """Model, canonical rate and parameters of a noise id, checked for a task."""
    entry = _defined("noise", name, config)
    with located(f"noise {name!r}"):
        model, about = noise.resolve(entry["model"])
        if task not in about.tasks:
            raise InputError(
                f"model {model!r} works for {' and '.join(about.tasks)} only; drop it from the {task} grid."
            )
        rate = noise.check_rate(model, entry.get("rate"), n_classes)
        params = entry.get("params", {})
        noise.check_params(model, params)
    return {"model": model, "rate": rate, "params": params}


def rate_text(about):
    """Canonical text of a noise's rate: 0.2, 0.1/0.3, 0 for clean labels, empty for a model without a rate."""
    rate = about["rate"]
    if rate is None:
        return "0" if about["model"] == "clean" else ""
    return "/".join(format(r, "g") for r in (rate if isinstance(rate, (tuple, list)) else (rate,)))
