"""A table of suspicious samples."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import clone

from ironbark.errors import InputError, MissingPackage
from ironbark.inputs import vector
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.label_errors.filters.base import LabelFilter
from ironbark.label_errors.out_of_sample import conflicts, identical_rows

if TYPE_CHECKING:
    import pandas as pd

MOST_NEIGHBOURS = 3  # neighbours of a sample
CELLS = 2**24  # pairs that are compared at a time


def find_label_errors(
    X: ArrayLike,
    y: ArrayLike,
    *,
    detector: LabelErrorDetector | LabelFilter | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    cut: str | float | None = None,
) -> "pd.DataFrame":
    """List all samples from most to least suspicious.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Columns of text are taken as in `RobustRandomForestClassifier`, unless the estimator does otherwise.
    y : array-like of shape (n_samples,)
        Labels, some of them wrong.
    detector : LabelErrorDetector or filter, default=None
        None for ``LabelErrorDetector(random_state=0)``. It is cloned, not changed.
    sample_weight, groups : array-like of shape (n_samples,), default=None
        As in `LabelErrorDetector.fit`.
    cut : "count", "precision" or float, default=None
        How many samples a `LabelErrorDetector` calls errors, see there; None for what `detector` has.

    Returns
    -------
    pandas.DataFrame
        Rows from most to least suspicious; columns `given`, `suggested`, `quality`, `is_error`, `is_judged`,
        `conflict`, and with the default detector `neighbours` and `shares` (docs/label-errors.md).

    Raises
    ------
    InputError
        If pandas is not installed, which ironbark does without elsewhere.

    Examples
    --------
    >>> from ironbark import find_label_errors
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[7] = 2
    >>> found = find_label_errors(X, y)
    >>> int(found.index[0]), int(found.suggested.iloc[0])
    (7, 0)
    """
    _pandas()  # before the fit
    detector = LabelErrorDetector(random_state=0) if detector is None else clone(detector)
    if cut is not None:
        if not isinstance(detector, LabelErrorDetector):
            raise InputError(f"{type(detector).__name__} has no cut; leave it out, or use LabelErrorDetector.")
        detector.set_params(cut=cut)
    return suspects(detector.fit(X, y, sample_weight=sample_weight, groups=groups), X, y)


def suspects(
    detector: LabelErrorDetector | LabelFilter, X: ArrayLike, y: ArrayLike, neighbours: bool = True
) -> "pd.DataFrame":
    """Results of a fitted detector for its training samples, from most to least suspicious."""
    pd = _pandas()
    given, ranking = vector(y), detector.ranking_
    conflict, groups = np.full(len(ranking), -1), getattr(detector, "conflicts_", None)
    if groups is None:  # of a filter
        groups = conflicts(identical_rows(X), np.searchsorted(detector.classes_, given))
    for number, group in enumerate(groups):
        conflict[group] = number
    columns = {
        "given": given,
        "suggested": detector.suggested_labels_,
        "quality": detector.label_quality_,
        "is_error": detector.is_error_,
        "is_judged": detector.is_judged_,
        "conflict": conflict,
    }
    if neighbours and hasattr(getattr(detector, "estimator_", None), "apply"):
        pairs = _neighbours(detector, X, columns["given"])
        columns["neighbours"] = [tuple(i for i, _ in found) for found in pairs]
        columns["shares"] = [tuple(share for _, share in found) for found in pairs]
    index = X.index if isinstance(X, pd.DataFrame) else pd.RangeIndex(len(ranking))
    if isinstance(y, pd.Series | pd.Categorical) and not isinstance(y.dtype, np.dtype):  # a type that arrays lack
        columns |= {name: pd.array(columns[name], dtype=y.dtype) for name in ("given", "suggested")}
    found = pd.DataFrame(columns, index=index).iloc[ranking]
    found.attrs = {"noise_rate": detector.noise_rate_}  # in types that files of tables can hold
    if isinstance(detector, LabelErrorDetector):
        for name in ("noise_rate_interval", "noise_matrix", "classes"):
            values = getattr(detector, f"{name}_")
            found.attrs[name] = values.astype(str if values.dtype.kind in "mM" else values.dtype).tolist()
        found.attrs["cut"] = detector.cut
    return found


def _pandas():
    try:
        import pandas as pd  # late: detectors do without
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise MissingPackage("tables need pandas, which is not installed; run `pip install pandas`.") from None
    return pd


def _neighbours(detector, X, given):
    """Up to three pairs of position and share of trees, for each sample; none for those that are no errors."""
    found = [[] for _ in given]
    if not detector.is_error_.any():
        return found
    leaves = np.asarray(detector.estimator_.apply(X)).astype(np.intp, copy=False)
    leaves = leaves.reshape(len(given), -1)  # a column for each tree
    codes = [np.searchsorted(detector.classes_, labels) for labels in (detector.suggested_labels_, given)]
    alike = identical_rows(leaves)
    for k in range(len(detector.classes_)):
        samples = np.flatnonzero(detector.is_error_ & (codes[0] == k))
        members = np.flatnonzero(~detector.is_error_ & (codes[1] == k))
        order = np.argsort(alike[members], kind="stable")
        before = np.arange(len(members)) - np.searchsorted(alike[members], alike[members][order], sorter=order)
        members = np.sort(members[order[before < MOST_NEIGHBOURS]])  # further ones in the same leaves are never chosen
        _, first, places = np.unique(alike[samples], return_index=True, return_inverse=True)
        pairs = nearest(leaves, samples[first], members)
        for sample, place in zip(samples, places, strict=True):
            found[sample] = pairs[place]
    return found


def nearest(leaves: np.ndarray, samples: np.ndarray, members: np.ndarray):
    """Members, given in ascending order, that share most leaves with each sample."""
    if not len(members):
        return [[] for _ in samples]
    n_trees, width, neighbours = leaves.shape[1], leaves.max() + 1, []
    trees = np.arange(n_trees)
    seen = np.zeros((n_trees, width), bool)  # leaves of samples; members in others share none
    seen[trees, leaves[samples]] = True

    def indicator(rows):
        found = leaves[rows]
        kept = seen[trees, found]
        ends = np.append(0, kept.sum(axis=1).cumsum())
        return csr_matrix((np.ones(ends[-1], np.int32), (found + width * trees)[kept], ends), (len(rows), seen.size))

    others, size = indicator(members).T.tocsr(), max(1, CELLS // len(members))
    for block in (samples[first : first + size] for first in range(0, len(samples), size)):
        shared, rows, found = (indicator(block) @ others).toarray(), np.arange(len(block)), [[] for _ in block]
        own = np.searchsorted(members, block).clip(max=len(members) - 1)
        shared[rows, own] *= members[own] != block
        for _ in range(MOST_NEIGHBOURS):  # a sort would take minutes for a large table
            best = shared.argmax(axis=1)  # the first of equal ones
            for pairs, j, count in zip(found, best.tolist(), shared[rows, best].tolist(), strict=True):
                if count:
                    pairs.append((int(members[j]), count / n_trees))
            shared[rows, best] = 0
        neighbours += found
    return neighbours
