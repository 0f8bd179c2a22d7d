"""Columns of numbers with a few other texts, such as "." or "unknown", which stand for missing values."""

import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.frames import in_order
from ironbark.pipeline.data.table.frame import listed

FEW = 0.1  # share of the entries that texts may have among numbers of few values, such as grades
MANY = 10  # different numbers that no list of categories has

#: Texts that say that there is no value, such as ".", "--", "#DIV/0!", "n.a.".
_NOTHING = re.compile(r"\W*|#\S*|(?i:n[./]?\s?[ad]\.?|unknown|missing|null|not available|tbd)")


def as_missing(who: str, table: pd.DataFrame, names: list[str], missing: str, remedy: Callable):
    """The table with such texts as missing values."""
    changed, sentences = {}, []
    for name in names:
        numbers = _numbers(table[name])
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


def _numbers(column):
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
