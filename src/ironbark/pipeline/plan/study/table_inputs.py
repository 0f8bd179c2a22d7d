"""Tables that are made from something else, or from more, than result rows: what their jobs are told, and read."""

from ironbark import criteria
from ironbark.pipeline.analysis.kinds import CLAIM_FILES, RANK_FILES, TABLE_MODULES, TRADE_OFF_FILES
from ironbark.pipeline.plan import overview
from ironbark.pipeline.plan.fingerprint import fingerprint
from ironbark.pipeline.plan.study.study import text


def datasets(config, study, spec):
    """A printed table of data sets: all of the study, those included that a scale leaves out or that can't be had."""
    asked = {dataset for grid in config["studies"][study.id]["grids"] for dataset in grid["datasets"]}
    printed = spec["printed"]
    return overview.spec(config, printed, asked), overview.inputs(config, printed, study.datasets)


def theorems(config, study, spec):
    """The statements of `ironbark.pipeline.theory`, which need no data."""
    modules = {criteria.resolve(name).module for name in criteria.CRITERIA}
    code = fingerprint("ironbark.pipeline.jobs.table", *TABLE_MODULES["theorems"], *sorted(modules))
    return text({"table": spec, "code": code}), {}


def loss_criteria(config, study, spec):
    """Losses and the criteria that belong to them, which need no data."""
    return text(
        {"table": spec, "code": fingerprint("ironbark.pipeline.jobs.table", *TABLE_MODULES["loss-criteria"])}
    ), {}


#: Table kind -> function(config, study, spec of the table) -> (JSON text of the job, its input files by name).
SPECIAL = {"datasets": datasets, "theorems": theorems, "loss-criteria": loss_criteria}


def claims(study):
    """What the job of a table of claims is told beside the rest, and the printed files that it reads."""
    return {"mapping": study.compare["methods"], "capped_fits": study.capped_fits}, _published(CLAIM_FILES)


def trade_off(study):
    """The same of a trade-off between performance and robustness, table or figure."""
    return {"mapping": study.compare["methods"]["classifier"]}, _published(TRADE_OFF_FILES)


def rank_table(study):
    """The same of a table of average ranks; which printed method is which of ours stands in its spec."""
    return {}, _published(RANK_FILES)


def _published(files):
    return {key: f"data/published/{file}" for key, file in files.items()}


#: Kind -> function(study) -> (what its job is told beside the rest, the printed files that it reads).
BESIDE_PRINT = {"claims": claims, "trade-off": trade_off, "rank-table": rank_table}


def beside_print(kind, study):
    """Both for a table or figure of any kind; empty for most."""
    return BESIDE_PRINT[kind](study) if kind in BESIDE_PRINT else ({}, {})
