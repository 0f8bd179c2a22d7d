"""The published cell of `--config cell=ID`: its fits, and the spec and files of the job that judges it."""

import itertools
import re
from pathlib import Path
from typing import NamedTuple

from ironbark import noise
from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.pipeline import published
from ironbark.pipeline.job_specs import text
from ironbark.pipeline.log import duration
from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.plan.cost.fits import size_of
from ironbark.pipeline.plan.keys import code_of_job
from ironbark.pipeline.plan.study import scale_caps
from ironbark.pipeline.plan.study.batches import n_splits, seconds_of
from ironbark.pipeline.plan.study.parts import with_cells
from ironbark.pipeline.plan.study.study import Study, rate_text
from ironbark.pipeline.published import CHECKED, DATASET_TABLES, PAPERS

FOLDER = "check"  # of all results, below that of the results of studies
SCALE = "full"  # the papers' protocols
EXAMPLE = "ane/table-2/mushrooms/uniform-0.4/dt-ane"


class CheckedCell(NamedTuple):
    """A published cell and how a study runs it."""

    cell: published.Cell
    study_id: str
    method: str  # our id of the cell's method
    printed: dict  # published method -> our id, of all methods that the published value depends on
    metric: str
    noises: list  # ids of the noises of ranks, empty for all; those of a mean are the noise of its cell
    study: Study | None = None  # with the fits of this cell only

    @property
    def name(self):
        """Name of the files of the result."""
        return self.study.id.removeprefix(f"{FOLDER}/")

    @property
    def dataset(self):
        """The data set that is run."""
        return self.study.datasets[0]


def ids(config: dict, root: str | Path = ".") -> dict:
    """Id of each published cell -> the cell, in the order of `CHECKED`."""
    noises, cells = _noises(config), {}
    for paper in CHECKED:
        for cell in published.names(paper, Path(root, published.values(paper).path)):
            under = noises.get((cell.noise, cell.rate), [cell.setting or "all"])[0]
            method = next((checked.method for checked in _candidates(config, cell)), cell.method)
            parts = (paper, f"table {cell.table}", cell.dataset, under, method)
            cells["/".join(re.sub(r"[^a-z0-9.]+", "-", part.lower()).strip("-") for part in parts)] = cell
    return cells


def _noises(config):
    """Noise model and rate -> our ids."""
    ids_of = {}
    for noise_id, entry in config["noises"].items():
        if not entry.get("params"):
            model, rate = noise.resolve(entry["model"])[0], entry.get("rate")
            ids_of.setdefault((model, rate_text({"model": model, "rate": rate})), []).append(noise_id)
    return ids_of


def find(plan, asked: str, root: str | Path = ".") -> CheckedCell:
    """The cell of an id, with its fits as a study, so that the jobs of any study run them."""
    if plan.settings["scale"] != SCALE:
        raise InputError("a published cell is checked at scale full, that of the papers; leave out --config scale")
    known = ids(plan.config, root)
    if asked not in known:
        hint = suggestion(asked, known, f"an id has the form {EXAMPLE}")
        raise InputError(f"no published cell has the id {asked!r}; {hint}")
    cell = known[asked]
    checked = of_study(plan.config, cell)
    noises = _noises(plan.config).get((cell.noise, cell.rate), []) if cell.noise else checked.noises
    return checked._replace(study=narrowed(plan, checked, noises, f"{FOLDER}/{asked.replace('/', '-')}"))


def of_study(config, cell):
    """Find the protocol for a cell."""
    for checked in _candidates(config, cell):
        place = {"datasets": cell.dataset, "tasks": cell.task, "methods": checked.method}
        if any(all(place[key] in grid[key] for key in place) for grid in config["studies"][checked.study_id]["grids"]):
            return checked
    raise InputError(f"no study runs the published cell {cell}; add its data set and method to a grid of {cell.paper}")


def _candidates(config, cell):
    """Studies that are compared with the table of a cell, whether or not a grid has its data set."""
    names = [cell.paper, *config["studies"].get(cell.paper, {}).get("parts", ())]
    for name in filter(config["studies"].__contains__, names):
        entry = config["studies"][name]
        if published.is_ranked(cell.paper):
            for table in entry.get("tables", {}).values():
                printed = table.get("printed_methods", {})
                if table.get("task") == cell.task and cell.method in printed:
                    metric, noises = table.get("metric", "accuracy"), table.get("noises", [])
                    yield CheckedCell(cell, name, printed[cell.method], printed, metric, noises)
            continue
        compare = entry.get("compare", {})
        ours = compare.get("methods", {}).get(cell.model, {}).get(cell.method)
        if ours and compare["published"] == cell.paper and cell.table in compare.get("tables", [cell.table]):
            metric = compare.get("metrics", {}).get(cell.model, "accuracy")
            yield CheckedCell(cell, name, ours, {cell.method: ours}, metric, [])


def narrowed(plan, checked, noises, name: str):
    """The study of a cell with the fits of this cell only."""
    cell, study_id = checked.cell, checked.study_id
    fault = plan.unusable(study_id, SCALE).get(cell.dataset)
    if fault:
        raise InputError(f"the data of the published cell {cell} cannot be used: {fault}")
    study, methods = plan.study(study_id, SCALE), set(checked.printed.values())
    other = plan.config["studies"][study_id].get("if_absent", {}).get(cell.dataset)
    dataset = cell.dataset if cell.dataset in study.datasets else other
    if dataset not in study.datasets:
        why = dataset_specs.why_absent(plan, cell.dataset)
        raise InputError(f"the data of the published cell {cell} cannot be had here: {why}")
    place = dataset, cell.task
    cells = {place: (noises or study.cells.get(place, ((),))[0], methods)}
    narrow = with_cells(plan.config, study, name, cells)
    if checked.method not in narrow.methods:
        raise InputError(f"study {study_id!r} does not run the published cell {cell}; add its noise to a grid")
    return narrow


def spec(plan, checked):
    """Spec of the job that judges a cell, as JSON text."""
    cell, study, entry = checked.cell, checked.study, plan.config["datasets"][checked.dataset]
    entries, study_id = plan.config["studies"], checked.study_id
    return text(
        {
            "cell": cell._asdict(),
            "title": str(cell),
            "study": study_id,
            "scale": study.scale,
            "protocol": study.protocol,
            "differs": scale_caps.from_paper(entries, study_id, entries[study_id]),
            "capped_fits": study.capped_fits,
            "dataset": checked.dataset,
            "method": checked.method,
            "methods": checked.printed,
            "metric": checked.metric,
            "deviations": entry.get("deviations", []),
            "despite": entries[study_id].get("compare", {}).get("despite", {}).get(checked.dataset, ""),
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
    sizes = _sizes(checked, plan.config["datasets"][checked.dataset])
    return {
        "rows": f"{checked.study.folder}/rows.parquet",
        "printed": published.values(checked.cell.paper).path,
        "prepared": f"data/prepared/{checked.dataset}",
        "sizes": [DATASET_TABLES[table].path for table in sizes],
    }


def cost(plan, checked):
    """Number of fits of a cell, and the time of those that are not in the store: one sentence."""
    study, size = checked.study, size_of(plan.config["datasets"][checked.dataset])
    parts = itertools.chain.from_iterable(study.batches.values())
    seconds = sum(seconds_of(part, size, study.methods, study.protocol) for part in parts)
    fits = n_splits(study.protocol) * sum(len(noises) * len(methods) for *_, noises, methods in study.blocks)
    time = duration(max(seconds, 1))
    return f"{checked.cell}: {fits} fits; if none is in the store, they take about {time} of CPU time"
