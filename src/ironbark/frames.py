"""Features as numbers: text of data frames by its rank, categories by value or order, in native byte order."""

from collections import Counter
from collections.abc import Collection
from datetime import date
from importlib.util import find_spec
from numbers import Real

import numpy as np

from ironbark.errors import InputError
from ironbark.levels import INTEGER, is_missing, is_number, levels_of

EXACT = 2**53  # integers up to it are numbers of float64
FEW = 20  # different texts of a column that is text though most are numbers, as 2, 3, 4, 5more
GAPS = {"", "?", "-", "na", "n/a", "nan", "null", "none", "missing", "unknown"}  # how tables write missing values


def numbers(
    X,
    categories: dict[int, list] | None = None,
    *,
    chosen: Collection[int] = (),
    native: bool = False,
    exact: bool = True,
    keep: bool = False,
    text: bool = True,
):
    """Features for scikit-learn's checks, XGBoost and LightGBM: text of a data frame as ranks, the rest as it is.

    So are columns chosen as categorical. Levels of these, with `native` of all text, are for sets: few are kept. With
    `keep`, for libraries that part levels themselves, they become a category of text in a frame of pandas.
    """
    X = of_arrow(X)
    if not is_frame(X):
        X = _array(_of_lists(X) if isinstance(X, list | tuple) else X, exact)
        return _array_of_levels(X, categories, chosen) if categories or chosen else (X, {})
    if not getattr(X.columns, "is_unique", True):
        raise InputError(f"X has several columns {X.columns[X.columns.duplicated()][0]!r}; rename or drop all but one.")
    if exact:
        _refuse_large_columns(X)
    keep = keep and (hasattr(X, "iloc") or find_spec("pandas"))
    found, changed = dict(categories or {}), {}
    for place, dtype in enumerate(X.dtypes):
        values, name = _converted(X, place, dtype), f"column {X.columns[place]!r} of X"
        if exact and values is not None:
            _refuse_large(name, _extremes(values))
        new = categories is None and (place in chosen or (text and _has_levels(values, dtype, keep)))
        if new and place not in chosen and getattr(dtype, "ordered", False):
            found[place] = [level if isinstance(level, Real) else str(level) for level in dtype.categories.tolist()]
        if new or place in found:
            is_column = values is not None and (values.dtype == object or not hasattr(X, "iloc"))
            values = _ranked(name, values if is_column else _column(X, place), found, place, native or place in chosen)
        elif values is not None and values.dtype.kind not in "biuf":
            coerced = "write others as NaN, as pandas.to_numeric(errors='coerce') does, or use categorical_features"
            remedy = coerced if text else "encode it before"
            values = _floats(name, values, remedy, exact)
        if keep and found.get(place):
            values = _categorical(values, found[place], getattr(dtype, "ordered", False))
        changed |= {} if values is None else {place: values}
    return _with(X, changed), found


def is_frame(X):
    """Whether X is a data frame of pandas or polars, and not a lazy one."""
    return not hasattr(type(X), "explain") and hasattr(X, "columns") and hasattr(X, "dtypes")


def of_arrow(X):
    """An Arrow table as a frame of pandas, if that is installed, and all else as it is."""
    is_arrow = all(hasattr(type(X), name) for name in ("column_names", "schema", "to_pandas"))
    return X.to_pandas(integer_object_nulls=True) if is_arrow and find_spec("pandas") else X


def _of_lists(X):
    """Lists as an array of numbers, or as they are, for scikit-learn to refuse."""
    try:
        array = np.asarray(X)
    except ValueError:  # of several lengths
        return X
    return array if array.dtype.kind in "biufO" else X


def _array(X, exact):
    """An array or a sparse matrix in the byte order of the machine, objects and masked values as float64."""
    if isinstance(X, np.ma.MaskedArray):
        X = X.astype(np.float64).filled(np.nan) if np.ma.is_masked(X) else X.data
    values = X if isinstance(X, np.ndarray) else getattr(X, "data", None)
    if not isinstance(values, np.ndarray):
        return X
    if values.dtype.kind in "UST":
        raise InputError(f"X holds the text {str(values.flat[0])!r}; give numbers, or a data frame with text.")
    if values.dtype.kind in "mM":
        raise InputError(f"X holds the time {str(values.flat[0])!r}; give numbers, e.g. of days.")
    if values.dtype.kind == "c":
        raise InputError("Complex data not supported: X holds complex numbers; give their parts as features.")
    if exact:
        _refuse_large("X", _extremes(values))
    if values is X and values.dtype == object:
        return _floats("X", X, "give numbers, or a data frame with text", exact)
    return X if values.dtype.isnative else X.astype(values.dtype.newbyteorder("="))


