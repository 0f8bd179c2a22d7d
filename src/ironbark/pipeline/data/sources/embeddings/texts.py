"""Texts of a data set: where they are, and the words in them."""

import re
from pathlib import Path

import numpy as np
import scipy.sparse

from ironbark.errors import InputError
from ironbark.pipeline.data.sources.site import base_table

TEXT = "text"

_WORD = re.compile(r"[^\W_]+")


def words(text):
    """The words of a text: its longest runs of letters and digits of any script, case kept."""
    return _WORD.findall(text)


def read(who: str, source: str, folder: Path):
    """Texts of the data set `source`, and its other columns."""
    table = base_table(who, "texts", source, folder)
    if TEXT not in table.columns or table.empty:
        raise InputError(f"{who}: the data set {source!r} has no column {TEXT!r} or no rows; name another in `texts`")
    missing = int(table[TEXT].isna().sum())
    if missing:
        raise InputError(f"{who}: {missing} texts of the data set {source!r} are missing; fix its source")
    return [str(text) for text in table[TEXT]], table.drop(columns=TEXT)


def count(documents):
    """Count of each word in each text."""
    index, columns, ends = {}, [], [0]
    for document in documents:
        columns.append(np.array([index.setdefault(word, len(index)) for word in words(document)], np.int32))
        ends.append(ends[-1] + len(columns[-1]))
    columns = np.concatenate(columns)
    counts = scipy.sparse.csr_array(
        (np.ones(len(columns), np.int32), columns, np.array(ends)), shape=(len(documents), len(index))
    )
    counts.sum_duplicates()
    return counts, list(index)
