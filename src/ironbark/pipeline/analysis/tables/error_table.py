"""Errors as the RMBoost paper prints them: percent, whole from 10 on, with the minimax risk as a line of its own."""

import pandas as pd

from ironbark.pipeline.analysis.collect import cells, order, select, selected
from ironbark.pipeline.analysis.kinds import Names
from ironbark.pipeline.analysis.tables.result_table import Table, cell_text, fits_text, footnotes

RISK = "minimax-risk"
RISK_LABEL = "Minimax risk"
TOLERANCE = 1e-12  # equal errors may differ in the last bits of their means
TIDY = ["dataset", "task", "method", "noise_id", "noise", "rate", "mean", "sd", "n", "failed", "missing"]


def build(rows, spec, context):
    """Blocks of noises; lines of methods and columns of data sets, or the other way round.

    Parameters
    ----------
    spec : dict
        ``columns``, ``datasets`` (default) or ``methods``; ``risk_of``, a method whose minimax risk is shown too.

    Returns
    -------
    Table
        Bold: the smallest mean error of the data set and noise; the minimax risk is no error and never bold.
    """
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
    at = {(cell.noise_id, cell.method, cell.dataset): cell for cell in gathered.itertuples()}
    sides = {"Method": (methods, names), "Data set": (datasets, context.datasets)}
    line, column = ("Data set", "Method") if spec.get("columns") == "methods" else ("Method", "Data set")
    frame, bold = _frame(at, noises, context.noises, {line: sides[line], column: sides[column]})
    reading = f"Test error in percent, mean of {fits_text(gathered)} fits ± one standard deviation; bold: the smallest "
    reading += "mean"
    caption = context.caption(spec, reading)
    return Table(frame, gathered[TIDY], bold, caption, footnotes(gathered, frame))


def printed_text(mean, sd=None):
    """A fraction as the paper prints it: ``22 ± 3.5`` or ``8.5 ± 2.0``."""
    percent = 100 * mean
    text = f"{percent:.1f}" if percent < 9.95 else f"{percent:.0f}"
    return text if sd is None else f"{text} ± {100 * sd:.1f}"


def _frame(at, noises, noise_labels, sides):
    """Display text and bold cells; `sides` are the lines and the columns: heading -> (ids, display names)."""
    (line, (lines, line_names)), (column, (columns, column_names)) = sides.items()

    def found(noise, one, other):
        return at.get((noise, one, other) if line == "Method" else (noise, other, one))

    keys = [(n, i) for n in noises for i in lines if any(found(n, i, j) is not None for j in columns)]
    columns = [j for j in columns if any(found(*key, j) is not None for key in keys)]
    grid = [[found(*key, j) for j in columns] for key in keys]
    shown = [(noise_labels[n], line_names[i]) for n, i in keys]
    index = pd.MultiIndex.from_tuples(shown, names=["Noise", line])
    heads = [column_names[j] for j in columns]
    text = pd.DataFrame([[cell_text(cell, printed_text) for cell in line] for line in grid], index, heads, dtype="str")
    bold = pd.DataFrame([[cell is not None and bool(cell.best) for cell in cells] for cells in grid], index, heads)
    return text, bold
