"""Tables that are hardly as meant: differences from the catalogue, identifiers among features, texts among numbers."""

import calendar
import json
import math
import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.levels import INTEGER, in_order, is_number
from ironbark.pipeline.data import catalog, frame
from ironbark.pipeline.data.frame import listed

#: Fewer rows than this are too few to tell an identifier from a feature.
FEWEST_ROWS = 20

#: A name of a column that says that it holds identifiers: customer_id, UserID, ID, row number.
_ID_NAME = re.compile(r"(?i:^(id|uuid|guid|index|key)$|[_\s.-](id|uuid|guid|key|number|no|nr)$)|[a-z](Id|ID|Number)$")

#: Signs and a currency, a number with or without signs for thousands, signs and a unit.
_NUMBER = r"(?:\d{1,3}(?:[.,'’\s]\d{3})+|\d+)(?:[.,]\d+)?"
_CURRENCY = r"(?:USD|EUR|JPY|GBP|CNY|AUD|CAD|CHF|HKD|SGD|SEK|KRW|NOK|NZD|INR|MXN|BRL|ZAR|DKK|PLN|[A-Z]{1,2}\$)"
_QUANTITY = re.compile(rf"(\W*(?:{_CURRENCY}\W*)?){_NUMBER}([^\w./:-]*(?:[^\W\d]+(?:/[^\W\d]+)?\W*)?)")
_WITH_COMMAS = re.compile(rf"\s*[-+−]?{_NUMBER}\s*")

_DAY, _SIGN = r"[0-3]?\d", r"\s*([/.-])\s*"
_MONTH = "|".join([*calendar.month_name[1:], *calendar.month_abbr[1:], "Sept"])
_FORMS = (
    rf"{_DAY}{_SIGN}{_DAY}\s*\1\s*\d{{4}}",  # 31/12/2020, 31. 12. 2020
    rf"{_DAY}([/-]){_DAY}\2\d\d|[0-3]\d\.[01]\d\.\d\d",  # 12-31-20, 31.12.20
    rf"\d{{4}}{_SIGN}{_DAY}\s*\3\s*{_DAY}",  # 2020-12-31
    rf"\d{{4}}年{_DAY}月(?:{_DAY}日)?|\d{{4}}[/-]\d\d|\d\d?[/-]\d{{4}}",  # 2020/12, 12/2020
    rf"(?:(?:\d{{4}}|{_DAY})\.?[\s/-]*)?(?i:{_MONTH})\.?[\s/-]*(?:{_DAY},?\s+)?(?:\d{{4}}|\d\d)",  # 31-Dec-2020
)
#: Any of these, with or without a time; or a time alone.
_DATE = re.compile(
    rf"(?:{'|'.join(_FORMS)})(?:[T,]?\s*\d\d?:\d\d.*)?|\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?"
)


def suspicion(who: str, column, categories: bool, remedy: str | None = None):
    """A sentence on a column that is hardly meant to be a feature, or None, as for all numbers with decimals."""
    values = column.dropna()
    remedy = remedy or f"set `drop: [{json.dumps(str(column.name), ensure_ascii=False)}]`"
    if categories and (date := _date(values)):
        return (
            f"{who}: column {column.name!r} holds dates, such as {date!r}, which are encoded as categories, in "
            f"the order of their texts; write them as numbers in the source, or {remedy}"
        )
    if len(values) < FEWEST_ROWS:
        return None
    kind, change = _text_kind(values) if categories else (_number_kind(values, str(column.name)), "")
    return f"{who}: column {column.name!r} {kind}; {change}{remedy}, unless it is a feature" if kind else None


def _date(values):
    """The first date of texts of which nearly all are dates, or None."""
    found = [str(value) for value in values.unique()]
    dates = [text for text in found if _DATE.fullmatch(text.strip())]
    return dates[0] if found and len(dates) >= 0.9 * len(found) else None


def _text_kind(values):
    """What texts or categories look like if they are no feature, and another remedy."""
    found = values.unique()
    if quantity := _quantity([str(value) for value in found]):
        kind, change = f"numbers with other signs or a unit, such as {quantity!r}", "plain numbers like 1000 and 0.5"
    elif 2 * len(found) > len(values):
        return f"has {len(found)} different texts in {len(values)} rows, like an identifier or free text", ""
    elif all(INTEGER.fullmatch(str(value)) for value in found) and max(map(len, map(str, found))) > 15:
        kind, change = f"integers beyond 2**53, such as {max(map(str, found), key=len)!r}", "smaller numbers"
    else:
        return None, ""
    return f"holds {kind}, which are encoded as categories, not by size", f"write {change} in the source, or "


def _quantity(texts):
    """The first number with a sign, if most texts are such numbers, nearly all are numbers, and few signs recur."""
    found = [match for match in map(_QUANTITY.fullmatch, texts) if match]
    signed = [match[0] for match in found if not is_number(match[0])]
    units = {(match[1].strip(), match[2].strip()) for match in found}
    nearly_all = len(found) >= 0.9 * len(texts) and 2 * len(signed) > len(texts)
    return signed[0] if nearly_all and len(units) ** 2 < len(texts) else None


