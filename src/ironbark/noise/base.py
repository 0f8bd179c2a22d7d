"""Result of a noise model, and draws of labels from a transition matrix."""

from dataclasses import dataclass

import numpy as np

from ironbark.errors import InputError


@dataclass(frozen=True, eq=False)
class Corruption:
    """Noisy labels and the law they follow.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,), int64
        Noisy labels, coded 0..K-1.
    transition : ndarray of shape (K, K), float64
        Entry (i, j) is the probability that true class i gets label j; rows sum to one. Models without a matrix of
        their own give the frequencies of this draw.
    """

    labels: np.ndarray
    transition: np.ndarray


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


def rounded(rate, n):
    """Number of samples that make up a fraction `rate` of n; halves go to the even number."""
    return round(rate * n)


def pick(rows, count, rng):
    """`count` of the given rows, at random without replacement."""
    return rng.permutation(rows)[:count]


def frequencies(y: np.ndarray, labels: np.ndarray, n_classes: int) -> np.ndarray:
    """Transition matrix that was observed; a class that does not occur keeps its label."""
    counts = np.zeros((n_classes, n_classes))
    np.add.at(counts, (y, labels), 1)
    totals = counts.sum(axis=1, keepdims=True)
    return np.where(totals > 0, counts / np.maximum(totals, 1), np.eye(n_classes))


def observed(X, y: np.ndarray, n_classes: int, rate, rng, *, given=None) -> Corruption:
    """Take the labels that were given before people corrected them.

    Parameters
    ----------
    given : array-like of shape (n_samples,), int
        The labels as they were given, coded as y. `ironbark.noise.corrupt` takes them as y has them; the pipeline
        takes them from the column ``given`` of the data set.

    Raises
    ------
    InputError
        If there are no given labels, or not as many as y has, or they are other codes.
    """
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
