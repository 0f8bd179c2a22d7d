"""One published cell next to ours: means by the criteria of `comparison`, ranks without a test."""

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.published import Cell, comparison, comparison_page
from ironbark.pipeline.statistics.significance import ALPHA, p_text
from ironbark.pipeline.tables import rank_table
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.layout import pipes

NO_TEST = "no test"


def means(rows: pd.DataFrame, published: pd.DataFrame, cell: Cell, spec: dict, reason: str = "") -> dict:
    """A published mean next to ours."""
    one, tables = _line(published, cell).assign(dataset=spec["dataset"]), published["table"].astype("str")
    line = comparison.compare(
        rows,
        one,
        {cell.model: {cell.method: spec["method"]}},
        metrics={cell.model: spec["metric"]},
        unlike={spec["dataset"]: reason} if reason else {},
    ).iloc[0]
    known = {name: _plain(value) for name, value in line.items()}
    theirs = {"mean": known["published_mean"], "spread": known["published_spread"], "runs": int(one["n"].iloc[0])}
    return {
        "published": theirs,
        "ours": {"mean": known["mean"], "spread": known["spread"], "runs": known["n"]},
        **{name: known[name] for name in ("difference", "verdict", "reason")},
        "p": known["p_holm"],
        "cells_of_table": int((tables.str.split(",").str[0] == cell.table.split(",")[0]).sum()),
        **{name: known[name] for name in ("needed_to_reject", "equivalent", "p_equivalent", "within_two_sd")},
    }


def ranks(rows, published, cell, spec: dict, reason="") -> dict:
    """A published average rank next to ours, with those of the methods that it is a rank among."""
    own = rank_table.by_dataset(rank_table.ranked(cells(rows, spec["metric"]), spec["metric"])).loc[spec["dataset"]]
    same = (published["dataset"] == cell.dataset) & (published["task"] == cell.task)
    theirs = published[same].set_index("method")["average_rank"]
    ours = pd.Series({name: own.get(method, np.nan) for name, method in spec["methods"].items()})
    published_rank, rank = _line(published, cell)["average_rank"].iloc[0], ours[cell.method]
    return {
        "published": float(published_rank),
        "ours": _plain(rank),
        "difference": _plain(rank - published_rank),
        "verdict": comparison.NOT_COMPARABLE if reason else NO_TEST,
        "reason": reason,
        "ranks": [{"method": m, "published": _plain(theirs.get(m)), "ours": _plain(ours[m])} for m in ours.index],
        "spearman": _plain(rank_table.spearman(ours, theirs)),
    }


def _line(published, cell):
    """The published line of a cell."""
    is_cell = (published[list(Cell._fields)].astype("str") == list(cell)).all(axis=1)
    if is_cell.sum() != 1:
        raise InputError(f"{is_cell.sum()} published values are {cell}; restore the tracked file of published values")
    return published[is_cell]


def _plain(value):
    """A value for JSON."""
    if pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


_PAGES = Environment(loader=PackageLoader("ironbark.pipeline.published"), trim_blocks=True, keep_trailing_newline=True)
_PAGES.filters["p_text"] = p_text


def page(result: dict):
    """The page."""
    if "ranks" in result:
        heads = ["Method", "Published rank", "Our rank"]
        lines = [[line["method"], line["published"], line["ours"]] for line in result["ranks"]]
    else:
        heads = [metrics.resolve(result["metric"]).with_unit, "Mean", "sd", "Runs"]
        sides = {"Published": result["published"], "Ours": result["ours"]}
        lines = [[name, side["mean"], side["spread"], side["runs"]] for name, side in sides.items()]
        lines.append(["Difference", f"{result['difference']:+.2f}", "", ""])
    about = {"table": pipes(heads, comparison_page.texts(lines)), "alpha": ALPHA, "margin": f"{comparison.MARGIN:g}"}
    return _PAGES.get_template("cell.md.j2").render(about | result)
