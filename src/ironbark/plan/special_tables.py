"""Tables that are made from something else, or from more, than result rows: what their jobs are told, and read."""

from ironbark import criteria
from ironbark.analysis.kinds import CLAIM_FILES
from ironbark.plan import overview
from ironbark.plan.fingerprint import fingerprint
from ironbark.plan.study import text

#: What the checks of theorems run, which is imported by name.
THEORY = ("ironbark.theory.checks", "ironbark.tree.classifier")


def datasets(config, study, spec):
    """A printed table of data sets: all of the study, those included that a scale leaves out or that can't be had."""
    asked = {dataset for grid in config["studies"][study.id]["grids"] for dataset in grid["datasets"]}
    printed = spec["printed"]
    return overview.spec(config, printed, asked), overview.inputs(config, printed, study.datasets)


def theorems(config, study, spec):
    """The statements of `ironbark.theory`, which need no data."""
    modules = {criteria.resolve(name).module for name in criteria.CRITERIA}
    code = fingerprint("ironbark.jobs.table", *THEORY, *sorted(modules))
    return text({"table": spec, "code": code}), {}


def loss_criteria(config, study, spec):
    """Losses and the criteria that belong to them, which need no data."""
    return text({"table": spec, "code": fingerprint("ironbark.jobs.table")}), {}


#: Table kind -> function(config, study, spec of the table) -> (JSON text of the job, its input files by name).
SPECIAL = {"datasets": datasets, "theorems": theorems, "loss-criteria": loss_criteria}


def claims(study):
    """What the job of a table of claims is told beside the rest, and the printed files that it reads."""
    printed = {key: f"data/published/{file}" for key, file in CLAIM_FILES.items()}
    return {"mapping": study.compare["methods"], "caps": study.caps}, printed
