"""One published cell next to ours: means by the criteria of `comparison`, ranks without a test."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.published import comparison
from ironbark.pipeline.analysis.published.cells import Cell
from ironbark.pipeline.analysis.tables.ranks import rank_table

NO_TEST = "no test"


def means(rows, published, cell, spec, reason=""):
    """A published mean next to ours.

    Parameters
    ----------
    rows : DataFrame
        Result rows of the cell's fits.
    published : DataFrame
        Of `ironbark.pipeline.analysis.published.cells.read`.
    cell : Cell
    spec : dict
        Keys dataset, method, metric.
    reason : str
        Why the cell is not comparable; empty for none.

    Returns
    -------
    dict
        ``published`` and ``ours`` with mean, spread (one standard deviation of single runs) and runs; ``difference``
        and ``needed_to_reject`` in percentage points; ``verdict``, ``p``, ``equivalent``, ``p_equivalent``,
        ``within_two_sd`` and ``reason`` as in `comparison.compare_cells`; ``cells_of_table``, by which Holm's rule
        multiplies ``p`` at most where the whole table is compared.
    """
    one = _line(published, cell).assign(dataset=spec["dataset"])
    line = comparison.compare(
        rows,
        one,
        {cell.model: {cell.method: spec["method"]}},
        metrics={cell.model: spec["metric"]},
        unlike={spec["dataset"]: reason} if reason else {},
    ).iloc[0]
    of_table = published["table"].astype("str") == cell.table
    return {
        "published": _mean(line["published_mean"], line["published_spread"], one["n"].iloc[0]),
        "ours": _mean(line["mean"], line["spread"], line["n"]),
        "difference": _number(line["difference"]),
        "verdict": line["verdict"],
        "reason": line["reason"],
        "p": _number(line["p_holm"]),
        "cells_of_table": int(of_table.sum()),
        "needed_to_reject": _number(line["needed_to_reject"]),
        "equivalent": _flag(line["equivalent"]),
        "p_equivalent": _number(line["p_equivalent"]),
        "within_two_sd": _flag(line["within_two_sd"]),
    }


def ranks(rows, published, cell, spec, reason=""):
    """A published average rank next to ours, with those of the methods that it is a rank among.

    Parameters
    ----------
    rows, published, cell, reason
        As for `means`.
    spec : dict
        Keys dataset, method, methods (published method -> our id), metric.

    Returns
    -------
    dict
        ``published`` and ``ours`` (average rank), ``difference``, ``verdict`` (always `NO_TEST`, as no spread of a
        rank is published), ``reason``, ``ranks`` (list of method, published, ours) and ``spearman``, the correlation
        of both over these methods.
    """
    own = rank_table.by_dataset(rank_table.ranked(cells(rows, spec["metric"]), spec["metric"])).loc[spec["dataset"]]
    same = (published["dataset"] == cell.dataset) & (published["task"] == cell.task)
    theirs = published[same].set_index("method")["average_rank"]
    ours = pd.Series({name: own.get(method, np.nan) for name, method in spec["methods"].items()})
    lines = [
        {"method": name, "published": _number(theirs.get(name)), "ours": _number(ours[name])} for name in ours.index
    ]
    published_rank, rank = _line(published, cell)["average_rank"].iloc[0], ours[cell.method]
    return {
        "published": float(published_rank),
        "ours": _number(rank),
        "difference": _number(rank - published_rank),
        "verdict": comparison.NOT_COMPARABLE if reason else NO_TEST,
        "reason": reason,
        "ranks": lines,
        "spearman": _number(rank_table.spearman(ours, theirs)),
    }


def _line(published, cell):
    """The published line of a cell."""
    is_cell = (published[list(Cell._fields)].astype("str") == list(cell)).all(axis=1)
    if is_cell.sum() != 1:
        raise InputError(f"{is_cell.sum()} published values are {cell}; restore the tracked file of published values")
    return published[is_cell]


def _mean(mean, spread, runs):
    return {"mean": _number(mean), "spread": _number(spread), "runs": int(runs)}


def _number(value):
    return None if pd.isna(value) else float(value)


def _flag(value):
    return None if pd.isna(value) else bool(value)
