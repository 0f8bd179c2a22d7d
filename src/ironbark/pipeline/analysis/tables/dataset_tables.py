"""The papers' tables of data sets, with a tick or the difference beside each printed number."""

from dataclasses import dataclass, field

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.kinds import PRINTED_DATASETS
from ironbark.pipeline.analysis.tables.result_table import ABSENT, Table

TICK, MINUS = "✓", "−"


@dataclass(frozen=True)
class Printed:
    """Entry of `PRINTED`.

    Attributes
    ----------
    title : str
        The table in the paper.
    columns : dict
        Column of the file in data/published -> heading.
    rows : dict
        Column -> value that the rows of this table have in the file; empty for all rows.
    """

    title: str
    columns: dict
    rows: dict = field(default_factory=dict)


#: Column of a printed table -> the same fact of a prepared data set, from its meta.json.
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


_SIZES = {"n_samples": "Samples", "n_features": "Features"}

#: Name -> printed table.
PRINTED = {
    "ane": Printed(
        "Table 1 of the ANE paper",
        {"n_train": "Training", "n_test": "Test", "n_features": "Features", "n_classes": "Classes"},
    ),
    "pg": Printed("Table II of the pairwise-gain paper", _SIZES),
    "rmb": Printed("Table 2 of the RMBoost paper", _SIZES),
    "rgbdt-binary": Printed(
        "Table 3 of the Robust-GBDT paper", {**_SIZES, "imbalance_ratio": "Imbalance"}, {"task": "binary"}
    ),
    "rgbdt-multiclass": Printed(
        "Table 4 of the Robust-GBDT paper",
        {**_SIZES, "n_classes": "Classes", "majority_percent": "Majority %"},
        {"task": "multiclass"},
    ),
}


def read(path, name):
    """The rows of a printed table.

    Parameters
    ----------
    path : str or Path
        File in data/published.
    name : str
        Of `PRINTED`.

    Returns
    -------
    DataFrame of str
        As printed, with the columns ``dataset`` and those of the table.

    Raises
    ------
    InputError
        If there is no such table, or the file lacks a column or has no row of the table.
    """
    if name not in PRINTED:
        raise InputError(f"there is no printed table {name!r} of data sets; choose one of {', '.join(PRINTED)}")
    table, frame = PRINTED[name], pd.read_csv(path, dtype="str", keep_default_na=False)
    absent = [column for column in ("dataset", *table.columns, *table.rows) if column not in frame]
    if absent:
        raise InputError(f"{path} has no column {', '.join(absent)}; use the tracked file {PRINTED_DATASETS[name]}")
    for column, value in table.rows.items():
        frame = frame[frame[column] == value]
    if frame.empty:
        raise InputError(f"{path} has no row of {table.title}; use the tracked file {PRINTED_DATASETS[name]}")
    return frame[["dataset", *table.columns]]


def build(printed, name, ours, caption_note=""):
    """A printed table beside the prepared data.

    Parameters
    ----------
    printed : DataFrame
        Of `read`.
    name : str
        Of `PRINTED`.
    ours : list of (str, str, dict or None)
        Data set id, its name in the printed table, and its meta.json; None where it is not prepared. A printed name may
        have several data sets; a name that is not printed is left out.
    caption_note : str
        Appended to the caption.

    Returns
    -------
    Table
        One row per data set in the order of the print; cells that differ are bold.

    Raises
    ------
    InputError
        If none of `ours` is in the table.
    """
    lines = [
        _Line(row, id, meta)
        for row in printed.to_dict("records")
        for id, printed_name, meta in ours
        if printed_name == row["dataset"]
    ]
    if not lines:
        raise InputError(f"no data set is in {PRINTED[name].title}; check the field `papers` of their entries")
    columns, notes = PRINTED[name].columns, _numbered(lines)
    cells = [[line.id, *map(line.cell, columns), _marks(line, notes)] for line in lines]
    headings = ["Id", *columns.values(), "Differs"]
    index = pd.Index([line.row["dataset"] for line in lines], name="Data set")
    bold = [[False, *(line.agrees(column) is False for column in columns), False] for line in lines]
    caption = (
        f"{PRINTED[name].title}: the printed numbers, each with {TICK} where the prepared data have the same, "
        f"else with the difference, ours minus printed. {caption_note}"
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
    """A row of a printed table with one of our data sets."""

    row: dict
    id: str
    meta: dict | None

    def decimals(self, column):
        return len(self.row[column].partition(".")[2])

    def ours(self, column):
        """Our number; None where there is none."""
        return None if self.meta is None else FACTS[column](self.meta)

    def difference(self, column):
        """Ours minus the printed one; 0 where the print may be ours, rounded either way."""
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
