"""Feature columns that look like identifiers, free text, dates or numbers with a unit, and texts among numbers."""

import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.frames import in_order
from ironbark.pipeline.data.frame import listed

#: Fewer rows than this are too few to tell an identifier from a feature.
FEWEST_ROWS = 20

#: A name of a column that says that it holds identifiers: customer_id, UserID, ID, row number.
_ID_NAME = re.compile(r"(?i:^(id|uuid|guid|index|key)$|[_\s.-](id|uuid|guid|key|number|no|nr)$)|[a-z](Id|ID|Number)$")

_WITH_UNIT = re.compile(
    r"\s*[-+]?\d+(?:[.,]\d+)*\s*([A-Za-z%°µ€$£]+[²³]?(?:/[A-Za-z]+)?)\s*|\s*([€$£])\s*\d+(?:[.,]\d+)*\s*"
)

#: 31/12/2020, 2020-12-31, 31.12.2020, 12-31-20, 2020/12, 12/2020, with or without a time; or a time alone.
_DATE = re.compile(
    r"(?:\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{1,2}([/-])\d{1,2}\2\d{2}|\d{4}([/.-])\d{1,2}\3\d{1,2}|\d{4}[/-]\d\d|\d\d?[/-]\d{4})"
    r"(?:[T,]?\s*\d\d?:\d\d.*)?|\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?"
)

_WITH_COMMAS = re.compile(r"\s*[-+]?(?:\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,]\d+)?\s*")


def suspicion(who: str, column, categories: bool, remedy: str | None = None):
    """A sentence on a column that is hardly meant to be a feature, or None.

    Text and categories are suspicious if they are dates, if there is more than one value in two rows, or if all values
    are numbers with a unit, or numbers of which some have commas. Whole numbers are suspicious if no value occurs twice
    and they are either in order, or hardly leave out any number of their range; under the name of an identifier, 90 %
    distinct values are enough. Numbers with decimals never are: measurements have as many values as rows.
    """
    values = column.dropna()
    remedy = remedy or f"set `drop: [{column.name}]`"
    if categories and (date := _date(values)):
        return (
            f"{who}: column {column.name!r} holds dates, such as {date!r}, which are encoded as categories, in "
            f"the order of their texts; write them as numbers in the source, or {remedy}"
        )
    if len(values) < FEWEST_ROWS:
        return None
    look = _texts(values) if categories else _numbers(values, str(column.name))
    if look is None:
        return None
    kind, change = look
    return f"{who}: column {column.name!r} {kind}; {change}{remedy}, unless it is a feature"


def _date(values):
    """The first date of texts of which nearly all are dates, or None."""
    found = [str(value) for value in values.unique()]
    dates = [text for text in found if _DATE.fullmatch(text.strip())]
    return dates[0] if found and len(dates) >= 0.9 * len(found) else None


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


FEW = 0.1  # share of the entries that texts may have among numbers of few values, such as grades
MANY = 10  # different numbers that no list of categories has

#: Texts that say that there is no value, such as ".", "--", "#DIV/0!", "n.a.".
_NOTHING = re.compile(r"\W*|#\S*|(?i:n[./]?\s?[ad]\.?|unknown|missing|null|not available|tbd)")


def as_missing(who: str, table: pd.DataFrame, names: list[str], missing: str, remedy: Callable):
    """The table with such texts as missing values."""
    changed, sentences = {}, []
    for name in names:
        numbers = _numbers_among(table[name])
        if numbers is None:
            continue
        others = table[name][numbers.isna() & table[name].notna()]
        found = f"{who}: column {name!r} holds {numbers.notna().sum():,} numbers and {len(others):,} other texts, "
        found += f"such as {listed([repr(str(text)) for text in others.unique()], 3)}"
        if not _are_few(numbers, others):
            if _in_another_order(table[name], numbers):
                sentences.append(f"{found}; all are encoded as categories, in the order of their texts")
        elif missing == "error":
            raise InputError(f"{found}; set `missing: keep` to make these a level of missing values, or {remedy(name)}")
        else:
            changed[name] = numbers
            sentences.append(f"{found}, which count as missing values; {remedy(name)}")
    return (table.assign(**changed) if changed else table), sentences


def _numbers_among(column):
    """Numbers of a column of texts, NaN for other texts and missing values; None unless it has both."""
    if not (column.dtype == object or isinstance(column.dtype, pd.StringDtype)):
        return None
    codes, found = pd.factorize(column)
    if not all(isinstance(value, str) for value in found):
        return None
    values = pd.to_numeric(pd.Series(found, dtype=object), errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    if not 0 < np.isnan(values).sum() < len(values):
        return None
    return pd.Series(np.append(values, np.nan)[codes], column.index, name=column.name)


def _in_another_order(column, numbers):
    """Whether the numbers are not in the order of their texts."""
    texts = column[numbers.notna()].unique()
    return in_order(texts) != sorted(texts)


def _are_few(numbers, others):
    """Whether the column holds measurements or counts, not codes of which some are numbers, such as 2, 4 and more."""
    if all(_NOTHING.fullmatch(text.strip()) for text in others.unique()):
        return True
    different = numbers.nunique()
    few = different >= MANY or len(others) <= FEW * (len(others) + numbers.notna().sum())
    return few and 2 * others.nunique() <= different
