"""Data frames of numbers: categories by their values, and a clear message for columns of text."""

from contextlib import contextmanager

import numpy as np

from ironbark.errors import InputError

EXACT = 2**53  # integers up to it are numbers of float64


@contextmanager
def numeric(X, exact=True):
    """X for scikit-learn's checks, whose errors then name the column that holds no numbers.

    Categories that are numbers count by their values. Text has no order that trees could split, and codes of categories
    differ from frame to frame, so columns of text are refused.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame of pandas or polars
    exact : bool, default=True
        Whether to refuse integers beyond 2**53 next to other types, which would become equal numbers of float64.

    Yields
    ------
    array-like, sparse matrix or data frame
        With missing categories of pandas as NaN, which scikit-learn makes -2**63 if the others are integers.

    Raises
    ------
    InputError
        Within the context, in place of TypeError and ValueError, if a column of the frame holds no numbers. Before, for
        integers that are too large.
    """
    if exact:
        _refuse_large(X)
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "dtypes"):
        yield X
        return
    try:
        yield _with_missing(X)
    except (TypeError, ValueError) as error:
        for place, name in enumerate(columns):
            _check_column(X, place, name, error)
        raise


def _refuse_large(X):
    """Raise InputError for integers that a conversion to float64 would merge; arrays of integers are checked later."""
    if isinstance(X, np.ndarray):
        found = [("X", value) for value in X.ravel()] if X.dtype == object else []
    else:
        found = _ends(X) if hasattr(X, "iloc") and X.ndim == 2 else []
    for name, value in found:
        if isinstance(value, int | np.integer) and abs(int(value)) > EXACT:
            raise InputError(
                f"{name} holds {value}, an integer beyond 2**53, which float64 thresholds cannot tell from its "
                "neighbours; leave it out, or give ranks."
            )


def _ends(X):
    """Least and largest value of each column of 64-bit integers in a frame that has other types, too."""
    dtypes = list(X.dtypes)
    if len(set(dtypes)) == 1 and isinstance(dtypes[0], np.dtype):
        return []
    is_long = [getattr(dtype, "kind", "") in "iu" and getattr(dtype, "itemsize", 0) == 8 for dtype in dtypes]
    part = X.iloc[:, np.flatnonzero(is_long)]
    names = [f"column {name!r} of X" for name in part.columns]
    return [pair for ends in (part.min(), part.max()) for pair in zip(names, ends, strict=True)] if names else []


def _with_missing(X):
    """The frame with missing categories as NaN."""
    if not hasattr(X, "iloc"):
        return X
    places = [place for place, dtype in enumerate(X.dtypes) if hasattr(dtype, "categories")]
    places = [place for place in places if dtype_kind(X, place) in "iu" and X.iloc[:, place].hasnans]
    if not places:
        return X
    X = X.copy(deep=False)
    for place in places:
        X.isetitem(place, X.iloc[:, place].astype(np.float64))
    return X


def dtype_kind(X, place):
    """Kind of the type of a pandas column's categories."""
    return np.asarray(X.dtypes.iloc[place].categories).dtype.kind


def _check_column(X, place, name, error):
    """Raise InputError if a column holds no numbers."""
    values = np.asarray(X.iloc[:, place] if hasattr(X, "iloc") else X[name])
    wrong = values[:1] if values.dtype.kind in "mM" else [value for value in values if not _is_number(value)]
    if len(wrong):
        raise InputError(
            f"column {name!r} of X holds {str(wrong[0])!r}, but trees split numbers; encode it before, e.g. with "
            "sklearn.preprocessing.OrdinalEncoder in a pipeline, which keeps the order of its categories for predict."
        ) from error


def _is_number(value):
    try:
        float(value)
    except (TypeError, ValueError):
        return value is None or type(value).__name__ == "NAType"
    return True
