"""Choice of the labels that change, and their new values, by a probability for each sample."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption, rounded


def reaching(name: str, weights: np.ndarray, rate, exact: bool) -> np.ndarray:
    """Probabilities in proportion to weights, capped at one, whose mean is a rate.

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


def chosen(probabilities: np.ndarray, rng, exact: bool) -> np.ndarray:
    """Samples that are drawn with these probabilities.

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


def flip(y: np.ndarray, probabilities: np.ndarray, targets: np.ndarray, n_classes: int, rng, exact: bool) -> Corruption:
    """Change labels, each sample with its own probability."""
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


def others(y: np.ndarray, n_classes: int, weights: np.ndarray | None = None) -> np.ndarray:
    """Distribution over the classes other than a sample's own."""
    shares = np.tile(np.ones(n_classes) if weights is None else weights.astype(np.float64), (n_classes, 1))
    np.fill_diagonal(shares, 0.0)
    return (shares / shares.sum(axis=1, keepdims=True))[y]
