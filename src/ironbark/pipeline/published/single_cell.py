"""One published cell next to ours: means by the criteria of `comparison`, ranks without a test."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.published import comparison
from ironbark.pipeline.published.cells import Cell
from ironbark.pipeline.tables import rank_table
from ironbark.pipeline.tables.collect import cells

NO_TEST = "no test"


def means(rows: pd.DataFrame, published: pd.DataFrame, cell: Cell, spec: dict, reason: str = "") -> dict:
    """A published mean next to ours."""
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


def ranks(rows, published, cell, spec: dict, reason="") -> dict:
    """A published average rank next to ours, with those of the methods that it is a rank among."""
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
