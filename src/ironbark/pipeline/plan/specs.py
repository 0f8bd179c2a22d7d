"""The configuration of a run, its studies as they are asked for, and what is refused or said of them before any job."""

from functools import cache
from pathlib import Path

from ironbark.errors import InputError
from ironbark.pipeline import data
from ironbark.pipeline.data import catalog
from ironbark.pipeline.log import say
from ironbark.pipeline.plan import dataset_specs, fit_specs, published_cell
from ironbark.pipeline.plan.config import additions, packages, preflight
from ironbark.pipeline.plan.study import artefacts, parts, unavailable
from ironbark.pipeline.plan.study import study as studies
from ironbark.pipeline.plan.study.study import Study


class Plan:
    """What a run plans from; the functions of this package make specs of jobs from it and a `Study`."""

    def __init__(self, config: dict, shares_packages: bool = True):
        """Complete a configuration; `shares_packages` unless jobs run in an environment that Snakemake makes."""
        self.settings, self.shares_packages = config["settings"], shares_packages
        self.config = config | {"datasets": dataset_specs.completed(config), "absent": []}
        self.config["lacking"] = packages.lacking(config["methods"])
        self.config["studies"] = additions.joined(self.config)
        self.config["absent"] = [name for name in config["datasets"] if dataset_specs.why_absent(self, name)]
        self.checked = None  # the published cell of the setting "cell", whose fits are a study too
        if self.settings.get("cell"):
            self.checked = published_cell.find(self, self.settings["cell"])

    def study(self, study_id: str, scale: str) -> Study:
        """A study without data sets that are to be left out, or the part of it that ``only/heart/ane`` names."""
        if self.checked and study_id == self.checked.study.id:
            return self.checked.study
        return _resolved(self, study_id, scale, tuple(self.unusable(study_id, scale)))

    def part(self, study_id: str) -> str:
        """Id of what a run builds of a study: all of it, or what the setting ``only`` keeps."""
        items = self.settings.get("only")
        return f"{parts.folder(items)}/{study_id}" if items else study_id

    def unusable(self, study_id: str, scale: str) -> dict:
        """Data set -> what is wrong with its table, for those that the setting ``bad_data`` leaves out of a study."""
        if self.settings.get("bad_data") != "leave_out":
            return {}
        return {name: fault for name, (fault, _) in self.preflight(study_id, scale).items() if fault}

    def preflight(self, study_id: str, scale: str) -> dict:
        """Data set -> result of `preflight.check`, for each table of a study that is on this machine."""
        is_checked = self.checked and study_id == self.checked.study.id
        return _tables_tried(self, self.checked.study if is_checked else _resolved(self, study_id, scale, ()))


@cache
def _resolved(plan, study_id, scale, unusable):
    folder, _, whole = study_id.rpartition("/")
    if folder and study_id != plan.part(whole):
        raise InputError(f"results/{study_id} is a part of a study; give the --config only of its first run")
    study = studies.plan(plan.config, whole, scale, unusable)
    return parts.narrowed(plan.config, study, plan.settings["only"]) if folder else study


@cache
def _tables_tried(plan, study):
    tried = {}
    for dataset in study.datasets:
        base, _ = data.base(plan.config["datasets"][dataset])
        if base and dataset_specs.mirror(plan, base) and (why := dataset_specs.why_absent(plan, dataset)):
            tried[dataset] = f"data set {dataset!r} cannot be had: {why}", []
        for table in dataset_specs.local_input(plan, dataset):
            tasks = [task for name, task in study.cells if name == dataset]
            entry, mirror = plan.config["datasets"][dataset], dataset_specs.mirror(plan, dataset)
            tried[dataset] = preflight.check(dataset, entry, mirror, table, tasks, study.protocol)
    return tried


def check(plan, study: Study) -> None:
    """Raise InputError for whatever in a study could not run."""
    mirror = plan.settings.get("mirror")
    if mirror is not None and not Path(mirror).is_dir():
        raise InputError(f"there is no mirror folder {mirror!r}; correct --config mirror=DIR or leave it out")
    catalog.check({dataset: plan.config["datasets"][dataset] for dataset in study.datasets})
    if plan.shares_packages:
        packages.check_sources(study.id, dataset_specs.to_fetch(plan, study.datasets), mirror is None)
    for name in study.batches:
        fit_specs.shard(plan, study, name)


def try_tables(plan, study: Study) -> list[str]:
    """Try the tables of a study that are on this machine; what is worth knowing before the run."""
    tried, unusable = plan.preflight(study.id, study.scale), plan.unusable(study.id, study.scale)
    faults = [fault for fault, _ in tried.values() if fault]
    if faults and not unusable:
        several = f"study {study.id!r}: the tables of {len(faults)} data sets cannot be used:"
        faults = faults if len(faults) == 1 else [several, *faults]
        raise InputError(
            "\n  ".join(faults).rstrip(".") + "; or build studies without such data by --config bad_data=leave_out"
        )
    lines = unavailable.remarks(study.id, plan.config)
    lines += [line for _, warnings in tried.values() for line in warnings]
    lines += artefacts.remarks(study, plan.config)
    return lines + [f"study {study.id!r} leaves out a data set: {fault}" for fault in unusable.values()]


def overrides(settings: dict, scale: str, given=()) -> list[tuple]:
    """Settings, as (key, value), with which another Snakemake makes the same plan."""
    others = {name: value for name, value in settings.items() if name not in ("studies", "scale", "cell")}
    pairs = [(name, "null" if value is None else value) for name, value in others.items()]
    return [("scale", scale), *(pair for pair in pairs if others[pair[0]] is not None or pair[0] in given)]


def checked_cell(plan) -> tuple[str, list[str]]:
    """Path of the result of the published cell that was asked for, and what is worth knowing before the run."""
    checked = plan.checked
    if checked is None:
        raise InputError(f"name a published cell: --config cell='{published_cell.EXAMPLE}'")
    check(plan, checked.study)
    say(f"ironbark: {published_cell.cost(plan, checked)}")
    return f"results/check/{checked.name}.md", try_tables(plan, checked.study)
