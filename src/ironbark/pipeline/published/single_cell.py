"""One published cell next to ours: means by the criteria of `comparison`, ranks without a test."""

import numpy as np
import pandas as pd

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


YES = {True: "yes", False: "no"}


def page(result: dict):
    """The page."""
    tested = _of_ranks(result) if "ranks" in result else _of_means(result)
    parts = [f"# {result['title']}", *tested, _fits(result), _data(result["data"], result["dataset"])]
    return "\n\n".join(parts) + "\n"


def _of_means(result):
    def line(name, side):
        return [name, side["mean"], "–" if side["spread"] is None else side["spread"], side["runs"]]

    lines = [line("Published", result["published"]), line("Ours", result["ours"])]
    lines.append(["Difference", f"{result['difference']:+.2f}", "", ""])
    heads = [metrics.resolve(result["metric"]).with_unit, "Mean", "sd", "Runs"]
    table = pipes(heads, comparison_page.texts(lines))
    if result["reason"]:
        return table, f"Verdict: **{result['verdict']}** ({result['reason']})."
    p, many = result["p"], result["cells_of_table"]
    criteria = [
        f"- **{result['verdict'].capitalize()}**: {p_text(p)} (Welch's t-test); a difference of "
        f"{result['needed_to_reject']:.2f} points would have been rejected.",
        f"- **Equivalent within ±{comparison.MARGIN:g} point**: {YES[result['equivalent']]}, "
        f"{p_text(result['p_equivalent'])} (two one-sided tests).",
        f"- **Within 2 published sd**: {YES[result['within_two_sd']]}.",
    ]
    if result["verdict"] == comparison.DIFFERS and p * many >= ALPHA:
        criteria[0] += (
            f"\n  This cell is tested alone. Where all {many} cells of the table are compared, Holm's rule multiplies "
            f"p by up to {many}, and the cell may not be rejected."
        )
    return table, "\n".join(["Verdict:", "", *criteria])


def _of_ranks(result):
    ranks = [[line["method"], line["published"], line["ours"]] for line in result["ranks"]]
    table = pipes(["Method", "Published rank", "Our rank"], comparison_page.texts(ranks))
    method, spearman = result["cell"]["method"], result["spearman"]
    agreement = "" if spearman is None else f" Rank correlation of the methods: {spearman:.2f}."
    text = f"{method}: difference {result['difference']:+.2f}.{agreement}"
    reason = result["reason"] or "the paper publishes no spread of its ranks"
    return table, f"{text} Verdict: **{result['verdict']}** ({reason})."


def _fits(result):
    protocol, failed = result["protocol"], result["failed"]
    options = "".join(f", {key} {value}" for key, value in protocol["options"].items() if value is not None)
    text = f"Fits: {result['fits']} of study `{result['study']}` at scale {result['scale']} ({protocol['kind']}, "
    text += f"{protocol['repeats']} repeats{options})"
    text += f", {failed} of them failed and are left out" if failed else ""
    return text + (f". The protocol has {result['differs']}." if result["differs"] else ".")


def _data(data, dataset):
    text = f"Data: `{dataset}`, {data['rows']:,} rows, {data['features']:,} features. "
    differs = [
        f"{fact['fact']} {fact['ours']:g}, published {fact['printed']}"
        for fact in data["published"]
        if not fact["agrees"]
    ]
    if data["deviations"]:
        return f"{text}They are not the paper's: {' '.join([*data['deviations'], data['despite']])}".strip()
    if differs:
        return f"{text}The published sizes differ: {'; '.join(differs)}."
    if not data["published"]:
        return f"{text}The paper publishes no sizes of it."
    return f"{text}All published sizes agree, and no difference from the paper's rows is known."
