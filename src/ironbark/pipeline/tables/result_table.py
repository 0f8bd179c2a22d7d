"""What all tables of results share: the table ready for writing, its cells, and the text of a cell."""

from dataclasses import dataclass, field
from itertools import product

import pandas as pd

from ironbark.pipeline.tables.collect import order

ABSENT = "–"

#: Column of cells -> head of the row headings that it gives.
HEADS = {"dataset": "Data set", "method": "Method", "noise_id": "Noise", "pair": "Pair", "source": "Source"}


@dataclass(frozen=True, eq=False)
class Table:
    """A table ready for `ironbark.pipeline.tables.layout.write`."""

    frame: pd.DataFrame  # display text; the index holds the row headings, its names the headings of their columns
    values: pd.DataFrame  # tidy numbers behind the text, not rounded
    bold: pd.DataFrame | None  # of bool, with the shape of `frame`; None if nothing is bold
    caption: str
    notes: list = field(default_factory=list)  # footnotes
    groups: list = field(default_factory=list)  # a head for each column; equal neighbours share one above their own


def headings(gathered: pd.DataFrame, spec: dict, context) -> dict:
    """Column of `gathered` -> its ids with their display names, in the order of the table."""
    names = context.datasets, context.methods, context.noises
    ids = zip(("dataset", "method", "noise_id"), order(gathered, spec), names, strict=True)
    return {column: {name: known[name] for name in asked} for column, asked, known in ids}


def grid(cells: pd.DataFrame, names: dict, down: list[str], across: str, text, bold: str | None = None):
    """Texts of `cells`, lines by the columns `down`, and whether their column `bold` holds; `names` are `headings`."""
    shown = cells.assign(text=[text(cell) for cell in cells.itertuples()]).set_index([*down, across])
    full, used = set(shown.index.droplevel(-1)), set(cells[across])
    lines = [line for line in product(*(names[key] for key in down)) if line in full]
    columns = [name for name in names[across] if name in used]
    named = [tuple(names[key][part] for key, part in zip(down, line, strict=True)) for line in lines]
    index = pd.MultiIndex.from_tuples(named, names=[HEADS[key] for key in down])

    def placed(column):
        wide = shown[column].unstack().reindex(pd.MultiIndex.from_tuples(lines), columns=columns)
        return wide.set_axis(index).set_axis([names[across][name] for name in columns], axis=1)

    return placed("text").fillna(ABSENT), placed(bold).eq(True) if bold else None


def mean_text(mean, sd, factor, spread=1.0):
    """``94.00 ± 0.48``, or the mean alone without sd."""
    return f"{factor * mean:.2f}" if sd is None else f"{factor * mean:.2f} ± {factor * spread * sd:.2f}"


def cell_text(cell, text):
    """Display text of a cell such as ``94.00 ± 0.48 †1``; `text` makes its start of mean and sd (None for one fit)."""
    if cell.n + cell.failed == 0:
        return ABSENT
    parts = [text(cell.mean, cell.sd if cell.n > 1 else None) if cell.n else ABSENT]
    parts += [f"†{cell.failed}"] * bool(cell.failed) + [f"‡{cell.missing}"] * bool(cell.missing)
    return " ".join(parts)


def notes_of(gathered, frame):
    """What the marks of `cell_text` mean, for those that occur."""
    failed, missing = (int(gathered[column].sum()) for column in ("failed", "missing"))
    notes = []
    if failed:
        notes.append(f"†k: k fits of the cell failed and are not in its mean; {failed} in all.")
    if missing:
        notes.append(f"‡k: k fits of the cell were not run; {missing} in all.")
    if (gathered[["n", "failed", "missing"]] == 0).all(axis=1).any():
        notes.append(f"{ABSENT}: not run, or without a value of this metric, as of methods without probabilities.")
    elif (frame == ABSENT).any(axis=None):
        notes.append(f"{ABSENT}: not run.")
    return notes


def reading(metric, gathered: pd.DataFrame, spread: str = "one standard deviation"):
    """What cells show: ``Test accuracy in percent, mean of 9 to 10 fits ± one standard deviation``."""
    counts = gathered["n"] + gathered["failed"] + gathered["missing"]
    counts = counts[counts > 0] if counts.any() else counts  # others have no value of the metric
    fits = " to ".join(dict.fromkeys([str(counts.min()), str(counts.max())]))
    unit = f" in {metric.unit}" * bool(metric.unit)
    text = f"{metric.name}{unit}, mean of {fits} fit{'s' * (fits != '1')}"
    return text + f" ± {spread}" * bool(counts.max() > 1)