def _extremes(values):
    """Least and largest entry of an array of 64-bit integers, and all objects but floats; empty for others."""
    if values.dtype == object:
        return [value for value in values.ravel().tolist() if type(value) is not float]
    is_long = values.dtype.kind in "iu" and values.dtype.itemsize == 8 and values.size
    return [values.min(), values.max()] if is_long else []


def _refuse_large(name, values):
    for value in values:
        if isinstance(value, int | np.integer) and abs(int(value)) > EXACT:
            what = f"{value}, an integer beyond 2**53, which float64 thresholds cannot tell from its neighbours"
            raise InputError(f"{name} holds {what}; leave it out, or give ranks.")


def _refuse_large_columns(X):
    """Raise InputError for columns of 64-bit integers, nullable or not, that a conversion to float64 would merge."""
    if not hasattr(X, "iloc"):
        names = [name for name, dtype in zip(X.columns, X.dtypes, strict=True) if dtype.is_integer()]
        pairs = [(name, end) for name in names for end in (X[name].min(), X[name].max())]
    else:
        dtypes = [getattr(dtype, "numpy_dtype", dtype) for dtype in X.dtypes]
        is_long = [getattr(dtype, "kind", "") in "iu" and getattr(dtype, "itemsize", 0) == 8 for dtype in dtypes]
        whole = X.iloc[:, np.flatnonzero(is_long)]
        types = set(whole.dtypes)  # one at a time, since extremes of several types would become float64
        parts = [whole.loc[:, (whole.dtypes == dtype).to_numpy()] for dtype in types]
        pairs = [pair for part in parts for ends in (part.min(), part.max()) for pair in ends.items()]
    for name, value in pairs:
        _refuse_large(f"column {name!r} of X", [value])


def _converted(X, place, dtype):
    """Values of a column that may not stay as they are; None for numbers."""
    if hasattr(X, "iloc"):
        if getattr(dtype, "kind", "O") in "biuf":
            if hasattr(dtype, "pyarrow_dtype"):
                return X.iloc[:, place].to_numpy(np.float64, na_value=np.nan)
            if getattr(dtype, "isnative", True):
                return None
        values = _column(X, place)
        return values.astype(values.dtype.newbyteorder("=")) if values.dtype.kind in "biuf" else values
    if str(dtype).startswith(("Decimal", "Float16", "Int128", "UInt128")):  # which LightGBM does not survive
        return X.to_series(place).cast(float).to_numpy()
    return None if dtype.is_numeric() or str(dtype) == "Boolean" else _column(X, place)


def _column(X, place):
    if not hasattr(X, "iloc"):
        column = X.to_series(place)
        return np.fromiter(column.to_list(), object) if column.dtype.is_nested() else column.to_numpy()
    column = X.iloc[:, place]
    named = any(not isinstance(level, str | Real) for level in getattr(column.dtype, "categories", ()))  # as of times
    return np.asarray(column.cat.rename_categories(str) if named else column)


def ordered_places(X) -> set[int]:
    """Positions of the columns of a data frame whose categories have an order."""
    dtypes = X.dtypes if is_frame(X) and hasattr(X, "iloc") else []
    return {place for place, dtype in enumerate(dtypes) if getattr(dtype, "ordered", False)}


def _has_levels(values, dtype, keep):
    """Whether a column is text: all its values are, and most no numbers (of few, or of categories, one); or is kept."""
    if values is None or (keep and hasattr(dtype, "categories")):
        return values is not None
    if values.dtype.kind in "UST":
        values = values.astype(object)
    entries = values.tolist() if values.dtype == object else []
    named = list(getattr(dtype, "categories", ()))
    entries = named if entries and named and all(isinstance(name, str) for name in named) else entries
    texts = {value for value in entries if isinstance(value, str)}
    if not all(isinstance(value, str) or is_missing(value) for value in entries):
        return False
    if not texts:  # objects that are all missing, as of a fold; a later text counts as missing
        return bool(entries)
    is_category = hasattr(dtype, "categories") or str(dtype).startswith(("Categorical", "Enum"))
    others = [text for text in texts if not is_number(text)]
    few = len(texts) <= FEW and not any(text.strip().lower() in GAPS for text in others)
    return bool(others) if is_category or few else 2 * len(others) > len(texts)


