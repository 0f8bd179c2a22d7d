"""The comparison with printed numbers as files: every cell as CSV, what comes out of it as Markdown."""

import pandas as pd

from ironbark.analysis.comparison import DIFFERS, NOT_COMPARABLE, correlations, summary
from ironbark.files import write_text

HEADS = {
    "table": "Printed table",
    "cells": "Cells",
    "agree": "Agree",
    "differ": "Differ",
    "not_comparable": "Not comparable",
    "mean_absolute_difference": "Mean absolute difference (points)",
    "within_margin": "Within 1 point",
    "rank_correlation": "Spearman correlation of methods",
    "best_highlighted": "Printed best among our best",
}
READING = (
    "A cell agrees if the two means differ by no more than the rounding of the print or if Welch's t-test, adjusted by "
    "Holm's rule within the printed table, does not reject equality at 5 %. The last four columns use every cell for "
    "which we have a mean, comparable or not. The correlation is that of the printed and our means of all methods on "
    "one data set and noise, averaged; the last column counts the data sets and noises whose best printed method is "
    "marked as best, or as good as the best, in our numbers."
)
CELL = {
    "table": "Table",
    "dataset": "Data set",
    "method": "Method",
    "noise": "Noise",
    "rate": "Rate",
    "published_mean": "Printed",
    "published_spread": "sd",
    "mean": "Ours",
    "spread": "sd",
    "difference": "Difference",
    "p_holm": "p (Holm)",
}


def write(comparison, stem, caption_note=""):
    """Write the cells to ``stem.csv`` and what comes out of them to ``stem.md``.

    Parameters
    ----------
    comparison : DataFrame
        From `ironbark.analysis.comparison.compare`.
    stem : str or Path
        Path without suffix.
    caption_note : str
        The scale and what it caps, at the end of the Markdown file.
    """
    write_text(f"{stem}.csv", comparison.to_csv(index=False, float_format="%.6f", lineterminator="\n"))
    parts = [agreement(comparison), READING, by_setting(comparison), differing(comparison), reasons(comparison)]
    parts.append(caption_note)
    write_text(f"{stem}.md", "\n\n".join(part for part in parts if part) + "\n")


def agreement(comparison):
    """One line for each printed table."""
    table = summary(comparison)
    for count, total in (("within_margin", "with_mean"), ("best_highlighted", "settings")):
        table[count] = [f"{a} of {b}" for a, b in zip(table[count], table[total], strict=True)]
    return _pipes(list(HEADS.values()), table[list(HEADS)].to_numpy())


def by_setting(comparison):
    """The correlation of methods in each column of the print."""
    table = correlations(comparison)
    if table.empty:
        return ""
    rows = [[*key, *values] for key, values in zip(table.index, table.to_numpy(), strict=True)]
    text = _pipes([*(CELL[name] for name in table.index.names), *table.columns], rows)
    return f"Spearman correlation of methods, column by column:\n\n{text}"


def differing(comparison):
    """The cells that differ, largest difference first."""
    cells = comparison[comparison["verdict"] == DIFFERS]
    if cells.empty:
        return ""
    order = cells["difference"].abs().sort_values(ascending=False, kind="stable").index
    shown = cells.loc[order, list(CELL)]
    shown["p_holm"] = ["< 0.001" if p < 0.001 else f"{p:.3f}" for p in shown["p_holm"]]
    return "Cells that differ:\n\n" + _pipes(list(CELL.values()), shown.to_numpy())


def reasons(comparison):
    """Why cells are not comparable, with their numbers."""
    cells = comparison[comparison["verdict"] == NOT_COMPARABLE]
    if cells.empty:
        return ""
    counts = cells.groupby(["dataset", "reason"], sort=False).size()
    lines = [f"- {dataset}: {count} cells, {reason}" for (dataset, reason), count in counts.items()]
    return "Not comparable:\n\n" + "\n".join(lines)


def _pipes(heads, rows):
    lines = [heads, ["---:"] * len(heads), *([_text(value) for value in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _text(value):
    if pd.isna(value):
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"
