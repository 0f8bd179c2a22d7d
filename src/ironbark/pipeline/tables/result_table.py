"""What all tables of results share: the table ready for writing, its cells, and the text of a cell."""

from dataclasses import dataclass, field

import pandas as pd

from ironbark.pipeline.statistics import significance
from ironbark.pipeline.statistics.significance import highlighted
from ironbark.pipeline.tables.collect import metric_of, selected, selected_cells

ABSENT = "–"


@dataclass(frozen=True, eq=False)
class Table:
    """A table ready for `ironbark.pipeline.tables.layout.write`."""

    frame: pd.DataFrame  # display text; the index holds the row headings, its names the headings of their columns
    values: pd.DataFrame  # tidy numbers behind the text, not rounded
    bold: pd.DataFrame  # of bool, with the shape of `frame`
    caption: str
    notes: list = field(default_factory=list)  # footnotes
    groups: list = field(default_factory=list)  # a head for each column; equal neighbours share one above their own


def grid(cells: dict, lines: dict, columns: dict, names: list[str], text, bold) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Texts and bold flags of `cells`, by (*line, column); `lines` and `columns` are keys with their headings."""
    placed = [[cells.get((*line, column)) for column in columns] for line in lines]
    index, heads = pd.MultiIndex.from_tuples(lines.values(), names=names), list(columns.values())
    flags = [[cell is not None and bool(bold(cell)) for cell in line] for line in placed]
    texts = [[text(cell) for cell in line] for line in placed]
    return pd.DataFrame(texts, index, heads, dtype="str"), pd.DataFrame(flags, index, heads)


def highlighted_cells(rows: pd.DataFrame, spec: dict, missing: pd.DataFrame | None = None) -> pd.DataFrame:
    """The cells that a spec selects, with a column that says which of them are highlighted."""
    chosen = selected(rows, spec)
    gathered = selected_cells(chosen, spec, missing)
    gathered["highlighted"] = highlighted(gathered) & highlights(spec)
    bold = gathered[gathered["highlighted"]]
    keys = list(bold[["dataset", "task", "noise_id", "method"]].itertuples(index=False, name=None))
    worse = significance.beaten(chosen, keys, spec.get("metric", "accuracy"))
    gathered.loc[[at for at, key in zip(bold.index, keys, strict=True) if key in worse], "highlighted"] = False
    return gathered


def highlights(spec):
    """Whether a table highlights its best cells."""
    return spec.get("highlight", True) and metric_of(spec).larger_is_better


def mean_text(mean, sd, factor, spread=1.0):
    """``94.00 ± 0.48``, or the mean alone without sd."""
    return f"{factor * mean:.2f}" if sd is None else f"{factor * mean:.2f} ± {factor * spread * sd:.2f}"


def cell_text(cell, text):
    """Display text of a cell such as ``94.00 ± 0.48 †1``; `text` makes its start of mean and sd (None for one fit)."""
    if cell is None or cell.n + cell.failed == 0:
        return ABSENT
    parts = [text(cell.mean, cell.sd if cell.n > 1 else None) if cell.n else ABSENT]
    parts += [f"†{cell.failed}"] * bool(cell.failed) + [f"‡{cell.missing}"] * bool(cell.missing)
    return " ".join(parts)


def footnotes(gathered, frame):
    """What the marks of `cell_text` mean, for those that occur."""
    failed, missing, finished = (int(gathered[column].sum()) for column in ("failed", "missing", "n"))
    notes = []
    if failed:
        notes.append(f"†k: k fits of the cell failed and are not in its mean; {failed} of {finished + failed} failed.")
    if missing:
        notes.append(f"‡k: k fits of the cell were not run; {missing} in all.")
    if (gathered[["n", "failed", "missing"]] == 0).all(axis=1).any():
        reason = "for example because a method has no probabilities; the column `message` of rows.parquet says why"
        notes.append(f"{ABSENT}: not run, or without a value of this metric, {reason}.")
    elif (frame == ABSENT).any(axis=None):
        notes.append(f"{ABSENT}: not run.")
    return notes


def fits_text(gathered):
    """Number of fits of a cell, such as ``10`` or ``9 to 10``."""
    counts = gathered["n"] + gathered["failed"] + gathered["missing"]
    return " to ".join(dict.fromkeys([str(counts.min()), str(counts.max())]))
