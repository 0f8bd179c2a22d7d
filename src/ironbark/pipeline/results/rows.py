"""Parts of a study's rows: a million of them have more text that nobody shows than anything else."""

from pathlib import Path

import pyarrow.parquet as pq

from ironbark.pipeline.metrics import ON_REQUEST
from ironbark.pipeline.results import parquet
from ironbark.pipeline.results.parquet import undamaged
from ironbark.pipeline.results.records import COLUMNS, FAILED

#: Columns that no table or figure shows.
HIDDEN = ("message", "tuned", "seed", "key", "versions")


def shown(path: Path):
    """Rows with the columns that tables and figures are made from."""
    with undamaged(path):
        further = [name for name in pq.read_schema(path).names if name in ON_REQUEST]
        return parquet.read(path, columns=[*(name for name in COLUMNS if name not in HIDDEN), *further])


def failed(path):
    """Number of all rows, and the rows of the fits that failed."""
    return pq.read_metadata(path).num_rows, parquet.read(path, filters=[("status", "==", FAILED)])


def without_result(path):
    """Methods of which every fit failed."""
    rows = parquet.read(path, columns=["method", "status", "message"])
    methods = rows.groupby("method", sort=False)
    return [(name, len(fits), fits["message"].iloc[0]) for name, fits in methods if (fits["status"] == FAILED).all()]
