"""CSV files: read by pandas, and refused where pandas would guess without a word."""

import pandas as pd
from pandas.api import types

from ironbark.pipeline.data.table.frame import REPEATED, listed, repeated

#: Texts that stand for a missing value, next to those that pandas knows (empty, NA, NaN, null, ...).
MISSING = ["?"]


class Fault(ValueError):
    """A fault of a table whose message names the remedy."""


def read(stream, target=None):
    """Read a CSV file with a header, separated by commas.

    Parameters
    ----------
    stream : binary file
        UTF-8; must be able to seek.
    target : str, optional
        Column of the labels.

    Returns
    -------
    DataFrame
        Columns with whole numbers of more than 64 bits hold their texts.

    Raises
    ------
    Fault
        If another separator is used, rows have more fields than the header, a column occurs twice, or a label counts
        as missing, such as "None".
    ValueError
        Of pandas.
    """
    names = check_header(stream)
    _check_separator(names)
    table = pd.read_csv(stream, na_values=MISSING, low_memory=False)
    check_width(table)
    if target in table and table[target].isna().any():
        _check_labels(stream, table[target])
    return _with_texts(stream, table)


def check_header(stream, **options):
    """Refuse a header that names a column twice; pandas would number them.

    Parameters
    ----------
    stream : binary file
        It is rewound.
    **options
        Of `pandas.read_csv`: what the header's line and fields depend on.

    Returns
    -------
    list of str
        Names in the header.
    """
    names = pd.read_csv(stream, header=None, nrows=1, dtype=str, na_filter=False, **options).iloc[0].tolist()
    stream.seek(0)
    name = repeated([name for name in names if name])  # those without a name get one from pandas
    if name is not None:
        raise Fault(REPEATED.format(name))
    return names


def _check_separator(names):
    if len(names) == 1 and any(separator in names[0] for separator in (";", "\t")):
        raise Fault(f"the header {names[0]!r} is a single column; separate the columns by commas")


def check_width(table):
    """Refuse a table whose rows have more fields than its header; pandas makes an index of the first ones."""
    if not isinstance(table.index, pd.RangeIndex):
        named = table.shape[1]
        raise Fault(
            f"rows have {named + table.index.nlevels} fields, the header has {named}; give every column a name, or "
            "remove separators at the ends of the rows"
        )


def _with_texts(stream, table):
    """The table with the texts of whole numbers that pandas could not store as such."""
    objects = [name for name in table if table[name].dtype == object]
    wide = [name for name in objects if types.infer_dtype(table[name], skipna=True) == "integer"]
    if wide:
        stream.seek(0)
        table[wide] = pd.read_csv(stream, usecols=wide, dtype=str, na_values=MISSING)[wide]
    return table


def _check_labels(stream, labels):
    """Refuse labels that are words but count as missing."""
    stream.seek(0)
    texts = pd.read_csv(stream, usecols=[labels.name], dtype=str, keep_default_na=False)[labels.name]
    words = texts[labels.isna() & ~texts.str.strip().isin(["", *MISSING])]
    if len(words):
        found = listed([repr(word) for word in sorted(words.unique())])
        raise Fault(
            f"{len(words)} of {len(labels)} labels in column {labels.name!r} are {found}, which counts as missing; "
            "give this class another name, or remove these rows"
        )
