"""From the raw table to numeric feature columns, one column at a time."""

import numpy as np
import pandas as pd
from pandas.api import types

from ironbark.errors import InputError
from ironbark.levels import order
from ironbark.pipeline.data.catalog import IMPUTED

REPEATED = "the column {!r} occurs twice; give every column a name of its own"


def feature_names(who: str, columns: pd.Index, drop: list[str], roles: set[str]):
    """Names of the columns that are features, in the order of the table."""
    if isinstance(columns, pd.MultiIndex):
        raise InputError(f"{who}: names of columns have several levels, as {columns[0]}; join each to one name")
    refuse_repeated(who, columns)
    for name in drop:
        if name not in columns:
            raise InputError(f"{who}: there is no column {name!r} to drop; the columns are {listed(columns)}")
    names = [name for name in columns if name not in roles and name not in drop]
    if not names:
        raise InputError(f"{who}: no feature column is left; check which are dropped, and the separator of a CSV file")
    return names


def changed(table: pd.DataFrame, columns: dict) -> pd.DataFrame:
    """As `DataFrame.assign`, for columns of any name, such as `self`."""
    table = table.copy(deep=False)
    for name, values in columns.items():
        table[name] = values
    return table


def column_of(who, table, name, field):
    """The column that an entry names in `field`."""
    if name not in table.columns:
        raise InputError(f"{who}: there is no {field} column {name!r}; set `{field}` to one of {listed(table.columns)}")
    return table[name]


def group_numbers(who, column, remedy):
    """Number of the group of each row; `remedy` is for a column of one group."""
    codes, found = pd.factorize(column)
    if nulls := int((codes < 0).sum()):
        raise InputError(f"{who}: {nulls} of {len(codes)} groups in column {column.name!r} are missing; fill them in")
    if len(found) < 2:
        raise InputError(f"{who}: column {column.name!r} has a single group; {remedy}")
    return codes.astype(np.uint32)


def refuse_repeated(who, names):
    """Raise InputError if a name of a column occurs twice; `who` is the data set or the file."""
    name = repeated(names)
    if name is not None:
        raise InputError(f"{who}: {REPEATED.format(name)}")


def repeated(names):
    """The first name that has occurred before, or None."""
    names = pd.Index(names, dtype=object)
    return None if names.is_unique else names[names.duplicated()][0]


def listed(names, most=12):
    """Names in one line, cut after the first few; those with blanks that nobody sees in quotes."""
    names = [name if name.isprintable() and name == name.strip() != "" else repr(name) for name in map(str, names)]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def numeric(who: str, column, encode: str = "ordinal", missing: str = "keep", named: bool = False):
    """The numeric feature(s) that a column of the raw table becomes; `named` makes categories of numbers."""
    column = _plain(who, column)
    if named and types.is_numeric_dtype(column.dtype):
        _numbers(who, column, imputed=True)  # refuses infinite values
        column = column.astype("Int64" if (column.dropna() % 1 == 0).all() else column.dtype).astype("category")
    if types.is_numeric_dtype(column.dtype):
        return {str(column.name): _numbers(who, column, missing in IMPUTED)}, None
    codes, categories = _ranks(column)
    names = [str(category) for category in categories]
    is_filled = missing in IMPUTED and (codes < 0).any()
    if encode == "one-hot":
        if is_filled:
            raise InputError(f"{who}: column {column.name!r} has gaps; with `encode: one-hot`, set `missing: keep`")
        return {f"{column.name}={name}": (codes == j).astype(np.uint8) for j, name in enumerate(names)}, names
    if is_filled:
        return {str(column.name): np.where(codes < 0, np.nan, codes)}, names
    codes[codes < 0] = len(names)
    return {str(column.name): codes.astype(np.min_scalar_type(len(names)))}, names


#: Kind of Python objects in a column, as pandas infers it -> dtype that holds them.
_OBJECTS = {
    "boolean": "boolean",
    "decimal": "float64",
    "integer": "Int64",
    "floating": "float64",
    "mixed-integer-float": "float64",
    "string": "object",
    "empty": "object",
}


def _plain(who, column):
    """The column as numbers, text or categories."""
    kind = str(column.dtype)
    if column.dtype == object:
        kind = types.infer_dtype(column, skipna=True)
        column = column.astype(_OBJECTS.get(kind, "object"))
    if types.is_bool_dtype(column.dtype) and not isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype("Float64" if column.isna().any() else "uint8")
    number = types.is_numeric_dtype(column.dtype) and not types.is_complex_dtype(column.dtype)
    category = isinstance(column.dtype, (pd.CategoricalDtype, pd.StringDtype))
    if not (number or category or kind in _OBJECTS):
        raise InputError(f"{who}: column {column.name!r} is of type {kind}; name it in `drop` or make it numeric")
    return column


def _numbers(who, column, imputed):
    """Values of a numeric column, missing ones above the largest, or NaN if they are imputed."""
    nulls = column.isna().to_numpy()
    dtype = getattr(column.dtype, "numpy_dtype", column.dtype)
    values = column.to_numpy(np.float64, na_value=np.nan) if nulls.any() else column.to_numpy(dtype)
    if infinite := int(np.isinf(values).sum()):
        raise InputError(
            f"{who}: column {column.name!r} has {infinite} infinite values in {len(column)} rows; "
            "drop the column or fix the source"
        )
    if imputed or not nulls.any():
        return values
    largest = -1.0 if nulls.all() else values[~nulls].max()
    return np.where(nulls, max(largest + 1, np.nextafter(largest, np.inf)), values)


def _ranks(column):
    """Rank of each entry among the sorted categories that occur, -1 where it is missing; and these categories."""
    codes, found = pd.factorize(column)
    places = order(found)
    ranks = np.empty(len(found) + 1, np.int64)
    ranks[places], ranks[-1] = np.arange(len(found)), -1
    return ranks[codes], [found[i] for i in places]
