"""Data frames of numbers: categories by their values, and a clear message for columns of text."""

from contextlib import contextmanager

import numpy as np

from ironbark.errors import InputError


@contextmanager
def numeric(X):
    """X for scikit-learn's checks, whose errors then name the column that holds no numbers.

    Categories that are numbers count by their values. Text has no order that trees could split, and codes of categories
    differ from frame to frame, so columns of text are refused.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame of pandas or polars

    Yields
    ------
    array-like, sparse matrix or data frame
        With missing categories of pandas as NaN, which scikit-learn makes -2**63 if the others are integers.

    Raises
    ------
    InputError
        Within the context, in place of TypeError and ValueError, if a column of the frame holds no numbers.
    """
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
