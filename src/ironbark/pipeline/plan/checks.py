"""What is refused, or said, of a study before any job runs."""

from collections.abc import Iterable
from pathlib import Path

from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.pipeline.data import catalog
from ironbark.pipeline.log import say
from ironbark.pipeline.plan import dataset_specs, fit_specs, published_cell
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.study import artefacts, unavailable
from ironbark.pipeline.plan.study.study import Study


def check(plan, study: Study) -> None:
    """Raise InputError for whatever in a study could not run."""
    mirror = plan.settings.get("mirror")
    if mirror is not None and not Path(mirror).is_dir():
        raise InputError(f"there is no mirror folder {mirror!r}; correct --config mirror=DIR or leave it out")
    catalog.check({dataset: plan.config["datasets"][dataset] for dataset in study.datasets})
    if plan.shares_packages:
        packages.check_sources(study.id, dataset_specs.to_fetch(plan, study.datasets), mirror is None)
    for batch in study.batches:
        fit_specs.shard(plan, study, batch.name)


def try_tables(plan, study: Study) -> list[str]:
    """Try the tables of a study that are on this machine; what is worth knowing before the run."""
    tried, unusable = plan.preflight(study.id, study.scale), plan.unusable(study.id, study.scale)
    faults = [fault for fault, _ in tried.values() if fault]
    if faults and not unusable:
        several = f"study {study.id!r}: the tables of {len(faults)} data sets cannot be used:"
        faults = faults if len(faults) == 1 else [several, *faults]
        raise InputError("\n  ".join(faults) + "; or build studies without such data by --config bad_data=leave_out")
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


def check_target(targets: Iterable[str], rules: Iterable[str], studies: Iterable[str]):
    """Refuse a misspelt study or rule before Snakemake does, which cannot suggest another."""
    known = sorted({*studies, *rules})
    for target in targets:
        if target not in known and "/" not in target and "." not in target:
            raise InputError(f"there is no study or rule {target!r}; {suggestion(target, known, 'there are {}')}")
