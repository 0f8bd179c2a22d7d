"""Tables that are made from something else, or from more, than result rows: what their jobs are told, and read."""

from ironbark import criteria
from ironbark.analysis.kinds import CLAIM_FILES
from ironbark.plan import overview
from ironbark.plan.fingerprint import fingerprint
from ironbark.plan.study import text

#: What the checks of theorems run, which is imported by name.
THEORY = ("ironbark.theory.checks", "ironbark.tree.classifier")


def datasets(config, study, spec):
    """A printed table of data sets."""
    return overview.spec(config, spec["printed"], study.datasets), overview.inputs(
        config, spec["printed"], study.datasets
    )


def theorems(config, study, spec):
    """The statements of `ironbark.theory`, which need no data."""
    modules = {criteria.resolve(name).module for name in criteria.CRITERIA}
    code = fingerprint("ironbark.jobs.table", *THEORY, *sorted(modules))
    return text({"table": spec, "code": code}), {}


#: Table kind -> function(config, study, spec of the table) -> (JSON text of the job, its input files by name).
SPECIAL = {"datasets": datasets, "theorems": theorems}


def claims(study):
    """What the job of a table of claims is told beside the rest, and the printed files that it reads."""
    printed = {key: f"data/published/{file}" for key, file in CLAIM_FILES.items()}
    return {"mapping": study.compare["methods"], "caps": study.caps}, printed
