"""Numbers with a decimal comma in the files of `ironbark labels`."""

import re

import pandas as pd
from pandas.api import types

from ironbark.pipeline.data.table.frame import listed

#: A number with a decimal comma, as 0,5 or 1.234,56; and one whose comma cannot mark thousands.
_COMMA = re.compile(r"\s*[-+]?(?:\d{1,3}(?:\.\d{3})+|\d*)(?:,\d+)?(?:[eE][-+]?\d+)?\s*")
_SURE = re.compile(r"\s*[-+]?(?:[\d.]{4,},\d+|0\d*,\d+|\d*,(?:\d{1,2}|\d{4,}))(?:[eE][-+]?\d+)?\s*")


def with_points(source, table):
    """The table with numbers in place of texts with decimal commas, where they cannot be thousands."""
    found = {}
    for name in table:
        texts = table[name].dropna().unique()
        if types.is_numeric_dtype(table[name].dtype) or not all(isinstance(text, str) for text in texts):
            continue
        commas = [text for text in texts if "," in text and _COMMA.fullmatch(text)]
        numbers = [text for text in texts if _COMMA.fullmatch(text) and any(map(str.isdigit, text))]
        if commas and 2 * (len(texts) - len(numbers)) <= len(numbers):
            found[name] = any(map(_SURE.fullmatch, commas)), commas[0]
    decimal = any(sure for sure, _ in found.values()) and source.options["sep"] != ","
    names = [name for name, (sure, _) in found.items() if sure or decimal]
    changed = {name: _as_numbers(table[name]) for name in names}
    shown = listed([repr(str(name)) for name in names], 5)
    note = f"{source.path}: numbers with a decimal comma, such as {found[names[0]][1]!r}, in {shown}" if names else ""
    return table.assign(**changed), [note] if note else []


def _as_numbers(column):
    """The column with numbers in place of such texts; other texts stay."""
    texts = column.astype(object)
    numbers = texts.map(lambda text: isinstance(text, str) and _COMMA.fullmatch(text) is not None)
    points = texts[numbers].str.replace(".", "").str.replace(",", ".")
    texts[numbers] = points
    try:
        return pd.to_numeric(texts)
    except ValueError:
        return texts
