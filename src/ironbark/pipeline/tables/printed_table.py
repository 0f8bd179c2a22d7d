"""The paper's table with our numbers next to the published ones, and a sign for the verdict on each pair."""

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.published.comparison import COLUMNS, DIFFERS, MARGIN, NOT_COMPARABLE, NOT_REJECTED, counts
from ironbark.pipeline.tables.kinds import Context, Names
from ironbark.pipeline.tables.result_table import ABSENT, Table, grid, headings

#: Verdict -> sign, which tells it without colour.
SIGNS = {NOT_REJECTED: "✓", DIFFERS: "≠", NOT_COMPARABLE: "◦"}


def read(path):
    """The file that the comparison has written, as a frame."""
    try:
        frame = pd.read_csv(path, dtype=dict.fromkeys(("rate", "table", "reason"), "str"))
    except (ValueError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path} cannot be read ({reason}); remove it and run the study again.") from None
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise InputError(
            f"{path} was written by an older version of ironbark: {', '.join(missing)} not recorded; "
            "run the study again."
        )
    return frame.assign(rate=frame["rate"].fillna(""), reason=frame["reason"].fillna(""))


def build(comparison: pd.DataFrame, table: str, labels=None, dataset_labels=None) -> Table:
    """One printed table: rows data set and method, columns noise, cells ``printed / ours sign``."""
    lines = comparison[comparison["table"] == table]
    noises = [heading(*noise) for noise in zip(lines["noise"], lines["rate"], strict=True)]
    cells = lines.assign(noise_id=noises, differs=lines["verdict"] == DIFFERS)
    names = headings(cells, {}, Context(Names(labels or {}), Names(), Names(dataset_labels or {})))
    frame, bold = grid(cells, names, ["dataset", "method"], "noise_id", cell_text, "differs")
    found = counts(lines)
    caption = (
        f"Published table {table}: published mean / our mean, in percent. Of {found['comparable']} comparable cells "
        f"(of {found['cells']}) {found['not_rejected']} not rejected, {found['equivalent']} equivalent within "
        f"±{MARGIN:g} point, {found['within_two_sd']} within 2 published sd."
    )
    notes = [
        f"{SIGNS[NOT_REJECTED]} not rejected, {SIGNS[DIFFERS]} differs (bold), {SIGNS[NOT_COMPARABLE]} not comparable."
    ]
    return Table(frame, lines[COLUMNS], bold, caption, notes)


def heading(noise, rate):
    """Column heading of a noise and its rate."""
    return " ".join(filter(None, (noise.replace("_", "-"), rate if noise != "clean" else "")))


def cell_text(cell):
    """Display text of a cell: ``94.00 / 93.85 ✓``."""
    ours = ABSENT if pd.isna(cell.mean) else f"{cell.mean:.2f}"
    return f"{cell.published_mean:.2f} / {ours} {SIGNS[cell.verdict]}"
