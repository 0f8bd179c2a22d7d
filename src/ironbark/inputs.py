"""Checks of labels, weights and groups, the same for all estimators, detectors and corrections."""

import functools
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, validate_data

from ironbark.errors import InputError
from ironbark.frames import is_frame, numbers
from ironbark.levels import is_missing

Fit = TypeVar("Fit")  # type of a method
#: Argument -> what one of its entries is called.
ENTRIES = {"y": "label", "groups": "group", "sample_weight": "weight"}


def vector(values: ArrayLike, name: str = "y") -> NDArray[Any]:
    """One entry for each sample, none missing, as a one-dimensional array; a table of one column is one, too."""
    array, entry = _array(values), ENTRIES.get(name, "entry")
    if array.ndim == 2 and array.shape[1] == 1:
        array = column_or_1d(array, warn=name == "y")
    if array.ndim != 1:
        raise InputError(f"{name} should be a 1d array, but has shape {array.shape}; give one {entry} for each sample.")
    if array.dtype.kind == "c":
        raise InputError(f"Complex data not supported: {name} holds {array[0]}; give real numbers or text.")
    n_missing = int(missing(array).sum())
    if n_missing:
        raise InputError(f"{name} holds {n_missing} missing {entry}{'s' * (n_missing > 1)}; drop these samples.")
    if array.dtype == object:
        return _plain(array, name, entry)
    return array.astype(array.dtype.newbyteorder("="), copy=False)  # other types refuse that of other machines


def _array(values):
    """An array that still tells missing entries and numbers from text, as conversions of lists do not."""
    if isinstance(values, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(values), None, values.data.astype(object))
    if is_frame(values) and not hasattr(values, "iloc"):  # as floats, integers beside gaps would merge
        return np.array([np.fromiter(column.to_list(), object) for column in values], object).T
    if not isinstance(values, list | tuple):
        array = np.asarray(values)
        return array.astype(object) if array.dtype.kind == "T" else array
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        return np.fromiter(values, object)
    return np.array(values, dtype=object).reshape(array.shape) if array.dtype.kind in "OUS" else array


