"""Means of a measure with their spread: data sets and methods by noises."""

from functools import partial

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, order
from ironbark.pipeline.analysis.tables.result_table import (
    ABSENT,
    Table,
    cell_text,
    fits_text,
    highlighted_cells,
    highlights,
    mean_text,
)

#: Option ``spread`` -> factor of the standard deviation.
SPREADS = {"2sd": 2.0, "sd": 1.0}
SPREAD_TEXT = {"2sd": "two standard deviations", "sd": "one standard deviation"}
TIDY = ["dataset", "task", "method", "noise", "rate", "mean", "sd", "n", "failed", "highlighted"]


def build(rows, spec: dict, context):
    """Rows data set and method, columns noise; mean and spread; the best methods bold."""
    spread = spec.get("spread", "2sd")
    if spread not in SPREADS:
        raise InputError(f"spread {spread!r} is unknown; choose one of {', '.join(SPREADS)}")
    gathered = highlighted_cells(rows, spec, context.missing)
    datasets, methods, noises = order(gathered, spec)
    at = {(cell.dataset, cell.method, cell.noise_id): cell for cell in gathered.itertuples()}
    keys = [(dataset, method) for dataset in datasets for method in methods]
    keys = [key for key in keys if any((*key, noise) in at for noise in noises)]
    shown_mean = partial(mean_text, factor=metric_of(spec).factor, spread=SPREADS[spread])
    lines = [[at.get((*key, noise)) for noise in noises] for key in keys]
    text = [[cell_text(cell, shown_mean) for cell in line] for line in lines]
    bold = [[cell is not None and bool(cell.highlighted) for cell in line] for line in lines]
    shown = [(context.datasets[dataset], context.methods[method]) for dataset, method in keys]
    index = pd.MultiIndex.from_tuples(shown, names=["Data set", "Method"])
    columns = [context.noises[noise] for noise in noises]
    frame = pd.DataFrame(text, index, columns, dtype="str")
    caption = context.caption(spec, _reading(gathered, spec, spread))
    return Table(frame, gathered[TIDY], pd.DataFrame(bold, index, columns), caption, _notes(gathered, frame))


def _reading(gathered, spec, spread):
    """How to read the cells."""
    metric, fits = metric_of(spec), fits_text(gathered)
    unit = f" in {metric.unit}" * bool(metric.unit)
    text = f"{metric.name}{unit}, mean of {fits} fit{'s' * (fits != '1')}"
    several = (gathered["n"] + gathered["failed"] + gathered["missing"]).max() > 1
    if several:
        text += f" ± {SPREAD_TEXT[spread]}"
    if highlights(spec):
        rule = ", or no paired t-test at 5 % finds a better method and its 97.5 % t-interval meets that of the best"
        text += f"; bold: the largest mean of the data set and noise{rule if several else ''}"
    return text


def _notes(gathered, frame):
    """Footnotes for the marks that occur."""
    fits = int((gathered["n"] + gathered["failed"]).sum())
    notes = []
    if gathered["failed"].any():
        failed = int(gathered["failed"].sum())
        notes.append(f"†k: k fits of the cell failed and are not in its mean; {failed} of {fits} fits failed.")
    if gathered["missing"].any():
        notes.append(f"‡k: k fits of the cell were not run; {int(gathered['missing'].sum())} in all.")
    empty = gathered[(gathered["n"] == 0) & (gathered["failed"] == 0) & (gathered["missing"] == 0)]
    if len(empty):
        reason = "for example because a method has no probabilities; the column `message` of rows.parquet says why"
        notes.append(f"{ABSENT}: not run, or without a value of this metric, {reason}.")
    elif (frame == ABSENT).any(axis=None):
        notes.append(f"{ABSENT}: not run.")
    return notes
