"""CSV files: read by pandas, and refused where pandas would guess without a word."""

import csv
import io
import sys
import warnings

import pandas as pd
from pandas.api import types

from ironbark.frames import EXACT
from ironbark.levels import INTEGER
from ironbark.pipeline.data.frame import REPEATED, listed, repeated

#: Texts that stand for a missing value, next to those that pandas knows (empty, NA, NaN, null, ...).
MISSING = ["?"]


class Fault(ValueError):
    """A fault of a table whose message names the remedy."""


def read(stream, target: str | None = None, names: list[str] | None = None, short=False, **options) -> pd.DataFrame:
    """Read a CSV file, by default separated by commas, whose first row is a header unless `names` replace it.

    With `short`, rows may have fewer fields.
    """
    _check_first_row(stream, names, **options)
    if names is not None:
        options |= {"names": names, "header": None}
    table = parsed(stream, na_values=MISSING, low_memory=False, **options)
    if not short and table.iloc[:, -1].isna().any():
        stream.seek(0)
        plain = {name: options[name] for name in options.keys() - {"names", "header"}}
        lengths = [(number, len(fields)) for number, fields in records(stream, **plain)]
        if sentence := short_rows(lengths, table.shape[1]):
            raise Fault(f"{sentence}; fill them in, or remove them")
    if target in table:
        stream.seek(0)
        texts = parsed(stream, usecols=[target], dtype=str, keep_default_na=False, **options)[target]
        if words := missing_words(table[target], texts):
            raise Fault(f"{words}; give this class another name, or remove these rows")
        table[target] = _as_written(table[target], texts)
    return _with_texts(stream, table, **options)


def _as_written(labels, texts):
    """Labels as texts, if numbers or booleans would change them; as they are if not."""
    if labels.dtype == object or isinstance(labels.dtype, pd.StringDtype):
        return labels.mask(texts.str.strip() == "")
    stripped = texts.str.strip()
    found = stripped if stripped.nunique() == texts.nunique() else texts
    pairs = pd.DataFrame({"label": labels, "text": found})[labels.notna()].drop_duplicates()
    plain = all(text in (str(label), f"{label:g}") for label, text in pairs.itertuples(index=False))
    return labels if plain else found.where(labels.notna())


def _check_first_row(stream, names, **options):
    """Refuse a header of one column by mistake or with a name twice, which pandas would number; or other `names`."""
    first = pd.read_csv(stream, header=None, nrows=1, dtype=str, na_filter=False, **options).iloc[0].tolist()
    stream.seek(0)
    if names is not None:
        if len(names) != len(first):
            raise Fault(f"it has {len(first)} columns, but `columns` names {len(names)}; fix it")
        return
    name = repeated([name for name in first if name])  # those without a name get one from pandas
    if name is not None:
        raise Fault(REPEATED.format(name))
    if len(first) == 1 and any(separator in first[0] for separator in {";", "\t", "|"} - {options.get("sep", ",")}):
        raise Fault(f"the header {first[0]!r} is a single column; separate the columns by commas")


def parsed(stream, **options) -> pd.DataFrame:
    """A CSV file as pandas reads it, but for rows with more fields than the header, whose ends it would drop."""
    try:
        with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
            return pd.read_csv(stream, index_col=False, **options)
    except pd.errors.ParserWarning:
        raise Fault("rows have more fields than the header; give every column a name, or remove the fields") from None


def records(stream, sep=",", skiprows=0, skipinitialspace=False):
    """Number of each record as a spreadsheet shows it, and its fields, without blank lines."""
    csv.field_size_limit(sys.maxsize)
    blank = sep == r"\s+"
    lines = io.TextIOWrapper(stream, "utf-8-sig", newline="")
    for _ in range(skiprows):
        lines.readline()
    options = {"delimiter": " " if blank else sep, "skipinitialspace": blank or skipinitialspace}
    try:
        for number, found in enumerate(csv.reader(lines, **options), 1):
            fields = [text for text in found if text] if blank else found
            if len(fields) > 1 or (fields and fields[0].strip()):
                yield number, fields
    finally:  # else the stream is closed with the wrapper, also where only some records are taken
        lines.detach()


def short_rows(lengths, width):
    """A sentence on records of fewer fields (pairs of a number and how many), or None."""
    short = [number for number, length in lengths if length < width]
    return f"{len(short):,} rows have fewer fields than the header, such as row {short[0]}" if short else None


def _with_texts(stream, table, **options):
    """The table with texts of integers beyond 2**53 that would be equal as floats, or that pandas has as objects."""
    large = [name for name in table if _holds_large(table[name])]
    if large:
        stream.seek(0)
        texts = parsed(stream, usecols=large, dtype=str, na_values=MISSING, **options)
        merged = [name for name in large if _merges(table[name], texts[name])]
        table[merged] = texts[merged]
    return table


def _holds_large(column):
    """Whether floats may not hold each number of a column."""
    if column.dtype == object:
        return types.infer_dtype(column, skipna=True) == "integer"
    return types.is_numeric_dtype(column.dtype) and column.abs().max() >= EXACT


def _merges(column, texts):
    """Whether integers of a column are objects, or equal as float64."""
    integers = texts[texts.str.fullmatch(INTEGER.pattern, na=False)]
    return column.dtype == object or integers.map(int).nunique() > column[integers.index].astype(float).nunique()


def missing_words(labels, texts):
    """A sentence on labels that are words but count as missing, or None."""
    words = texts[labels.isna() & ~texts.str.strip().isin(["", *MISSING])]
    found, count = listed([repr(word) for word in sorted(words.unique())]), f"{len(words)} of {len(labels)} labels"
    return f"{count} in column {labels.name!r} are {found}, which counts as missing" if len(words) else None
