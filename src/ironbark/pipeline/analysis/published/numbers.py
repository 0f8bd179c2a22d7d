"""Columns of published cells for all readers, in our names and units.

Means, spreads and the rounding, which is half a unit of the last published digit, are fractions.
"""

from pathlib import Path

import pandas as pd

from ironbark.errors import InputError

COLUMNS = ["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n", "rounding"]
FINE = 0.00005  # rounding of percent with two decimals and of fractions with four


def read(path: str | Path, wanted: set[str], dtype: dict):
    """A tracked file of published values."""
    published = pd.read_csv(path, dtype=dtype, keep_default_na=False)
    if not wanted <= set(published.columns):
        absent = ", ".join(sorted(wanted - set(published.columns)))
        raise InputError(f"{path} has no column {absent}; use the tracked file of published values")
    return published
