"""Samples with the same features but different labels."""

import numpy as np
from scipy.sparse import issparse


def identical_rows(X) -> np.ndarray:
    """Number of each sample's distinct row; equal numbers for equal rows, missing values being equal."""
    numbers = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in _keys(X)], dtype=np.intp)


def _keys(X):
    if issparse(X):
        rows = X.tocsr().copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
        ends = zip(rows.indptr, rows.indptr[1:], strict=False)
        return ((rows.indices[i:j].tobytes(), rows.data[i:j].tobytes()) for i, j in ends)
    rows = np.asarray(X)
    if rows.dtype.kind in "biuf":
        if rows.dtype.kind == "f":
            rows = rows + 0.0  # -0.0 is 0.0
            rows[np.isnan(rows)] = np.nan
        return (row.tobytes() for row in np.ascontiguousarray(rows))
    return (repr(row.tolist() if isinstance(row, np.ndarray) else row) for row in rows)


def conflicts(rows: np.ndarray, codes: np.ndarray) -> list[np.ndarray]:
    """Samples of identical rows that have different labels."""
    least, most = np.full(rows.max() + 1, codes.max()), np.zeros(rows.max() + 1, codes.dtype)
    np.minimum.at(least, rows, codes)
    np.maximum.at(most, rows, codes)
    members = np.flatnonzero((least < most)[rows])
    if not len(members):
        return []
    members = members[np.argsort(rows[members], kind="stable")]
    return np.split(members, np.flatnonzero(np.diff(rows[members])) + 1)
