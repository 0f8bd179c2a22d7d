"""Rank codes of a feature matrix: what all fits of one X share, whatever the labels.

A feature's code is the rank of its value among the feature's distinct values, so a tree that looks only at the order
of values can work on small unsigned integers. Thresholds are midpoints of two neighbouring values, in float64.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import sparray, spmatrix

from ironbark.errors import InputError
from ironbark.frames import numbers
from ironbark.levels import MOST_LEVELS

MEMINFO = "/proc/meminfo"
COLUMNS, ROWS = 32, 512  # that are copied at a time
SMALL = 2**16  # cells that are ranked before a kernel could be compiled


@dataclass(frozen=True, eq=False)
class EncodedFeatures:
    """Feature matrix as dense rank codes; trees and forests fit on it as it is, and NumPy makes an array of it.

    Attributes
    ----------
    codes : ndarray of shape (n_features, n_samples), uint8, uint16 or uint32, C order
        Rank of each value among the distinct values of its feature.
    levels : ndarray of shape (sum of the numbers of levels,), float64
        Distinct values of each feature, ascending, one feature after the other; NaN is the last one where it occurs.
    offsets : ndarray of shape (n_features + 1,), int64
        Where each feature's levels start in `levels`.
    flags : ndarray of shape (n_features,), bool, or None
        Which features are categorical: their codes are their values, and trees part them by sets of levels.
    derived : dict
        What learners computed from the codes and share between fits; not pickled.

    Examples
    --------
    >>> from ironbark import encode
    >>> features = encode([[0.5, 7.0], [0.1, 7.0], [0.5, 9.0]])
    >>> features.codes.tolist(), features.levels.tolist()
    ([[1, 0, 1], [0, 0, 1]], [0.1, 0.5, 7.0, 9.0])
    >>> features.take([0, 2]).shape
    (2, 2)
    """

    codes: np.ndarray
    levels: np.ndarray
    offsets: np.ndarray
    derived: dict = field(default_factory=dict, repr=False)
    flags: np.ndarray | None = None

    def __getstate__(self):
        return {**self.__dict__, "derived": {}}

    @property
    def shape(self) -> tuple[int, int]:
        """(n_samples, n_features), as of the array that was encoded."""
        return self.codes.shape[1], self.codes.shape[0]

    def __len__(self) -> int:
        return self.codes.shape[1]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.decode(dtype or np.float64)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Whether each feature has NaN as its last level; ndarray of shape (n_features,), bool."""
        return np.isnan(self.levels[self.offsets[1:] - 1])

    @property
    def categorical(self) -> NDArray[np.bool_]:
        """`flags`, or no feature; ndarray of shape (n_features,), bool."""
        return np.zeros(self.shape[1], bool) if self.flags is None else self.flags

    def with_categories(self, places: Iterable[int]) -> Self:
        """The same features, of which these, and no others, are categorical; their values must be 0, 1, 2, ...

        Raises
        ------
        InputError
            If such a feature has other values, or more than 65,000.
        """
        flags, places = np.zeros(self.shape[1], bool), list(places)
        if outside := [place for place in places if not 0 <= place < len(flags)]:
            raise InputError(f"X has no feature {outside[0]}; its features are numbered from 0 to {len(flags) - 1}.")
        flags[places] = True
        for place in np.flatnonzero(flags):
            levels = self.levels[self.offsets[place] : self.offsets[place + 1]]
            levels = levels[: len(levels) - np.isnan(levels[-1])]
            if len(levels) > MOST_LEVELS or not np.array_equal(levels, np.arange(len(levels))):
                raise InputError(
                    f"feature {place} of X has {len(levels)} values up to {levels[-1]:g}, but those of a categorical "
                    f"feature that is encoded must be 0, 1, ... below {MOST_LEVELS}; encode them so, or give an array."
                )
        return replace(self, flags=flags if flags.any() else None)

    def single(self) -> Self:
        """The same features with their values rounded to float32; kept with them.

        Raises
        ------
        ValueError
            If a value is too large for float32.
        """
        if "single" not in self.derived:
            self.derived["single"] = _single(self)
        return self.derived["single"]

    def take(self, rows: NDArray[Any]) -> Self:
        """The same features for some of the samples; levels that no longer occur are kept.

        Parameters
        ----------
        rows : ndarray of shape (n_rows,), int or bool
        """
        return EncodedFeatures(np.ascontiguousarray(self.codes[:, rows]), self.levels, self.offsets, flags=self.flags)

    def decode(self, dtype: type = np.float64) -> NDArray[Any]:
        """The array of shape (n_samples, n_features) that was encoded."""
        X = np.empty(self.shape, dtype)
        for first in range(0, len(X), 128):  # so that all stay in cache
            places = self.codes[:, first : first + 128] + self.offsets[:-1, None]
            X[first : first + 128] = self.levels.take(places).T
        return X


