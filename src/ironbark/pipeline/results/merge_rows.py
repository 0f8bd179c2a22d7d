"""Result rows of many batches in one sorted table, column by column: a million rows in a small part of their memory.

Text that repeats is held as a code and a dictionary, and is spelled out again a part at a time while it is written.
"""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.files import replacing
from ironbark.pipeline.results import records

UNIQUE = {"key"}  # text of which a dictionary would save nothing
PART = 100_000  # rows that are spelled out at a time


def table(frame):
    """Rows as an Arrow table whose repeating text is dictionaries."""
    found = pa.Table.from_pandas(frame, preserve_index=False)
    for i, name in enumerate(found.column_names):
        if records.COLUMNS.get(name) == "str" and name not in UNIQUE:
            found = found.set_column(i, name, found.column(i).dictionary_encode())
    return found


def merged(tables, order: list[str]):
    """Rows of all tables of `table`, sorted."""
    whole = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    return whole.take(np.lexsort([ranks(whole.column(name)) for name in reversed(order)]))


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


def write(rows, path):
    """Write rows of `merged` as `ironbark.pipeline.results.records.write` does, whole or not at all."""
    names = [name for name in rows.column_names if name not in records.COLUMNS]
    schema = pa.Schema.from_pandas(records.frame([], names), preserve_index=False)
    with replacing(path) as side, pq.ParquetWriter(side, schema) as writer:
        for start in range(0, max(len(rows), 1), PART):
            writer.write_table(rows.slice(start, PART).cast(schema))
