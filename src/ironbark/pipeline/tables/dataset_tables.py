"""The papers' tables of data sets, with a tick or the difference next to each published value."""

from pathlib import Path

import pandas as pd

from ironbark.entries import lookup
from ironbark.errors import InputError
from ironbark.pipeline.published import DATASET_TABLES, readers
from ironbark.pipeline.tables.result_table import ABSENT, Table

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


def read(path: str | Path, name: str) -> pd.DataFrame:
    """The rows of a published table."""
    table = DATASET_TABLES[name]
    frame = readers.tracked(path, {"dataset", *table.columns, *table.rows}, "str")
    for column, value in table.rows.items():
        frame = frame[frame[column] == value]
    odd = frame[list(table.columns)].apply(pd.to_numeric, errors="coerce").isna().any(axis="columns")
    if odd.any():
        raise InputError(f"{path}: a size of {frame.loc[odd, 'dataset'].iloc[0]!r} is no number; correct its line")
    return frame[["dataset", *table.columns]]


def build(data: tuple, spec: dict, context, *, members) -> Table:
    """A published table next to the prepared data."""
    (printed, metas), table = data, DATASET_TABLES[spec["printed"]]
    rows = printed.to_dict("records")
    pairs = [(row, id) for row in rows for id, printed_name in members if printed_name == row["dataset"]]
    if not pairs:
        raise InputError(f"no data set is in {table.title}; check the field `papers` of their entries")
    deviations = {id: metas[id]["deviations"] if id in metas else [] for _, id in pairs}
    sentences = dict.fromkeys((id, text) for _, id in pairs for text in deviations[id])
    notes = {sentence: f"[{number}]" for number, sentence in enumerate(sentences, 1)}
    cells, bold, values = [], [], []
    for row, id in pairs:
        facts = [_fact(column, row[column], metas.get(id)) for column in table.columns]
        cells.append([id, *map(_text, facts), " ".join(notes[id, text] for text in deviations[id])])
        bold.append([False, *(fact["agrees"] is False for fact in facts), False])
        names = {"printed_name": row["dataset"], "dataset": id}
        values += [names | fact | {"deviations": " ".join(deviations[id])} for fact in facts]
    index = pd.Index([row["dataset"] for row, _ in pairs], name="Data set")
    headings = ["Id", *table.columns.values(), "Differs"]
    frame, bold = pd.DataFrame(cells, index, headings, dtype="str"), pd.DataFrame(bold, index, headings)
    caption = (
        f"{table.title}: the published values, each with {TICK} where the prepared data have the same, else with the "
        f"difference, ours minus published. {context.note}"
    )
    footnotes = [f"{number} {id}: {text}" for (id, text), number in notes.items()]
    if any(id not in metas for _, id in pairs):
        footnotes.append(f"{ABSENT}: not prepared here, so nothing is said of it.")
    return Table(frame, pd.DataFrame(values), bold, caption.strip(), footnotes)


def _fact(column, printed, meta):
    """A published value next to ours; the difference is 0 where the two may be equal, rounded either way."""
    ours = None if meta is None else lookup("fact", column, FACTS)(meta)
    difference = None if ours is None else ours - float(printed)
    if difference is not None and abs(difference) <= 10.0 ** -_decimals(printed) / 2 + 1e-9:
        difference = 0
    agrees = None if difference is None else difference == 0
    return {"fact": column, "printed": printed, "ours": ours, "difference": difference, "agrees": agrees}


def _decimals(printed):
    return len(printed.partition(".")[2])


def _text(fact):
    """``784 ✓``, ``780 (+4)``, or ``784 –`` where we have no number."""
    printed, difference = fact["printed"], fact["difference"]
    if not difference:
        return f"{printed} {ABSENT if difference is None else TICK}"
    return f"{printed} ({MINUS if difference < 0 else '+'}{abs(difference):.{_decimals(printed)}f})"
