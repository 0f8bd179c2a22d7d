"""Summary that `ironbark labels` prints."""

from pathlib import Path

import pandas as pd

WORST = 10  # rows that are listed
WIDEST = 10  # classes of a matrix that is printed


def text(data: Path, table, detector, found: pd.DataFrame) -> str:
    """Summary of what was found: size of the data, estimated noise, matrix, most suspicious rows."""
    low, high = detector.noise_rate_interval_
    lines = [
        f"{data}: {len(table.y):,} rows, {len(table.features):,} features, {len(detector.classes_)} classes",
        f"estimated share of wrong labels: {detector.noise_rate_:.1%} (90 % interval: {low:.1%} to {high:.1%})",
        f"rows that are called errors: {int(detector.is_error_.sum()):,}",
    ]
    if detector.conflicts_:
        rows = sum(map(len, detector.conflicts_))
        lines.append(f"rows that are identical to others but for the label: {rows:,}")
    if len(table.classes) <= WIDEST:
        matrix = pd.DataFrame(detector.noise_matrix_, detector.classes_, detector.classes_)
        matrix = matrix.loc[table.classes, table.classes]
        lines += ["", "estimated shares of given labels (columns) in each true class (rows)"]
        lines.append(matrix.to_string(float_format="{:.2f}".format))
    worst = found.head(WORST)
    worst = worst[["given", "suggested", "quality"]].set_axis(table.rows[worst.index])
    lines += ["", "most suspicious rows (the header is row 1; a quality of 0 is worst)"]
    lines += [worst.rename_axis("row").reset_index().to_string(index=False, float_format="{:.3f}".format), ""]
    return "\n".join(lines)
