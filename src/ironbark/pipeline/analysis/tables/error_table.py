"""Errors as the RMBoost paper prints them: percent, whole from 10 on, with the minimax risk as a line of its own."""

import pandas as pd

from ironbark.pipeline.analysis.collect import cells, order, select, selected
from ironbark.pipeline.analysis.kinds import Names
from ironbark.pipeline.analysis.tables.result_table import Table, cell_text, fits_text, footnotes

RISK = "minimax-risk"
RISK_LABEL = "Minimax risk"
TOLERANCE = 1e-12  # equal errors may differ in the last bits of their means
TIDY = ["dataset", "task", "method", "noise_id", "noise", "rate", "mean", "sd", "n", "failed", "missing"]


def build(rows, spec: dict, context) -> Table:
    """Blocks of noises; lines of methods and columns of data sets, or the other way round."""
    chosen = selected(rows, spec)
    absent = None if context.missing is None else select(context.missing, spec)
    gathered = cells(chosen, "error", absent)
    smallest = gathered.groupby(["dataset", "noise_id"])["mean"].transform("min")
    gathered["best"] = gathered["mean"] <= smallest + TOLERANCE
    datasets, methods, noises = order(gathered, spec)
    names = Names(context.methods | {RISK: RISK_LABEL})
    if "risk_of" in spec:
        about = cells(chosen[chosen["method"] == spec["risk_of"]], "minimax_risk")
        gathered = pd.concat([gathered, about.assign(method=RISK, best=False)], ignore_index=True)
        methods = [*methods, RISK]
    sides = [("Method", "method", methods, names), ("Data set", "dataset", datasets, context.datasets)]
    down, across = sides[::-1] if spec.get("columns") == "methods" else sides
    (head, line_key, lines, line_names), (_, column_key, columns, column_names) = down, across
    at = {(cell.noise_id, getattr(cell, line_key), getattr(cell, column_key)): cell for cell in gathered.itertuples()}
    keys = [(noise, line) for noise in noises for line in lines if any((noise, line, c) in at for c in columns)]
    columns = [column for column in columns if any((*key, column) in at for key in keys)]
    grid = [[at.get((*key, column)) for column in columns] for key in keys]
    shown = [(context.noises[noise], line_names[line]) for noise, line in keys]
    index = pd.MultiIndex.from_tuples(shown, names=["Noise", head])
    heads = [column_names[column] for column in columns]
    frame = pd.DataFrame([[cell_text(cell, printed_text) for cell in line] for line in grid], index, heads, dtype="str")
    bold = pd.DataFrame([[cell is not None and bool(cell.best) for cell in line] for line in grid], index, heads)
    reading = f"Test error in percent, mean of {fits_text(gathered)} fits ± one standard deviation; bold: the smallest "
    reading += "mean"
    caption = context.caption(spec, reading)
    return Table(frame, gathered[TIDY], bold, caption, footnotes(gathered, frame))


def printed_text(mean, sd=None):
    """A fraction as the paper prints it: ``22 ± 3.5`` or ``8.5 ± 2.0``."""
    percent = 100 * mean
    text = f"{percent:.1f}" if percent < 9.95 else f"{percent:.0f}"
    return text if sd is None else f"{text} ± {100 * sd:.1f}"
