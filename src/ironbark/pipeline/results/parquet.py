"""Parquet files read as data frames.

Arrow opens the files itself. If it is given an open Python file, as pandas does by default, its worker threads hold
references to that object. Dropping them takes the interpreter's lock. A worker that waits for the lock while the
interpreter shuts down is ended inside a C++ destructor, which aborts the process: "terminate called without an active
exception". That happens to jobs that end right after reading, that is, to jobs that fail.
"""

import contextlib
import shutil
import zipfile
import zlib
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.fs import LocalFileSystem

from ironbark.errors import InputError


def read(path: Path, **options):
    """Data frame of a file."""
    return pd.read_parquet(path, filesystem=LocalFileSystem(), **options)


def read_stream(stream):
    """Data frame of an open binary file of any kind, which is copied into Arrow's memory first."""
    copied = pa.BufferOutputStream()
    shutil.copyfileobj(stream, copied)
    table = pq.read_table(pa.BufferReader(copied.getvalue()))
    return table.to_pandas(split_blocks=True, self_destruct=True)  # each column is released by itself


DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError)  # pyarrow's are ValueErrors


@contextlib.contextmanager
def undamaged(path):
    """Turn what reading a damaged file raises into one sentence that names the remedy."""
    try:
        yield
    except InputError:
        raise
    except (*DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # missing, unreadable: the file is not to blame
        raise InputError(f"{path} is damaged ({error}); remove it and start again, finished fits are kept") from error