def encode(X: ArrayLike | EncodedFeatures | sparray | spmatrix) -> EncodedFeatures:
    """Encode a feature matrix once, to fit many trees on it.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        Finite numbers, or NaN for a missing value. Integers beyond 2**53 are refused, since thresholds are float64.
        Columns of a frame must be numbers, or categories that are; `fit` of an estimator takes text too.
        All values of a sparse matrix are encoded, zeros too: 1 to 4 bytes each.

    Returns
    -------
    EncodedFeatures

    Raises
    ------
    ValueError
        If X is empty, not two-dimensional, not numeric, or holds infinity; if codes of a sparse matrix exceed memory.

    Examples
    --------
    >>> from ironbark import RobustDecisionTreeClassifier, encode
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> features = encode(X)
    >>> trees = [RobustDecisionTreeClassifier(name, ccp_alpha=0.0) for name in ("gini", "entropy")]
    >>> [tree.fit(features, y).score(X, y) for tree in trees]
    [1.0, 1.0]
    """
    from sklearn.utils import check_array  # late, so that reading prepared data does not pay for scikit-learn

    if isinstance(X, EncodedFeatures):
        return X
    X, _ = numbers(X, text=False)
    return encode_checked(check_array(X, accept_sparse="csc", dtype="numeric", ensure_all_finite="allow-nan"))


def encode_checked(X):
    """`encode` for an array or a csc matrix that scikit-learn has checked."""
    X = X.astype(np.float64) if X.dtype.kind == "O" else X  # nullable columns of frames
    if isinstance(X, np.ndarray):
        return _encoded(X.shape, _ranked_columns(X))
    X = canonical(X)
    return _encoded(X.shape, ranked_columns(X))


def _encoded(shape, columns):
    """Features of the distinct values and the ranks of each column."""
    codes, levels = np.empty(shape[::-1], np.uint8), []
    for j, (values, column) in enumerate(columns):
        levels.append(values.astype(np.float64, copy=False))
        if len(values) > 2 ** (8 * codes.itemsize):
            codes = codes.astype(np.min_scalar_type(len(values) - 1))
        codes[j] = column
    offsets = np.concatenate([[0], np.cumsum([len(values) for values in levels])]).astype(np.int64)
    return EncodedFeatures(codes, np.concatenate(levels), offsets)


def _ranked_columns(X):
    """Distinct values and ranks of the columns one by one."""
    if X.size < SMALL:
        return (np.unique(column, return_inverse=True) for column in X.T.astype(np.float64) + 0.0)  # -0.0 is 0.0
    from ironbark.encoding.ranks import ranked  # late, so that reading prepared data does not pay for numba

    return ranked(_blocks(X), len(X))


def _blocks(X):
    """Columns of X, as rows of an array that is used again."""
    columns = np.empty((COLUMNS, len(X)))
    for start in range(0, X.shape[1], COLUMNS):
        block = X[:, start : start + COLUMNS].T
        for first in range(0, len(X), ROWS):  # a whole column at a time would leave each line of the cache at once
            columns[: len(block), first : first + ROWS] = block[:, first : first + ROWS]
        yield columns[: len(block)]


def _single(features):
    with np.errstate(over="ignore"):
        rounded = features.levels.astype(np.float32)
    if np.isinf(rounded).any():
        raise ValueError("X holds values beyond float32, the type of all values in compat='rdts'; scale them down.")
    if len(np.unique(rounded)) == len(np.unique(features.levels)):
        return EncodedFeatures(features.codes, rounded.astype(np.float64), features.offsets)
    distinct = (np.unique(levels, return_inverse=True) for levels in np.split(rounded, features.offsets[1:-1]))
    pairs = zip(distinct, features.codes, strict=True)
    return _encoded(features.shape, ((values, ranks[column]) for (values, ranks), column in pairs))


def canonical(X):
    """A csc matrix with one sorted entry for each place, after a check that its codes fit into memory."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    itemsize = np.min_scalar_type(min(X.shape[0] - 1, int(np.diff(X.indptr).max()))).itemsize
    require(
        2 * X.shape[0] * X.shape[1] * itemsize,  # trees of forests keep codes by columns and by rows
        f"a fit on a sparse X of shape {X.shape}, whose zeros are encoded too,",
        "select features, reduce them, e.g. by sklearn.decomposition.TruncatedSVD, or give fewer samples",
    )
    return X


def ranked_columns(X):
    """Distinct values and rank of each sample's value, for each column of a `canonical` matrix."""
    n_samples = X.shape[0]
    for first, last in zip(X.indptr, X.indptr[1:], strict=False):
        values = X.data[first:last]
        if last - first < n_samples:
            values = np.append(values, values.dtype.type(0))
        values, ranks = np.unique(values + 0.0 if values.dtype.kind == "f" else values, return_inverse=True)
        column = np.full(n_samples, ranks[-1])
        column[X.indices[first:last]] = ranks[: last - first]
        yield values, column


def dense(X):
    """An array as it is, and a sparse matrix as an array in C order."""
    if isinstance(X, np.ndarray):
        return X
    size = X.shape[0] * X.shape[1] * X.dtype.itemsize
    require(size, f"a sparse X of shape {X.shape} as an array", "predict fewer samples at a time")
    return X.toarray(order="C")


def available():
    """Bytes that can be used without swapping; those of the whole machine, or infinity, where that is not known."""
    try:
        with open(MEMINFO) as lines:
            sizes = dict(line.split(":") for line in lines)
        return 1024 * int(sizes["MemAvailable"].split()[0])
    except (OSError, KeyError):
        if not hasattr(os, "sysconf"):
            return float("inf")
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def require(n_bytes: int, what: str, remedy: str):
    """Refuse what does not fit into memory."""
    left = available()
    if n_bytes > left:
        raise InputError(f"{what} takes {_gigabytes(n_bytes)}, but {_gigabytes(left)} are available; {remedy}.")


def _gigabytes(n_bytes):
    return f"{n_bytes / 1e9:.3g} GB of memory"
