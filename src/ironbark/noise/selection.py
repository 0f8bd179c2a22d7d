"""Choice of the labels that change, and their new values, by a probability for each sample."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption, rounded


def reaching(name, weights, rate, exact):
    """Probabilities in proportion to weights, capped at one, whose mean is a rate.

    Parameters
    ----------
    name : str
        Of the noise, for the error.
    weights : ndarray of shape (n_samples,), float64
        Not negative.
    rate : float in [0, 1]
    exact : bool
        Whether the sum of the probabilities is to be the whole number round(rate * n).

    Returns
    -------
    ndarray of shape (n_samples,), float64

    Raises
    ------
    InputError
        If too few weights are above zero.

    Notes
    -----
    ``p_i = min(1, c w_i)``. The factor c follows from the samples that are not capped; each step caps more of them.
    """
    total = rounded(rate, len(weights)) if exact else rate * len(weights)
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


def chosen(probabilities, rng, exact):
    """Samples that are drawn with these probabilities.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples,), float64
    rng : numpy.random.Generator
    exact : bool
        False: each sample is drawn independently. True: as many as the sum of the probabilities, a whole number, says.

    Returns
    -------
    ndarray, int64
        Ascending.

    References
    ----------
    Madow, "On the theory of systematic sampling, II", Annals of Mathematical Statistics 20 (1949): equally spaced
    points on the cumulative probabilities, here of the samples in random order.
    """
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


def flip(y, probabilities, targets, n_classes, rng, exact):
    """Change labels, each sample with its own probability.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), int64
    probabilities : ndarray of shape (n_samples,), float64
        That a label changes.
    targets : ndarray of shape (n_samples,), int64, or of shape (n_samples, n_classes), float64
        What a label becomes if it changes: a class, or a distribution over the classes; never the own class.
    n_classes : int
    rng : numpy.random.Generator
    exact : bool
        As for `chosen`.

    Returns
    -------
    Corruption
        Its matrix holds the means of the probabilities over the samples of each true class.
    """
    rows, labels = chosen(probabilities, rng, exact), y.copy()
    if targets.ndim == 1:
        labels[rows] = targets[rows]
    else:
        ends = np.cumsum(targets[rows], axis=1)
        points = rng.random(len(rows)) * ends[:, -1]
        labels[rows] = (ends <= points[:, None]).sum(axis=1)
    return Corruption(labels, _means(y, probabilities, targets, n_classes))


def _means(y, probabilities, targets, n_classes):
    transition, counts = np.zeros((n_classes, n_classes)), np.bincount(y, minlength=n_classes)
    if targets.ndim == 1:
        np.add.at(transition, (y, targets), probabilities)
    else:
        np.add.at(transition, y, probabilities[:, None] * targets)
    transition /= np.maximum(counts, 1)[:, None]
    np.fill_diagonal(transition, 1 - transition.sum(axis=1))
    return transition


def others(y, n_classes, weights=None):
    """Distribution over the classes other than a sample's own.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), int64
    n_classes : int
    weights : ndarray of shape (n_classes,) or None
        The shares are in proportion to them; all alike if None.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), float64
    """
    shares = np.tile(np.ones(n_classes) if weights is None else weights.astype(np.float64), (n_classes, 1))
    np.fill_diagonal(shares, 0.0)
    return (shares / shares.sum(axis=1, keepdims=True))[y]
