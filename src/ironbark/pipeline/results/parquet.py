"""Parquet files read as data frames.

Arrow opens the files itself. If it is given an open Python file, as pandas does by default, its worker threads hold
references to that object. Dropping them takes the interpreter's lock. A worker that waits for the lock while the
interpreter shuts down is ended inside a C++ destructor, which aborts the process: "terminate called without an active
exception". That happens to jobs that end right after reading, that is, to jobs that fail.
"""

import contextlib
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
    table = decoded(pq.read_table(pa.BufferReader(copied.getvalue())))
    return table.to_pandas(split_blocks=True, self_destruct=True)  # each column is released by itself


def decoded(table: pa.Table):
    """The table with texts in place of bytes, where all of a column are UTF-8."""
    for name in of_bytes(table):
        place = table.schema.names.index(name)
        with contextlib.suppress(pa.ArrowInvalid):
            table = table.set_column(place, name, table.column(place).cast(pa.large_binary()).cast(pa.large_string()))
    return table


def of_bytes(table: pa.Table):
    """Names of the columns of bytes."""
    kinds = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    types = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in table.schema.types]
    return [name for name, kind in zip(table.schema.names, types, strict=True) if any(is_(kind) for is_ in kinds)]
