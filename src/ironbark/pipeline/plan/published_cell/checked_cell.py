"""The published cell of `--config cell=...`: its fits, and the spec and files of the job that judges it."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ironbark.errors import InputError
from ironbark.pipeline.plan.cost.fits import size_of
from ironbark.pipeline.plan.keys import code_of_job
from ironbark.pipeline.plan.published_cell import matching, narrowing
from ironbark.pipeline.plan.published_cell.spelling import Spellings, value, words
from ironbark.pipeline.plan.study import deviations
from ironbark.pipeline.plan.study.batches import n_splits, seconds_of
from ironbark.pipeline.plan.study.study import Study, text
from ironbark.pipeline.published import DATASET_TABLES, PAPERS
from ironbark.pipeline.published import cells as published

FOLDER = "check"  # of all results, below that of the results of studies


@dataclass(frozen=True)
class CheckedCell:
    """A published cell and the part of a study that it needs.

    Attributes
    ----------
    cell : ironbark.pipeline.published.cells.Cell
    runs : ironbark.pipeline.plan.published_cell.narrowing.Runs
    study : Study
    """

    cell: published.Cell
    runs: narrowing.Runs
    study: Study

    @property
    def name(self):
        """Name of the files of the result."""
        return slug(self.cell)

    @property
    def dataset(self):
        """The data set that is run."""
        return self.study.datasets[0]


def slug(cell):
    """Id of a cell, such as ``ane-table-2-mushrooms-dt-uniform-0.4-ane``."""
    parts = [value(part, cell) for part in ("paper", "table", "dataset", "model", "noise", "method")]
    return "-".join(word for part in parts for word in words(part))


def every(root="."):
    """All published cells, in the order of `PAPERS`."""
    return [cell for paper in PAPERS for cell in published.names(paper, Path(root, published.values(paper).path))]


def find(plan, asked: str, root: Path = ".") -> CheckedCell:
    """The cell that a text names; its fits become a study of `plan`, so that the jobs of any study run them."""
    if plan.settings["scale"] != narrowing.SCALE:
        raise InputError("a published cell is checked at scale full, that of the papers; leave out --config scale")
    method_id = partial(narrowing.method_id, plan.config)
    papers = {paper: narrowing.studies(plan.config, paper) for paper in PAPERS}
    spellings = Spellings(plan.config, papers, method_id)
    cell = matching.find(asked, every(root), spellings)
    runs = narrowing.runs(plan.config, cell)
    noises = spellings.noise_ids(cell) if cell.noise else runs.noises
    study = narrowing.narrowed(plan, cell, runs, noises, f"{FOLDER}/{slug(cell)}")
    plan.narrowed[study.id] = study
    return CheckedCell(cell, runs, study)


def spec(plan, checked):
    """Spec of the job that judges a cell, as JSON text."""
    cell, study, entry = checked.cell, checked.study, plan.entry(checked.dataset)
    studies, runs = plan.config["studies"], checked.runs
    compare = studies[runs.study].get("compare", {})
    return text(
        {
            "cell": cell._asdict(),
            "title": str(cell),
            "study": checked.runs.study,
            "scale": study.scale,
            "protocol": study.protocol,
            "differs": deviations.from_paper(studies, runs.study, studies[runs.study]),
            "capped_fits": study.capped_fits,
            "dataset": checked.dataset,
            "method": checked.runs.method,
            "methods": checked.runs.printed,
            "metric": checked.runs.metric,
            "deviations": entry.get("deviations", []),
            "despite": compare.get("despite", {}).get(checked.dataset, ""),
            "sizes": _sizes(checked, entry),
            "code": code_of_job("check_cell"),
        }
    )


def _sizes(checked, entry):
    """Published table of data sets that lists the data set -> its name there."""
    tables, names = PAPERS[checked.cell.paper].datasets, entry.get("papers", {})
    return {table: names[table] for table in tables if table in names}


def inputs(plan, checked):
    """Files that the job reads, by the parameter names of `ironbark.pipeline.jobs.check_cell`."""
    sizes = _sizes(checked, plan.entry(checked.dataset))
    return {
        "rows": f"{checked.study.folder}/rows.parquet",
        "printed": published.values(checked.cell.paper).path,
        "prepared": f"data/prepared/{checked.dataset}",
        "sizes": [DATASET_TABLES[table].path for table in sizes],
    }


def cost(plan, checked):
    """Number of fits of a cell, and the time of those that are not in the store: one sentence."""
    study, size = checked.study, size_of(plan.config["datasets"][checked.dataset])
    parts = [part for batch in study.batches for part in batch.parts]
    seconds = sum(seconds_of(plan.config, part, size, study.methods, study.protocol) for part in parts)
    fits = n_splits(study.protocol) * sum(len(noises) * len(methods) for *_, noises, methods in study.blocks)
    time = f"{max(seconds, 1):.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
    return f"{checked.cell}: {fits} fits; if none is in the store, they take about {time} of CPU time"


def target(plan):
    """Path of the result that was asked for, and what is worth knowing before the run."""
    checked = plan.checked
    if checked is None:
        raise InputError(f"name a published cell: --config cell='{matching.EXAMPLE}'")
    plan.check(checked.study.id)
    return f"results/check/{checked.name}.md", plan.try_tables(checked.study.id)
