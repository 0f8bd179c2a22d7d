"""Parts of a study's rows: a million of them have more text that nobody shows than anything else."""

import pandas as pd
import pyarrow.parquet as pq

from ironbark.records import COLUMNS, FAILED

#: Columns that no table or figure shows.
HIDDEN = ("message", "tuned", "seed", "key", "versions")


def shown(path):
    """Rows with the columns that tables and figures are made from.

    Parameters
    ----------
    path : path
        A ``rows.parquet``.
    """
    return pd.read_parquet(path, columns=[name for name in COLUMNS if name not in HIDDEN])


def failed(path):
    """Number of all rows, and the rows of the fits that failed."""
    return pq.read_metadata(path).num_rows, pd.read_parquet(path, filters=[("status", "==", FAILED)])
