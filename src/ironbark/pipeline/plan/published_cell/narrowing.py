"""The part of a study that a published cell needs."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ironbark.errors import InputError
from ironbark.pipeline import data
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.study.batches import batches
from ironbark.pipeline.published.cells import is_ranked

SCALE = "full"  # the papers' protocols


class Runs(NamedTuple):
    """Protocol of a study for a published cell.

    Attributes
    ----------
    study : str
    method : str
        Our id of the cell's method.
    printed : dict
        Published method -> our id, of all methods that the published value depends on.
    metric : str
    noises : list of str
        Ids of the noises of ranks, empty for all; those of a mean are the noise of its cell.
    """

    study: str
    method: str
    printed: dict
    metric: str
    noises: list


def studies(config, paper):
    """Ids of a paper's study and of the parts of it."""
    return [name for name in (paper, *config["studies"].get(paper, {}).get("parts", ())) if name in config["studies"]]


def method_id(config, cell):
    """Our id of the method of a cell; None if no study has one."""
    found = next(_candidates(config, cell), None)
    return found and found.method


def runs(config, cell):
    """Find the protocol for a cell."""
    for found in _candidates(config, cell):
        grids = config["studies"][found.study]["grids"]
        if any(
            cell.dataset in grid["datasets"] and cell.task in grid["tasks"] and found.method in grid["methods"]
            for grid in grids
        ):
            return found
    names = ", ".join(studies(config, cell.paper))
    raise InputError(f"no study runs the published cell {cell}; add its data set and method to a grid of {names}")


def _candidates(config, cell):
    """Studies that are compared with the table of a cell, whether or not a grid has its data set."""
    for name in studies(config, cell.paper):
        entry = config["studies"][name]
        if is_ranked(cell.paper):
            for table in entry.get("tables", {}).values():
                printed = table.get("printed_methods", {})
                if table.get("task") == cell.task and cell.method in printed:
                    yield Runs(
                        name, printed[cell.method], printed, table.get("metric", "accuracy"), table.get("noises", [])
                    )
            continue
        compare = entry.get("compare", {})
        ours = compare.get("methods", {}).get(cell.model, {}).get(cell.method)
        if ours and compare["published"] == cell.paper and cell.table in compare.get("tables", [cell.table]):
            metric = compare.get("metrics", {}).get(cell.model, "accuracy")
            yield Runs(name, ours, {cell.method: ours}, metric, [])


def narrowed(plan, cell, found: Runs, noises, name: str):
    """The study of a cell with the fits of this cell only."""
    fault = plan.unusable(found.study, SCALE).get(cell.dataset)
    if fault:
        raise InputError(f"the data of the published cell {cell} cannot be used: {fault}")
    study, methods = plan.study(found.study, SCALE), set(found.printed.values())
    other = plan.config["studies"][found.study].get("if_absent", {}).get(cell.dataset)
    dataset = cell.dataset if cell.dataset in study.datasets else other
    if dataset not in study.datasets:
        raise InputError(f"the data of the published cell {cell} cannot be had here: {_why_absent(plan, cell.dataset)}")
    blocks = [
        (*place, [n for n in ids if not noises or n in noises], [m for m in names if m in methods])
        for *place, ids, names in study.blocks
        if tuple(place) == (dataset, cell.task)
    ]
    blocks = [block for block in blocks if block[2] and block[3]]
    if not any(found.method in names for *_, names in blocks):
        raise InputError(f"study {found.study!r} does not run the published cell {cell}; add its noise to a grid")
    both = [list(dict.fromkeys(one for block in blocks for one in block[i])) for i in (2, 3)]
    own = {method: study.methods[method] for method in both[1]}
    return replace(
        study,
        id=name,
        methods=own,
        cells={(dataset, cell.task): tuple(both)},
        blocks=blocks,
        batches=batches(plan.config, blocks, own, study.protocol),
        tables={},
        figures={},
    )


def _why_absent(plan, dataset):
    entry, mirror = plan.config["datasets"][dataset], plan.mirror(dataset)
    lacking = packages.missing_optional(entry)
    if lacking:
        return f"{dataset} needs {' and '.join(lacking)}; run {packages.command(lacking)}"
    if mirror:
        (table,) = plan.local_input(dataset)
        return f"there is no table {table}; add it to the mirror, or leave out --config mirror to download the data"
    base, _ = data.base(entry)
    if base in plan.config["datasets"] and not plan.reachable(base):
        return f"{dataset} is computed from {base}, and {_why_absent(plan, base)}"
    files = [path for path in data.local_files(entry) if not Path(path).exists()]
    if files:
        return f"there is no file {' and no file '.join(map(str, files))}; put it there, see docs/data.md"
    return f"{dataset} needs downloads, which a run with a mirror does without; leave out --config mirror"
