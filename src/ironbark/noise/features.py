"""Features as noise models need them: finite numbers on one scale, or a single column."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array

from ironbark.encoding import EncodedFeatures
from ironbark.errors import InputError
from ironbark.frames import numbers


def standardised(name: str, X) -> np.ndarray:
    """Columns that vary, with mean 0 and variance 1."""
    X = finite(name, X)
    X = X[:, X.max(axis=0) > X.min(axis=0)]
    if X.shape[1] == 0:
        raise InputError(f"noise {name!r} needs features that vary, but every column of X is constant.")
    X -= X.mean(axis=0)  # in place, since tables may be large; the choice of columns has made a copy
    X /= np.sqrt(np.einsum("ij,ij->j", X, X) / len(X))
    return X


def finite(name, X):
    """X as an array of shape (n_samples, n_features), float64; InputError unless it is a table of finite numbers."""
    X = _array(name, X)
    if not np.isfinite(X).all():
        raise InputError(f"noise {name!r} measures distances, but X holds NaN or infinity; fill or drop these values.")
    return X


def _array(name, X):
    if isinstance(X, EncodedFeatures):
        return X.decode()
    try:
        X, _ = numbers(X, exact=False, text=False)
        return check_array(X, dtype=np.float64, ensure_all_finite=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"noise {name!r} needs a dense table of numbers as X: {error}") from error


def column_of(name: str, X, column: int | str) -> np.ndarray:
    """Values of one column."""
    if isinstance(column, str):
        known = [str(known) for known in getattr(X, "columns", ())]
        if column not in known:
            have = f"has the columns {', '.join(known[:20])}" if known else "has no column names; give a position"
            raise InputError(f"noise {name!r} asks for column {column!r}, but X {have}.")
        column = known.index(column)
    n_features = n_columns(X)
    if column >= n_features:
        raise InputError(f"noise {name!r} asks for column {column}, but X has the columns 0 to {n_features - 1}.")
    if isinstance(X, EncodedFeatures):
        return X.levels[X.offsets[column] : X.offsets[column + 1]][X.codes[column]]
    if issparse(X):
        return X.tocsc()[:, [column]].toarray()[:, 0]
    return X.iloc[:, column].to_numpy() if hasattr(X, "iloc") else np.asarray(X)[:, column]


def n_columns(X):
    """Number of columns of a table."""
    return X.shape[1] if hasattr(X, "shape") else np.asarray(X).shape[1]
