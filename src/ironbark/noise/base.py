"""What noise models share: draws of labels, features as numbers on one scale or a single column, and the result.

A noise model is a function ``f(X, y, n_classes, rate, rng, **params)`` that returns a `Corruption`. X is an array of
shape (n_samples, n_features), `EncodedFeatures` or, for models that do not look at it, None. y holds the true classes
as int64 codes 0..n_classes-1; a class may be absent. The rate is None, a float or two, as `check_rate` returns it;
rng is a numpy Generator. Parameters have passed `check_params`. What else is wrong with X or y is an InputError.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array

from ironbark.encoding import EncodedFeatures
from ironbark.errors import InputError
from ironbark.frames import numbers
from ironbark.inputs import _array


@dataclass(frozen=True, eq=False)
class Corruption:
    """Noisy labels and the law they follow.

    Entry (i, j) of `transition` is the probability that true class i gets label j; rows sum to one. Models without a
    matrix of their own give the frequencies of this draw.
    """

    labels: np.ndarray  # (n_samples,), int64, coded 0..K-1
    transition: np.ndarray  # (K, K), float64


def checked(name: str, found: Corruption, n: int, k: int) -> Corruption:
    """What a noise model returned; InputError unless it is a `Corruption` of n labels of k classes."""
    labels, law = (np.asarray(getattr(found, part, None)) for part in ("labels", "transition"))
    if not isinstance(found, Corruption):
        fault = f"a value of type {type(found).__name__}"
    elif labels.dtype.kind not in "iu" or labels.shape != (n,):
        fault = f"labels of type {labels.dtype} and shape {labels.shape}"
    elif n and not 0 <= labels.min() <= labels.max() < k:
        fault = f"labels from {labels.min()} to {labels.max()}"
    elif law.dtype.kind not in "fiu" or law.shape != (k, k) or not np.isfinite(law).all():
        fault = f"a transition matrix of type {law.dtype} and shape {law.shape}, or with numbers that are not finite"
    else:
        return Corruption(labels, law)
    raise InputError(
        f"noise {name!r} returned {fault}; return a Corruption of {n} integers from 0 to {k - 1} and {k} x {k} numbers."
    )


def draw(transition: np.ndarray, y: np.ndarray, rng) -> np.ndarray:
    """Draw each label, independently, from the row of its true class."""
    u = rng.random(len(y))
    cumulative = np.cumsum(transition, axis=1)
    cumulative /= cumulative[:, -1:]  # ends at exactly 1, so no trailing class of probability 0 is ever drawn
    labels = np.empty(len(y), np.int64)
    for true in np.unique(y):
        rows = y == true
        labels[rows] = np.searchsorted(cumulative[true], u[rows], side="right")
    return labels


def frequencies(y: np.ndarray, labels: np.ndarray, n_classes: int) -> np.ndarray:
    """Transition matrix that was observed; a class that does not occur keeps its label."""
    counts = np.zeros((n_classes, n_classes))
    np.add.at(counts, (y, labels), 1)
    totals = counts.sum(axis=1, keepdims=True)
    return np.where(totals > 0, counts / np.maximum(totals, 1), np.eye(n_classes))


def observed(X, y: np.ndarray, n_classes: int, rate, rng, *, given=None) -> Corruption:
    """Take the labels that were given before people corrected them, coded as y."""
    if given is None:
        raise InputError(
            "noise 'observed' needs the given labels; pass given=..., or name their column in the data set."
        )
    labels = np.array(given)
    if labels.shape != y.shape:
        raise InputError(f"noise 'observed' has given labels of shape {labels.shape}, but y of shape {y.shape}.")
    if labels.dtype.kind not in "iu" or (len(y) and not 0 <= labels.min() <= labels.max() < n_classes):
        raise InputError(f"noise 'observed' needs given labels that are codes from 0 to {n_classes - 1}.")
    labels = labels.astype(np.int64)
    return Corruption(labels, frequencies(y, labels, n_classes))


def occurring(name: str, y: np.ndarray) -> np.ndarray:
    """Classes that occur; InputError if there is only one, from which a noise model can learn nothing."""
    classes = np.unique(y)
    if len(classes) < 2:
        raise InputError(f"noise {name!r} needs samples of at least 2 classes, but y holds only one.")
    return classes


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
    try:
        X = check_array(numbers(X, exact=False, text=False)[0], dtype=np.float64, ensure_all_finite=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"noise {name!r} needs a dense table of numbers as X: {error}") from error
    if not np.isfinite(X).all():
        raise InputError(f"noise {name!r} measures distances, but X holds NaN or infinity; fill or drop these values.")
    return X


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
    if isinstance(X, list | tuple):
        return _array([row[column] for row in X])
    if hasattr(X, "to_series"):  # polars
        return X.to_series(column).to_numpy()
    return X.iloc[:, column].to_numpy() if hasattr(X, "iloc") else np.asarray(X)[:, column]


def n_columns(X):
    """Number of columns of a table."""
    shape = np.shape(X)
    if len(shape) != 2:
        raise InputError(f"X has the shape {shape}, but noise by columns needs a table; give rows of features.")
    return shape[1]


def reaching(name: str, weights: np.ndarray, rate, exact: bool) -> np.ndarray:
    """Probabilities ``min(1, c w)``, in proportion to weights and capped at one, whose mean is a rate."""
    total = round(rate * len(weights)) if exact else rate * len(weights)
    open_ = weights > 0
    if total > open_.sum() + 1e-9:
        raise InputError(
            f"noise {name!r} can change at most {open_.mean():.3g} of these labels, but the rate is {rate:g}; "
            "give a lower rate."
        )
    probabilities = np.zeros(len(weights))
    while total > 0 and open_.any():
        scaled = weights[open_] * (total / weights[open_].sum())
        capped = np.flatnonzero(open_)[scaled >= 1]
        if len(capped) == 0:
            probabilities[open_] = scaled
            break
        probabilities[capped] = 1.0
        open_[capped] = False
        total -= len(capped)
    return probabilities


def chosen(probabilities: np.ndarray, rng, exact: bool) -> np.ndarray:
    """Samples that are drawn with these probabilities; with `exact` by systematic sampling (Madow 1949)."""
    if not exact:
        return np.flatnonzero(rng.random(len(probabilities)) < probabilities)
    order = rng.permutation(np.flatnonzero(probabilities > 0))
    count = round(probabilities.sum())
    if count == 0:
        return np.empty(0, np.int64)
    ends = np.cumsum(probabilities[order])
    points = rng.random() + np.arange(count)
    places = np.searchsorted(ends[:-1] * (count / ends[-1]), points, side="right")
    return np.sort(order[places])


def flip(y: np.ndarray, probabilities: np.ndarray, targets: np.ndarray, n_classes: int, rng, exact: bool) -> Corruption:
    """Change labels, each sample with its own probability."""
    rows, labels, transition = chosen(probabilities, rng, exact), y.copy(), np.zeros((n_classes, n_classes))
    if targets.ndim == 1:
        labels[rows] = targets[rows]
        np.add.at(transition, (y, targets), probabilities)
    else:
        ends = np.cumsum(targets[rows], axis=1)
        points = rng.random(len(rows)) * ends[:, -1]
        labels[rows] = (ends <= points[:, None]).sum(axis=1)
        np.add.at(transition, y, probabilities[:, None] * targets)
    transition /= np.maximum(np.bincount(y, minlength=n_classes), 1)[:, None]
    np.fill_diagonal(transition, 1 - transition.sum(axis=1))
    return Corruption(labels, transition)


def others(y: np.ndarray, n_classes: int, weights: np.ndarray | None = None) -> np.ndarray:
    """Distribution over the classes other than a sample's own."""
    shares = np.tile(np.ones(n_classes) if weights is None else weights.astype(np.float64), (n_classes, 1))
    np.fill_diagonal(shares, 0.0)
    return (shares / shares.sum(axis=1, keepdims=True))[y]
