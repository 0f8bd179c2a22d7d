"""Result rows of many files in one sorted file, column by column: a million rows in a small part of their memory.

Text that repeats is held as a code and a dictionary, and is spelled out again a part at a time while it is written.
"""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.files import replacing
from ironbark.pipeline.results.rows import undamaged
from ironbark.pipeline.results.records import COLUMNS

UNIQUE = {"key"}  # text of which a dictionary would save nothing
PART = 100_000  # rows that are spelled out at a time


def read(paths, order):
    """Rows of all files, sorted.

    Parameters
    ----------
    paths : list of path
        Parquet files that `ironbark.pipeline.results.records.write` made.
    order : list of str
        Columns to sort by, text by its code points.

    Returns
    -------
    pyarrow.Table
        Columns of repeating text are dictionaries.
    """
    repeating = [name for name, kind in COLUMNS.items() if kind == "str" and name not in UNIQUE]
    tables = []
    for path in paths:
        with undamaged(path):
            tables.append(pq.ParquetFile(path, read_dictionary=repeating).read())
    table = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    return table.take(np.lexsort([ranks(table.column(name)) for name in reversed(order)]))


def ranks(column):
    """Whole numbers that sort like the values of a column."""
    if not pa.types.is_dictionary(column.type):
        return column.to_numpy()
    whole = column.combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    names = whole.dictionary.to_pylist()
    place = np.empty(len(names), np.int64)
    place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return place[whole.indices.to_numpy()]


def write(table, path, like):
    """Write rows as `ironbark.pipeline.results.records.write` does, whole or not at all; `like` is a file that it made."""
    schema = pq.read_schema(like)
    with replacing(path) as side, pq.ParquetWriter(side, schema) as writer:
        for start in range(0, max(len(table), 1), PART):
            writer.write_table(table.slice(start, PART).cast(schema))
