"""The papers' tables of data sets, with a tick or the difference next to each published value."""

from dataclasses import dataclass

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.published import DATASET_TABLES
from ironbark.pipeline.analysis.tables.result_table import ABSENT, Table

TICK, MINUS = "✓", "−"


#: Column of a published table -> the same fact of a prepared data set, from its meta.json.
FACTS = {
    "n_train": lambda meta: meta["split"]["train"] if "split" in meta else None,
    "n_test": lambda meta: meta["split"]["test"] if "split" in meta else None,
    "n_samples": lambda meta: meta["n"],
    "n_features": lambda meta: meta["d"],
    "n_classes": lambda meta: meta["k"],
    "imbalance_ratio": lambda meta: max(_binary(meta)) / min(_binary(meta)) if _binary(meta) else None,
    "majority_percent": lambda meta: 100 * max(meta["counts"]) / meta["n"],
}


def _binary(meta):
    return meta["tasks"].get("binary", {}).get("counts")


def read(path, name):
    """The rows of a published table.

    Parameters
    ----------
    path : str or Path
        File in data/published.
    name : str
        Of `ironbark.pipeline.analysis.published.DATASET_TABLES`.

    Returns
    -------
    DataFrame of str
        As published, with the columns ``dataset`` and those of the table.

    Raises
    ------
    InputError
        If there is no such table, or the file lacks a column or has no row of the table.
    """
    if name not in DATASET_TABLES:
        raise InputError(
            f"there is no published table {name!r} of data sets; choose one of {', '.join(DATASET_TABLES)}"
        )
    table, frame = DATASET_TABLES[name], pd.read_csv(path, dtype="str", keep_default_na=False)
    absent = [column for column in ("dataset", *table.columns, *table.rows) if column not in frame]
    if absent:
        raise InputError(f"{path} has no column {', '.join(absent)}; use the tracked file {table.file}")
    for column, value in table.rows.items():
        frame = frame[frame[column] == value]
    if frame.empty:
        raise InputError(f"{path} has no row of {table.title}; use the tracked file {table.file}")
    return frame[["dataset", *table.columns]]


def build(data, spec, context, *, members):
    """A published table next to the prepared data.

    Parameters
    ----------
    data : tuple
        The published table, of `read`, and data set id -> meta.json, for those that are prepared.
    spec : dict
        ``printed``, a name in `ironbark.pipeline.analysis.published.DATASET_TABLES`.
    members : list of (str, str)
        Data set id and its published name. A published name may have several data sets; a name that is not in the
        table is left out.

    Returns
    -------
    Table
        One row per data set in the order of the paper; cells that differ are bold.

    Raises
    ------
    InputError
        If none of our data sets is in the table.
    """
    (printed, metas), name = data, spec["printed"]
    lines = [
        _Line(row, id, metas.get(id))
        for row in printed.to_dict("records")
        for id, printed_name in members
        if printed_name == row["dataset"]
    ]
    if not lines:
        raise InputError(f"no data set is in {DATASET_TABLES[name].title}; check the field `papers` of their entries")
    columns, notes = DATASET_TABLES[name].columns, _numbered(lines)
    cells = [[line.id, *map(line.cell, columns), _marks(line, notes)] for line in lines]
    headings = ["Id", *columns.values(), "Differs"]
    index = pd.Index([line.row["dataset"] for line in lines], name="Data set")
    bold = [[False, *(line.agrees(column) is False for column in columns), False] for line in lines]
    caption = (
        f"{DATASET_TABLES[name].title}: the published values, each with {TICK} where the prepared data have the same, "
        f"else with the difference, ours minus published. {context.note}"
    )
    return Table(
        pd.DataFrame(cells, index, headings, dtype="str"),
        pd.DataFrame([value for line in lines for value in line.values(columns)]),
        pd.DataFrame(bold, index, headings),
        caption.strip(),
        _footnotes(lines, notes),
    )


@dataclass(frozen=True)
class _Line:
    """A row of a published table with one of our data sets."""

    row: dict
    id: str
    meta: dict | None

    def decimals(self, column):
        return len(self.row[column].partition(".")[2])

    def ours(self, column):
        """Our number; None where there is none."""
        return None if self.meta is None else FACTS[column](self.meta)

    def difference(self, column):
        """Ours minus the published value; 0 where the two may be equal, rounded either way."""
        value, unit = self.ours(column), 10.0 ** -self.decimals(column)
        if value is None:
            return None
        difference = value - float(self.row[column])
        return 0 if abs(difference) <= unit / 2 + 1e-9 else difference

    def agrees(self, column):
        difference = self.difference(column)
        return None if difference is None else difference == 0

    def cell(self, column):
        """``784 ✓``, ``780 (+4)``, or ``784 –`` where we have no number."""
        difference = self.difference(column)
        if difference is None:
            return f"{self.row[column]} {ABSENT}"
        if difference == 0:
            return f"{self.row[column]} {TICK}"
        sign = MINUS if difference < 0 else "+"
        return f"{self.row[column]} ({sign}{abs(difference):.{self.decimals(column)}f})"

    def deviations(self):
        return [] if self.meta is None else self.meta["deviations"]

    def values(self, columns):
        for column in columns:
            found = {"printed_name": self.row["dataset"], "dataset": self.id, "fact": column}
            found |= {"printed": self.row[column], "ours": self.ours(column), "difference": self.difference(column)}
            yield found | {"agrees": self.agrees(column), "deviations": " ".join(self.deviations())}


def _numbered(lines):
    """Sentence -> number of its footnote, in the order of the rows."""
    sentences = dict.fromkeys((line.id, text) for line in lines for text in line.deviations())
    return {key: number for number, key in enumerate(sentences, 1)}


def _marks(line, notes):
    return " ".join(f"[{notes[line.id, text]}]" for text in line.deviations())


def _footnotes(lines, notes):
    found = [f"[{number}] {id}: {text}" for (id, text), number in notes.items()]
    if any(line.meta is None for line in lines):
        found.append(f"{ABSENT}: not prepared here, so nothing is said of it.")
    return found