def _number_kind(values, name):
    """What whole numbers look like that are in order, leave out hardly any, or are mostly distinct in an id column."""
    numbers = values.to_numpy(dtype=np.float64)
    if not np.isfinite(numbers).all() or (numbers != np.trunc(numbers)).any():
        return None
    found, n, steps = len(np.unique(numbers)), len(numbers), np.diff(numbers)
    counted = (steps > 0).all() or (steps < 0).all() or numbers.max() - numbers.min() < 2 * n
    if found == n and counted or _ID_NAME.search(name) and found >= 0.9 * n:
        return f"has {found} different whole numbers in {n} rows, like an identifier or a row number"
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
            texts = table[name][numbers.notna()].unique()
            if numbers.nunique() >= MANY or in_order(texts) != sorted(texts):  # numbers are not in that of their texts
                found += "; all are encoded as categories, not by size"
                sentences.append(f"{found}; write plain numbers if size matters")
        elif missing == "error":
            raise InputError(f"{found}; set `missing: keep` to make these a level of missing values, or {remedy(name)}")
        else:
            changed[name] = numbers
            commas = all(_WITH_COMMAS.fullmatch(text) for text in others.unique())
            hint = "write them like 1000, or " if commas else ""
            sentences.append(f"{found}, which count as missing values; {hint}{remedy(name)}")
    return (frame.changed(table, changed) if changed else table), sentences


def _numbers_among(column):
    """Numbers of a column of texts, NaN for other texts and missing values; None unless it has both."""
    if not (column.dtype == object or isinstance(column.dtype, pd.StringDtype)):
        return None
    if pd.api.types.infer_dtype(column, skipna=True) != "string":
        return None
    codes, found = pd.factorize(column)
    values = pd.to_numeric(pd.Series(found, dtype=object), errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    if not 0 < np.isnan(values).sum() < len(values):
        return None
    return pd.Series(np.append(values, np.nan)[codes], column.index, name=column.name)


def _are_few(numbers, others):
    """Whether the column holds measurements or counts, not codes of which some are numbers, such as 2, 4 and more."""
    if all(_NOTHING.fullmatch(text.strip()) for text in others.unique()):
        return True
    different = numbers.nunique()
    few = different >= MANY or len(others) <= FEW * (len(others) + numbers.notna().sum())
    return few and 2 * others.nunique() <= different


def refuse(id: str, entry: dict, counts: dict, missing: dict, n_rows: int, mirrored: bool):
    """Refuse labels of other names, and missing values, with lines of YAML that allow for them."""
    faults, changes, hint = [], {}, ""
    renamed = {catalog.text(old): catalog.text(new) for old, new in entry.get("labels", {}).items()}
    expected = entry.get("expect", {}).get("counts") or dict.fromkeys(renamed.values())
    if len(expected) == len(counts) and {renamed.get(name) if renamed else name for name in counts} != set(expected):
        faults.append(f"its labels are {_counted(counts)}, where {_counted(expected)} are expected")
        changes["labels"] = dict(zip(_by_size(counts), map(_plain, _by_size(expected)), strict=True))
        hint = " (after checking which label is which)"
    if missing and entry["missing"] == "error":
        columns = listed([f"column {name!r} has {count} missing values" for name, count in missing.items()], 5)
        faults.append(f"{columns}, in {n_rows} rows")
        changes["missing"] = "keep"
        hint += " (or `missing: drop`, which leaves out these rows)"
    if faults:
        raise InputError(f"data set {id!r}: {', and '.join(faults)}; {_remedy(id, changes, mirrored)}{hint}")


def _by_size(counts):
    return sorted(in_order(counts), key=lambda name: counts[name] or math.inf)


def _counted(counts):
    return listed([name if size is None else f"{name} ({size} rows)" for name, size in counts.items()])


def _plain(label):
    """A label as an integer where it is one, which needs no quotes in YAML."""
    return int(label) if label.lstrip("-").isdecimal() and str(int(label)) == label else label


def _remedy(id, changes, mirrored):
    """Remedy as YAML that can be pasted, and its place."""
    import yaml  # late: the command line reads tables without it

    file, entry = catalog.written(id)
    if mirrored:
        changes = {"in_mirror": {**entry.get("in_mirror", {}), **changes}}
    keys = " and ".join(f"{id}.{key}" for key in changes)
    options = {"default_flow_style": True, "sort_keys": False, "width": math.inf}  # one line, in braces
    lines = " and ".join(f"`{yaml.safe_dump({key: value}, **options).strip()[1:-1]}`" for key, value in changes.items())
    return f"in {file}, set {keys}: {lines}"


def refuse_unexpected(who: str, expect: dict, meta: dict):
    """Raise InputError unless the data are as the catalogue says."""
    faults = [
        f"{name} is {meta[name]}, expected {expect[name]}"
        for name in "ndk"
        if name in meta and meta[name] != expect.get(name, meta[name])
    ]
    if "counts" in expect:
        found = dict(zip(meta["classes"], meta["counts"], strict=True))
        sizes = {name: (found.get(name, 0), expect["counts"].get(name, 0)) for name in {**found, **expect["counts"]}}
        apart = [f"{n} rows with label {name}, expected {m}" for name, (n, m) in sizes.items() if n != m]
        faults += [listed(apart)] if apart else []
    if faults:
        raise InputError(f"{who} is not what the catalogue expects: {'; '.join(faults)}; fix the source or `expect`")
