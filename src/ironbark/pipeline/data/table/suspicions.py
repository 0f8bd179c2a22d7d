"""Feature columns that look like identifiers, free text, or numbers that are written with a unit or commas."""

import re

import numpy as np

#: Fewer rows than this are too few to tell an identifier from a feature.
FEWEST_ROWS = 20

#: A name of a column that says that it holds identifiers: customer_id, UserID, ID, row number.
_ID_NAME = re.compile(r"(?i:^(id|uuid|guid|index|key)$|[_\s.-](id|uuid|guid|key|number|no|nr)$)|[a-z](Id|ID|Number)$")

_WITH_UNIT = re.compile(
    r"\s*[-+]?\d+(?:[.,]\d+)*\s*([A-Za-z%°µ€$£]+[²³]?(?:/[A-Za-z]+)?)\s*|\s*([€$£])\s*\d+(?:[.,]\d+)*\s*"
)

_WITH_COMMAS = re.compile(r"\s*[-+]?(?:\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,]\d+)?\s*")


def suspicion(who, column, categories):
    """A sentence on a column that is hardly meant to be a feature, or None.

    Parameters
    ----------
    who : str
        The data set.
    column : Series
        Of the raw table.
    categories : bool
        Whether it was encoded as categories; else as numbers.

    Notes
    -----
    Text and categories are suspicious if there is more than one value in two rows, or if all values are numbers with a
    unit, or numbers of which some have commas. Whole numbers are suspicious if no value occurs twice and they are
    either in order, or hardly leave out any number of their range; under the name of an identifier, 90 % distinct
    values are enough. Numbers with decimals never are: measurements have as many values as rows.
    """
    values = column.dropna()
    if len(values) < FEWEST_ROWS:
        return None
    look = _texts(values) if categories else _numbers(values, str(column.name))
    if look is None:
        return None
    kind, remedy = look
    return f"{who}: column {column.name!r} {kind}; {remedy}set `drop: [{column.name}]`, unless it is a feature"


def _texts(values):
    found = values.unique()
    units = [_WITH_UNIT.fullmatch(str(value)) for value in found]
    if all(units) and 2 * len({match[1] or match[2] for match in units}) < len(found):
        return (
            f"holds numbers with a unit, such as {str(found[0])!r}, which are encoded as categories, not by size",
            "write plain numbers in the source, or ",
        )
    comma = next((str(value) for value in found if "," in str(value)), None)
    if comma is not None and all(_WITH_COMMAS.fullmatch(str(value)) for value in found):
        return (
            f"holds numbers with commas, such as {comma!r}, which are encoded as categories, not by size",
            "write them like 1000 and 0.5 in the source, or ",
        )
    if 2 * len(found) > len(values):
        return f"has {len(found)} different texts in {len(values)} rows, like an identifier or free text", ""
    return None


def _numbers(values, name):
    numbers = values.to_numpy(dtype=np.float64)
    if not np.isfinite(numbers).all() or (numbers != np.trunc(numbers)).any():
        return None
    found, n = len(np.unique(numbers)), len(numbers)
    steps = np.diff(numbers)
    in_order = (steps > 0).all() or (steps < 0).all()
    dense = numbers.max() - numbers.min() < 2 * n
    named = _ID_NAME.search(name) is not None and found >= 0.9 * n
    if named or found == n and (in_order or dense):
        return f"has {found} different whole numbers in {n} rows, like an identifier or a row number", ""
    return None
