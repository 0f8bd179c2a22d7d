"""Labels that are probabilities: a sample stands once for each of its possible classes, weighted by its probability."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from ironbark.errors import InputError
from ironbark.inputs import labels
from ironbark.inputs import weights as checked_weights

TOLERANCE = 1e-6  # of the sum of a sample's probabilities


class Expanded(NamedTuple):
    """Rows of a training set: a sample has one for each class that it may have."""

    samples: NDArray[np.intp]  # (n_rows,), ascending: the sample of each row; all samples occur
    labels: NDArray
    weights: NDArray[np.float64]


def is_soft(y: ArrayLike) -> bool:
    """Whether labels are a matrix of probabilities: a column for each of two or more classes."""
    try:
        shape = y.shape if hasattr(y, "shape") else np.asarray(y).shape
    except (TypeError, ValueError):  # rows of several lengths are no matrix
        return False
    return len(shape) == 2 and shape[1] > 1


def expanded(y: ArrayLike, sample_weight: ArrayLike | None = None) -> Expanded:
    """The rows of labels that are a matrix of probabilities; classes are its columns' names, or numbers from 0.

    Raises
    ------
    InputError
        If a row is no distribution.
    """
    names = getattr(y, "columns", None)
    if issparse(y):
        raise _refusal("it is sparse, so give its toarray()")
    if np.ma.is_masked(y):
        raise _refusal(f"row {np.argwhere(np.ma.getmaskarray(y))[0, 0]} is masked")
    if names is not None and len(set(labels(names))) < len(names):
        raise InputError("y has several columns of the same name; name each class once.")
    try:
        shares = y.to_numpy(np.float64, na_value=np.nan) if hasattr(y, "iloc") else np.asarray(y, np.float64)
    except (TypeError, ValueError) as error:
        raise _refusal("it holds text") from error
    classes, sums = np.arange(shares.shape[1]) if names is None else np.asarray(names), shares.sum(axis=1)
    for row, column in np.argwhere(~(np.isfinite(shares) & (shares >= 0)))[:1]:
        raise _refusal(f"row {row} holds {shares[row, column]:g}")
    for row in np.flatnonzero(np.abs(sums - 1) > TOLERANCE)[:1]:
        raise _refusal(f"row {row} sums to {sums[row]:g}")
    samples, columns = np.nonzero(shares)
    weights = shares[samples, columns]
    if sample_weight is not None:
        weights = weights * checked_weights(sample_weight, len(shares))[samples]
    return Expanded(samples, classes[columns], weights)


def _refusal(fault):
    """The error for a matrix whose entries are no probabilities."""
    return InputError(
        f"y has more than one column, so it is read as probabilities of the classes, but {fault}; give numbers >= 0 "
        "that sum to 1 in each row, or one column of labels."
    )
