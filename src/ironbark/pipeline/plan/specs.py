"""Job specifications as JSON, so that Snakemake runs a job again exactly when its work has changed.

Every spec carries what its job depends on, see `ironbark.pipeline.plan.keys`.
"""

from functools import cache, partialmethod
from pathlib import Path

from ironbark.errors import InputError
from ironbark.pipeline import metrics, protocols
from ironbark.pipeline.data import catalog
from ironbark.pipeline.plan import published_cell, targets
from ironbark.pipeline.plan.config import additions, estimators, packages, preflight
from ironbark.pipeline.plan.dataset_specs import TABLE_SUFFIXES, DatasetPlan
from ironbark.pipeline.plan.keys import code_of_job, packages_of, versions
from ironbark.pipeline.plan.study import artefacts, inputs, only, unavailable_data, unavailable_methods
from ironbark.pipeline.plan.study import study as studies
from ironbark.pipeline.plan.study.study import text
from ironbark.pipeline.published import COMPARED, PAPERS
from ironbark.versions import versions_of

FIGURE_SUFFIXES = (".png", ".svg", ".pdf")


class Plan(DatasetPlan):
    """The configuration and the studies planned from it.

    Parameters
    ----------
    config : dict
        Of `ironbark.pipeline.plan.config.reading.read`.
    shares_packages : bool
        Whether jobs run with the packages of this environment, not in one that Snakemake makes.

    Attributes
    ----------
    checked : ironbark.pipeline.plan.published_cell.CheckedCell or None
        The published cell of the setting ``cell``, whose fits are a study too.
    """

    def __init__(self, config, shares_packages=True):
        super().__init__(config)
        config["lacking"] = packages.lacking(config["methods"])
        config["studies"] = additions.joined(config)
        self.shares_packages = shares_packages
        self.narrowed = {}  # id -> part of a study that is run for one published cell
        self._planned = cache(self._resolved)
        self.study, self._preflight = cache(self._study), cache(self._tables_tried)
        self.shard = cache(self._shard)  # asked for when a study is checked, and by its jobs
        self.checked = published_cell.find(self, self.settings["cell"]) if self.settings.get("cell") else None

    def _resolved(self, study_id, scale, unusable):
        """A study, or the part of it that an id such as ``only/heart/ane`` names."""
        folder, _, whole = study_id.rpartition("/")
        if study_id in self.narrowed:
            return self.narrowed[study_id]
        if folder and study_id != self.part(whole):
            raise InputError(f"results/{study_id} is a part of a study; give the --config only of its first run")
        study = studies.plan(self.config, whole, scale, unusable)
        return only.narrowed(self.config, study, self.settings["only"]) if folder else study

    def part(self, study_id):
        """Id of what a run builds of a study: all of it, or what the setting ``only`` keeps."""
        items = self.settings.get("only")
        return f"{only.folder(items)}/{study_id}" if items else study_id

    def has_fits(self, study_id):
        """Whether the setting ``only`` keeps something of a part that is built together with its study."""
        try:
            return bool(self.study(study_id, self.settings["scale"]).blocks)
        except only.NothingLeft:
            return False

    def _study(self, study_id, scale):
        """A study as `ironbark.pipeline.plan.study.study.plan` resolves it, without tables that are to be left out."""
        return self._planned(study_id, scale, tuple(self.unusable(study_id, scale)))

    def unusable(self, study_id, scale):
        """Data set -> what is wrong with its table, for those that the setting ``bad_data`` leaves out of a study."""
        if self.settings.get("bad_data") != "leave_out":
            return {}
        return {name: fault for name, (fault, _) in self._preflight(study_id, scale).items() if fault}

    def _tables_tried(self, study_id, scale):
        """Data set -> result of `preflight.check`, for each table of a study that is on this machine."""
        study, found = self._planned(study_id, scale, ()), {}
        for dataset in study.datasets:
            if missing := self.missing_base(dataset):
                found[dataset] = missing, []
            for table in self.local_input(dataset):
                tasks = [task for name, task in study.cells if name == dataset]
                entry, mirror = self.config["datasets"][dataset], self.mirror(dataset)
                found[dataset] = preflight.check(dataset, entry, mirror, table, tasks, study.protocol)
        return found

    def corrupt(self, study_id, scale, dataset, task):
        """Spec of a corrupt job."""
        study = self.study(study_id, scale)
        targets.check_cell(study, dataset, task)
        noises = {noise_id: self._noise(noise_id, task, dataset) for noise_id in study.cells[dataset, task][0]}
        spec = {"dataset": dataset, "task": task, "noises": noises, "protocol": study.protocol}
        return text(spec | {"code": code_of_job("corrupt"), "families": versions_of("stagewise")})

    def _noise(self, noise_id, task, dataset):
        k = self.config["datasets"][dataset].get("expect", {}).get("k", 255)
        return studies.check_noise(self.config, noise_id, task, 2 if task == "binary" else k)

    def _shard(self, study_id, scale, name):
        """Spec of a batch of fits."""
        study = self.study(study_id, scale)
        batch = study.batch(name)
        used = sorted({method_id for part in batch.parts for method_id in part.methods})
        methods = {method_id: self._method(method_id, study) for method_id in used}
        modules = {module for method in methods.values() for module in estimators.modules(method)}
        spec = {
            "study": study_id,
            "scale": scale,
            "protocol": study.protocol["kind"],
            "repeats": study.protocol["repeats"],
            "parts": [self._part(part) for part in batch.parts],
            "methods": methods,
            "versions": versions("pandas", *packages_of(sorted(modules))),
            "code": code_of_job("shard"),
            "retry_failed": self.settings.get("retry_failed", False),
            "fit_minutes": self.settings.get("fit_minutes"),
        }
        if added := sorted({*used} & {*additions.asked(self.config)["methods"]}):
            spec["added"] = added
        if study.further:
            tasks = sorted({part.task for part in batch.parts})
            spec["wanted"] = {task: metrics.outputs(study.further, task) for task in tasks}
        return text(spec | ({"alone": True} if study.alone else {}))

    def _method(self, method_id, study):
        """What the fits of a method depend on."""
        method, needs = study.methods[method_id], self.config["methods"][method_id].get("needs", ())
        return estimators.dependencies(method) | {"code": estimators.code_of(method, needs)}

    def _part(self, part):
        rates = {noise_id: self._noise(noise_id, part.task, part.dataset) for noise_id in part.noises}
        return {
            "dataset": part.dataset,
            "task": part.task,
            "noises": {i: {"noise": n["model"], "rate": studies.rate_text(n)} for i, n in rates.items()},
            "methods": part.methods,
        }

    def shard_inputs(self, study_id, scale, name):
        """Files that a batch reads, by the parameter names of `ironbark.pipeline.jobs.shard`."""
        study, labels = self.study(study_id, scale), f"results/{study_id}/{scale}/labels"
        targets.check_batch(study, name)
        parts = study.batch(name).parts
        return {
            "prepared": [f"data/prepared/{dataset}" for dataset in dict.fromkeys(p.dataset for p in parts)],
            "labels": [f"{labels}/{place}.npz" for place in dict.fromkeys(f"{p.dataset}/{p.task}" for p in parts)],
        }

    def score(self, study_id, scale):
        """Spec of the job that scores a study's fits."""
        spec = self._fits(study_id, scale) | {"metrics": self.study(study_id, scale).further}
        return text(spec | {"code": code_of_job("score")})

    def score_inputs(self, study_id, scale):
        """Files that the rows of a study are made from."""
        study = self.study(study_id, scale)
        return {
            "fits": [f"{study.folder}/fits/{batch.name}.jsonl.gz" for batch in study.batches],
            "labels": [f"{study.folder}/labels/{dataset}/{task}.npz" for dataset, task in study.cells],
            "prepared": [f"data/prepared/{dataset}" for dataset in study.datasets],
        }

    def _fits(self, study_id, scale):
        study = self.study(study_id, scale)
        return {
            "cells": study.blocks,
            "repeats": study.protocol["repeats"],
            "folds": protocols.per_repeat(study.protocol["options"]),
            "allow_holes": self.settings.get("allow_holes", False),
        }

    def _files(self, word, study_id, scale, name):
        """Files that a table or figure is made from, by the parameter names of its job."""
        study = self.study(study_id, scale)
        about = targets.artefact(study, word, name)
        return inputs.files(self.config, inputs.KINDS[word][about["kind"]], study, about)

    def _artefact(self, word, study_id, scale, name):
        """Spec of a table or figure."""
        study = self.study(study_id, scale)
        about = getattr(study, f"{word}s")[name]
        kind = inputs.KINDS[word][about["kind"]]
        spec = {"facts": inputs.facts(self.config, kind, study, about), "code": inputs.code(word, kind)}
        if not kind.of_results:
            return text(spec | {word: about, "names": {}, "note": ""})
        spec |= self._words(study) | {word: study.selection(f"{word}s", name)}
        if word == "table":
            spec |= self._fits(study_id, scale)
        return text(spec | {"names": artefacts.told_apart(spec["names"], spec[word], kind)})

    table, table_inputs = partialmethod(_artefact, "table"), partialmethod(_files, "table")
    figure, figure_inputs = partialmethod(_artefact, "figure"), partialmethod(_files, "figure")

    def caption(self, study_id, scale, kind, name):
        """Caption of a table ("tables") or figure ("figures") in the report."""
        study = self.study(study_id, scale)
        spec = getattr(study, kind)[name]
        of_results = inputs.KINDS[kind.removesuffix("s")][spec["kind"]].of_results
        note = self._words(study)["note"] if of_results else ""
        return f"{spec.get('caption', name)} {note}".strip()

    def compare(self, study_id, scale):
        """Spec of the comparison with published values."""
        study = self.study(study_id, scale)
        spec = {key: getattr(study, key) for key in ("compare", "datasets", "capped_fits")}
        spec["deviations"] = {name: self.entry(name).get("deviations", []) for name in study.datasets}
        spec["note"] = self._words(study)["note"]
        spec["added_noises"] = additions.asked(self.config)["noises"]
        self._published(study)
        return text(spec | {"code": code_of_job("compare")})

    def published(self, study_id, scale):
        """File of the published values that a study is compared with."""
        study = self.study(study_id, scale)
        targets.check_compared(study)
        return self._published(study).path

    @staticmethod
    def _published(study):
        name = study.compare["published"]
        if name not in COMPARED:
            known = ", ".join(COMPARED)
            raise InputError(f"study {study.id!r}: there are no published values {name!r}; choose one of {known}")
        return PAPERS[name].values["cells"]

    def _words(self, study):
        """Display names, and the note that each caption ends with."""
        noises = {noise_id for ids, _ in study.cells.values() for noise_id in ids}
        labels = {name: method["label"] for name, method in study.methods.items()}
        noise_labels = {name: self.config["noises"][name].get("label", name) for name in sorted(noises)}
        note = f"Study {study.entry_id}, scale {study.scale}" + (f": {study.caps}." if study.caps else ".")
        note += f" {study.absent}." if study.absent else ""
        note = f"{note} {additions.words(study, self.config)}".strip()
        shown = {"labels": labels, "noise_labels": noise_labels, "dataset_labels": study.dataset_labels}
        return {"names": shown, "note": note}

    def artefacts(self, study_id, scale):
        """Paths of everything that a study makes."""
        study, folder = self.study(study_id, scale), f"results/{study_id}/{scale}"
        paths = [f"{folder}/rows.parquet"]
        paths += [f"{folder}/tables/{name}{suffix}" for name in study.tables for suffix in TABLE_SUFFIXES]
        paths += [f"{folder}/figures/{name}{suffix}" for name in study.figures for suffix in FIGURE_SUFFIXES]
        if study.compare:
            paths += [f"{folder}/comparison{suffix}" for suffix in (".csv", ".md")]
        return paths

    def overrides(self, scale, given=()):
        """Settings, as (key, value), with which another Snakemake makes the same plan."""
        others = {name: value for name, value in self.settings.items() if name not in ("studies", "scale", "cell")}
        pairs = [(name, "null" if value is None else value) for name, value in others.items()]
        return [("scale", scale), *(pair for pair in pairs if others[pair[0]] is not None or pair[0] in given)]

    def check(self, study_id):
        """Raise InputError for whatever in a study could not run at the scale of the settings."""
        mirror = self.settings.get("mirror")
        if mirror is not None and not Path(mirror).is_dir():
            raise InputError(f"there is no mirror folder {mirror!r}; correct --config mirror=DIR or leave it out")
        study = self.study(study_id, self.settings["scale"])
        catalog.check({dataset: self.config["datasets"][dataset] for dataset in study.datasets})
        unavailable_data.check_bases(study.datasets, self.config["datasets"])
        if self.shares_packages:
            packages.check_sources(study_id, self.to_fetch(study.datasets), mirror is None)
        for batch in study.batches:
            self.shard(study_id, study.scale, batch.name)
        for name in study.figures:
            self.figure(study_id, study.scale, name)
        if study.compare:
            self.published(study_id, study.scale)

    def try_tables(self, study_id) -> list[str]:
        """Try the tables of a study that are on this machine."""
        scale = self.settings["scale"]
        tried, unusable = self._preflight(study_id, scale), self.unusable(study_id, scale)
        faults = [fault for fault, _ in tried.values() if fault]
        if faults and not unusable:
            several = f"study {study_id!r}: the tables of {len(faults)} data sets cannot be used:"
            faults = faults if len(faults) == 1 else [several, *faults]
            raise InputError(
                "\n  ".join(faults) + "; or build studies without such data by --config bad_data=leave_out"
            )
        lines = packages.left_out(study_id, self.config) + unavailable_methods.remarks(study_id, self.config)
        lines += [line for _, warnings in tried.values() for line in warnings]
        lines += artefacts.remarks(self.study(study_id, scale), self.config)
        return lines + [f"study {study_id!r} leaves out a data set: {fault}" for fault in unusable.values()]