def missing(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each entry of an array is NaN, NaT, None or pandas' NA."""
    if array.dtype.kind in "fc":
        return np.isnan(array)
    if array.dtype.kind in "mM":
        return np.isnat(array)
    if array.dtype != object:
        return np.zeros(array.shape, bool)
    return np.fromiter(map(is_missing, array.ravel()), bool, array.size).reshape(array.shape)


def _plain(array, name, entry):
    """Objects as what they are: numbers become an array of numbers, and text stays as it is."""
    kinds = {"number" if isinstance(value, Real) else "text" if isinstance(value, str) else type(value).__name__: value
             for value in array}  # fmt: skip
    if len(kinds) > 1:
        raise InputError(f"{name} mixes {' and '.join(sorted(kinds))}, such as {array[0]!r}; use one type of {entry}s.")
    others = kinds.keys() - {"number", "text"}
    if others and (name != "groups" or others & {"list", "dict", "set", "ndarray"}):
        raise InputError(f"{name} holds {entry}s of type {next(iter(kinds))}; make each a number or a text.")
    return np.array(array.tolist()) if "number" in kinds else array


def labels(y: ArrayLike) -> NDArray[Any]:
    """Labels of a classification problem; see `vector`."""
    if y is None:
        raise InputError("fit requires y to be passed, but the target y is None; give one label for each sample.")
    y = vector(y)
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    if y.dtype.kind not in "biuUM":  # a column of these holds classes
        check_classification_targets(y)
    return y


def encoded(y: ArrayLike, user: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Sorted labels and codes 0..K-1 of the training labels."""
    y = labels(y)
    if len(y) == 0:
        raise InputError(f"{user} needs at least one sample of each class, but y holds 0 sample(s).")
    classes, codes = distinct(y)
    if len(classes) < 2:
        raise InputError(
            f"{user} needs samples of at least two classes, but y holds only one class, {classes.tolist()[0]!r}."
        )
    return classes, codes


def distinct(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """As ``np.unique(y, return_inverse=True)``, but integers of a small range are counted, not sorted."""
    if not np.can_cast(y.dtype, np.int64) or int(y.max()) - int(y.min()) >= len(y):
        return np.unique(y, return_inverse=True)
    places = y.astype(np.int64) - int(y.min())
    present = np.bincount(places) > 0
    return (np.flatnonzero(present) + int(y.min())).astype(y.dtype), (present.cumsum() - 1)[places]


def encoded_like(y: ArrayLike, classes: NDArray[Any], place: str) -> NDArray[np.int64]:
    """Codes of further labels; InputError if one is none of these classes."""
    y = vector(y, place)
    unseen = sorted(set(y.tolist()) - set(classes.tolist()), key=str)
    if unseen:
        raise InputError(f"{place} holds the label {unseen[0]!r}, which is none of the classes; leave it out.")
    return np.searchsorted(classes, np.asarray(y, classes.dtype))


def weights(sample_weight: ArrayLike | None, n_samples: int) -> NDArray[np.float64] | None:
    """Finite weights >= 0 of the samples, some above zero; None stays None, and a number is each sample's weight."""
    if sample_weight is None:
        return None
    name = "sample_weight"
    found = np.full(n_samples, sample_weight) if isinstance(sample_weight, Real) else vector(sample_weight, name)
    if found.dtype.kind not in "biuf":
        raise InputError(f"{name} holds {str(found[0])!r}, which is no number; give each sample a number >= 0.")
    if len(found) != n_samples:
        raise InputError(f"{name} has {len(found)} entries, but there are {n_samples} samples; give each sample one.")
    refuse_negative(name, found)
    if not found.any():
        raise InputError(f"{name} is zero for all samples, so there is nothing to fit on; give some a positive weight.")
    return found.astype(np.float64)


def refuse_negative(name: str, numbers: NDArray[Any]) -> None:
    """Raise InputError unless all entries are finite and not negative."""
    bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
    if len(bad):
        raise InputError(f"{name} must hold finite numbers >= 0, but holds {numbers[bad[0]]}.")


def undone(fit: Fit) -> Fit:
    """A method that leaves the estimator as it was if it raises; the stacklevel of its warnings is one higher."""

    @functools.wraps(fit)
    def wrapped(self, *args, **options):
        before = vars(self).copy()
        try:
            return fit(self, *args, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return wrapped  # type: ignore[return-value]


class Features:
    """Features of an estimator as numbers; `categories_` holds the texts that columns had in `fit`, by their ranks."""

    def _numbers(self, X, *, reset, keep=False, **categorical):
        """Features as `ironbark.frames.numbers` makes them, with the texts of `fit` unless `reset`."""
        _refuse_what_is_no_table(X)
        if not reset and is_frame(X):  # names first: the values of a wrong column make misleading errors
            validate_data(self, X, reset=False, skip_check_array=True, ensure_2d=False)
        X, found = numbers(X, None if reset else getattr(self, "categories_", {}), keep=keep, **categorical)
        if reset:
            vars(self).pop("categories_", None)  # of an earlier fit
            if found:
                self.categories_ = found
        return X


def _refuse_what_is_no_table(X):
    """Raise InputError for a lazy frame, and for a table without columns."""
    if hasattr(type(X), "explain"):  # not of X: columns of pandas are its attributes
        raise InputError("X is a lazy frame; give what its collect() returns.")
    if len(getattr(X, "shape", ())) == 2 and X.shape[1] == 0:
        raise InputError(f"X has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required; give it columns.")


def places_of(chosen: ArrayLike | None, X: Any) -> tuple[int, ...]:
    """Positions of features that are chosen by positions, by names of columns, or by a truth value for each feature."""
    if chosen is None:
        return ()
    truths, names = np.asarray(chosen), list(map(str, getattr(X, "columns", ())))
    n = np.shape(X)[1] if len(np.shape(X)) == 2 else 0
    if truths.dtype == bool:
        if truths.shape != (n,):
            raise InputError(
                f"categorical_features has {truths.size} truth values for {n} features; give one for each."
            )
        return tuple(np.flatnonzero(truths).tolist())
    places = [names.index(entry) if entry in names else entry for entry in np.asarray(chosen, object).ravel().tolist()]
    for place in places:
        if not isinstance(place, Integral) or not 0 <= place < n:
            known = f"columns {', '.join(names[:5])}{' ...' * (len(names) > 5)}" if names else f"{n} features"
            raise InputError(
                f"categorical_features holds {place!r}, but X has {known}; give names or positions of those."
            )
    return tuple(dict.fromkeys(map(int, places)))


def training(X: Any, y: ArrayLike, sample_weight: ArrayLike | None, user: str) -> tuple[Any, ...]:
    """Classes, codes and weights for samples of any kind, of which only the number is checked."""
    _refuse_what_is_no_table(X)
    classes, codes = encoded(y, user)
    check_consistent_length(X, codes)
    return classes, codes, weights(sample_weight, len(codes))
