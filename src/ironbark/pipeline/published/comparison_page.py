"""The comparison with published values as files: every cell as CSV, a summary as Markdown."""

from pathlib import Path

import pandas as pd

from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline.published.comparison import COLUMNS, DIFFERS, MARGIN, NOT_COMPARABLE, summary
from ironbark.pipeline.tables.layout import pipes
from ironbark.pipeline.tables.result_table import ABSENT

HEADS = {
    "table": "Published table",
    "comparable": "Comparable cells",
    "not_rejected": "Not rejected",
    "equivalent": f"Equivalent within ±{MARGIN:g} point",
    "within_two_sd": "Within 2 published sd",
    "needed_to_reject": "Needed to reject (points)",
    "mean_absolute_difference": "Mean absolute difference (points)",
    "rho": "Rank correlation of methods (p)",
    "best_count": "Same best method",
}
READING = 'docs/reproduction.md, "How cells are compared", defines the columns.'
CELL = {
    "table": "Table",
    "dataset": "Data set",
    "method": "Method",
    "noise": "Noise",
    "rate": "Rate",
    "published_mean": "Published",
    "published_spread": "sd",
    "mean": "Ours",
    "spread": "sd",
    "difference": "Difference",
    "p_holm": "p (Holm)",
}


def write(comparison: pd.DataFrame, stem: str | Path, caption_note: str = ""):
    """Write the cells to ``stem.csv`` and a summary to ``stem.md``."""
    write_text(f"{stem}.csv", comparison[COLUMNS].to_csv(index=False, float_format="%.6f", lineterminator="\n"))
    parts = [agreement(comparison), READING, differing(comparison), reasons(comparison), caption_note]
    write_text(f"{stem}.md", "\n\n".join(part for part in parts if part) + "\n")


def agreement(comparison):
    """One line for each published table."""
    table = summary(comparison)
    lines = table[["table", "needed_to_reject", "mean_absolute_difference"]].copy()
    lines["comparable"] = _of(table["comparable"], table["cells"])
    for name in ("not_rejected", "equivalent", "within_two_sd"):
        lines[name] = _of(table[name], table["comparable"])
    lines["rho"] = [_correlation(line) for line in table.itertuples()]
    chance = [f"; {value:.1f} by chance" for value in table["best_by_chance"]]
    lines["best_count"] = _of(table["best_count"], table["best_settings"]) + chance
    return pipes(HEADS.values(), texts(lines[list(HEADS)].to_numpy()))


def _of(counts, totals):
    return pd.Series([f"{a} of {b}" for a, b in zip(counts, totals, strict=True)], counts.index)


def _correlation(line):
    """Correlation, p-value, and the numbers of methods and settings: ``0.81 (0.004; 8 methods, 7 settings)``."""
    if pd.isna(line.rho):
        return ABSENT
    p = "< 0.001" if line.p < 0.001 else f"{line.p:.3f}"
    return f"{line.rho:.2f} ({p}; {line.methods} methods, {line.settings} setting{'s' * (line.settings != 1)})"


def differing(comparison):
    """The cells that differ, largest difference first."""
    cells = comparison[comparison["verdict"] == DIFFERS]
    if cells.empty:
        return ""
    order = cells["difference"].abs().sort_values(ascending=False, kind="stable").index
    shown = cells.loc[order, list(CELL)]
    shown["p_holm"] = ["< 0.001" if p < 0.001 else f"{p:.3f}" for p in shown["p_holm"]]
    return "Cells that differ:\n\n" + pipes(CELL.values(), texts(shown.to_numpy()))


def reasons(comparison):
    """Why cells are not comparable, with their numbers."""
    cells = comparison[comparison["verdict"] == NOT_COMPARABLE]
    if cells.empty:
        return ""
    counts = cells.groupby(["dataset", "reason"], sort=False).size()
    lines = [f"- {dataset}: {count} cells, {reason}" for (dataset, reason), count in counts.items()]
    return "Not comparable:\n\n" + "\n".join(lines)


def texts(rows):
    """Rows of a table as text, numbers with two decimals."""
    return [[_text(value) for value in row] for row in rows]


def _text(value):
    if pd.isna(value):
        return ABSENT
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"


def read(path):
    """The file of cells that `write` has written."""
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


def heading(noise, rate):
    """Column heading of a noise and its rate."""
    return " ".join(filter(None, (noise.replace("_", "-"), rate if noise != "clean" else "")))
