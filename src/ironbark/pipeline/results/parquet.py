"""Parquet files read as data frames.

Arrow opens the files itself. If it is given an open Python file, as pandas does by default, its worker threads hold
references to that object. Dropping them takes the interpreter's lock. A worker that waits for the lock while the
interpreter shuts down is ended inside a C++ destructor, which aborts the process: "terminate called without an active
exception". That happens to jobs that end right after reading, that is, to jobs that fail.
"""

import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.fs import LocalFileSystem


def read(path: Path, **options):
    """Data frame of a file."""
    return pd.read_parquet(path, filesystem=LocalFileSystem(), **options)


def read_stream(stream):
    """Data frame of an open binary file of any kind, which is copied into Arrow's memory first."""
    copied = pa.BufferOutputStream()
    shutil.copyfileobj(stream, copied)
    table = pq.read_table(pa.BufferReader(copied.getvalue()))
    return table.to_pandas(split_blocks=True, self_destruct=True)  # each column is released by itself
