"""Labels before and after noise: codes, draws from a transition matrix, and the result of a noise model.

A noise model is a function ``f(X, y, n_classes, rate, rng, **params)`` that returns a `Corruption`. X is an array of
shape (n_samples, n_features), `EncodedFeatures` or, for models that do not look at it, None. y holds the true classes
as int64 codes 0..n_classes-1; a class may be absent. The rate is None, a float or two, as `check_rate` returns it;
rng is a numpy Generator. Parameters have passed `check_params`. What else is wrong with X or y is an InputError.
"""

from dataclasses import dataclass

import numpy as np

from ironbark.errors import InputError


@dataclass(frozen=True, eq=False)
class Corruption:
    """Noisy labels and the law they follow.

    Entry (i, j) of `transition` is the probability that true class i gets label j; rows sum to one. Models without a
    matrix of their own give the frequencies of this draw.
    """

    labels: np.ndarray  # (n_samples,), int64, coded 0..K-1
    transition: np.ndarray  # (K, K), float64


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