def _array_of_levels(X, categories, chosen):
    """An array with ranks in its categorical columns, and the levels by their ranks."""
    if any(isinstance(level, str) for levels in (categories or {}).values() for level in levels[:1]):
        raise InputError("X had columns of text in fit, but has none; give a data frame with the columns of fit.")
    if not isinstance(X, np.ndarray) or X.ndim != 2:
        raise InputError("categorical_features needs X as a table; give an array or a data frame.")
    X, found = X.astype(np.float64), dict(categories or {})
    for place in found or chosen:
        X[:, place] = _ranked(f"column {place} of X", X[:, place], found, place, True)
    return X, found


def _ranked(name, values, found, place, native):
    """Ranks of the levels of a column, NaN where it has none, or one that is not among those of fit."""
    entries = [x if isinstance(x, str) or not is_missing(x) else None for x in values.astype(object).tolist()]
    if wrong := [value for value in entries if isinstance(value, list | dict | np.ndarray)]:
        raise InputError(f"{name} holds {wrong[0]!r}; make it numbers or text.")
    counts = Counter(entries)
    if values.dtype.kind in "mM" or any(isinstance(value, date) for value in counts):
        raise InputError(f"{name} holds times, which differ by their unit; write them as text, or as numbers of days.")
    texts = [value for value in counts if value is not None]
    if place not in found:
        found[place] = levels_of(name, texts, counts, native)
    levels = found[place]
    ranks = {level: float(rank) for rank, level in enumerate(levels)}
    of_text = bool(levels) and isinstance(levels[0], str)
    others = [value for value in texts if of_text and not isinstance(value, str)]  # whole floats without a point
    written = {value: f"{value:.15g}" if isinstance(value, Real | np.number) else str(value) for value in others}
    if any(map(is_number, filter(None, levels))):  # pandas reads a part of 2, 3, 4, 5more as numbers
        entries, texts = ([written.get(value, value) for value in each] for each in (entries, texts))
    if wrong := [value for value in texts if levels and isinstance(value, str) != of_text]:
        kind = "text" if of_text else "numbers"
        raise InputError(f"{name} holds {wrong[0]!r}, but held {kind} in fit; give the {kind} of fit.")
    other = ranks.get(None, np.nan)  # the rank of the levels that are not told apart
    return np.array([np.nan if value is None else ranks.get(value, other) for value in entries], np.float64)


def _categorical(ranks, levels, ordered):
    """A categorical column of a pandas frame, for libraries that part levels themselves."""
    import pandas as pd  # late, since it is optional

    codes = np.where(np.isnan(ranks), -1, ranks).astype(int)
    return pd.Categorical.from_codes(codes, list(map(str, levels)), ordered=ordered)


def _floats(name, values, remedy, exact):
    """Objects as float64, missing ones as NaN; InputError for text, and TypeError for what is neither."""
    if values.dtype.kind in "mM":
        raise InputError(f"{name} holds {str(values[:1][0])!r}, a time; encode it before, e.g. as days.")
    entries = values.ravel().tolist()
    if set(map(type, entries)) <= {float}:
        return np.array(entries, np.float64).reshape(values.shape)
    if wrong := [value for value in entries if isinstance(value, str) and not is_number(value)]:
        raise InputError(f"{name} holds {wrong[0]!r}, which is no number; {remedy}.")
    if exact:
        _refuse_large(name, [int(text) for text in map(str, entries) if INTEGER.fullmatch(text)])
    try:
        return np.array([np.nan if is_missing(value) else float(value) for value in entries]).reshape(values.shape)
    except (TypeError, ValueError) as error:
        if name == "X":
            raise
        wrong = next(value for value in entries if not is_missing(value) and not is_number(value))
        raise InputError(f"{name} holds {wrong!r}; make it numbers or text.") from error


def _with(X, changed):
    """The frame with other values of some columns, by their positions."""
    if not changed:
        return X
    if hasattr(X, "iloc"):
        X = X.copy(deep=False)
        for place, values in changed.items():
            X.isetitem(place, values)
        return X
    if any(not isinstance(values, np.ndarray) for values in changed.values()):  # categories of pandas
        import pandas as pd

        others = {place: X.to_series(place).cast(float).to_numpy() for place in {*range(X.width)} - changed.keys()}
        return pd.DataFrame(others | changed).sort_index(axis=1).set_axis(X.columns, axis=1)
    series = type(X.to_series(0))
    return X.with_columns([series(X.columns[place], values) for place, values in changed.items()])
