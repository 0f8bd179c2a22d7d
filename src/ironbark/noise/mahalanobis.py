"""Multiclass noise that follows the distances between the classes in feature space."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ironbark.encoding import EncodedFeatures
from ironbark.errors import InputError
from ironbark.noise.base import Corruption, draw, finite, occurring

LOW, HIGH = 0.5, 0.9  # range of the probability that a class keeps its label


def mahalanobis(X, y: np.ndarray, n_classes: int, rate, rng, *, shrinkage=0.001, mean_kept=None) -> Corruption:
    """Draw labels from a matrix in which close classes are confused more often, and isolated classes less."""
    present = occurring("mahalanobis", y)
    transition = np.eye(n_classes)
    transition[np.ix_(present, present)] = transition_matrix(class_distances(X, y, present, shrinkage), mean_kept)
    return Corruption(draw(transition, y, rng), transition)


def transition_matrix(distances: np.ndarray, mean_kept=None) -> np.ndarray:
    """Transition matrix of pairwise distances, see docs/noise.md; a class at distance zero takes all."""
    total = distances.sum(axis=1)
    span = total.max() - total.min()
    equal = span <= 1e-12 * total.max()
    keep = np.full(len(total), (LOW + HIGH) / 2) if equal else LOW + (HIGH - LOW) * (total - total.min()) / span
    if mean_kept is not None:
        low, high = mean_kept - keep.mean() + (keep.min(), keep.max())
        if low < 0 or high > 1:
            raise InputError(
                f"noise 'mahalanobis' with mean_kept={mean_kept:g} would keep labels with a probability of "
                f"{low if low < 0 else high:.3g}; give a mean nearer to {keep.mean():.3g}."
            )
        keep = keep + (mean_kept - keep.mean())
    others = ~np.eye(len(total), dtype=bool)
    coincide = others & (distances == 0)
    similarity = np.where(others, 1 / np.where(distances == 0, 1, distances), 0)
    similarity = np.where(coincide.any(axis=1, keepdims=True), coincide, similarity)
    transition = (1 - keep)[:, None] * similarity / similarity.sum(axis=1, keepdims=True)
    np.fill_diagonal(transition, keep)
    return transition


def class_distances(X, y: np.ndarray, classes: np.ndarray, shrinkage) -> np.ndarray:
    """Mahalanobis distances of class means, each with the shrunk pooled covariance of two classes."""
    if isinstance(X, EncodedFeatures) and X.missing.any():
        raise InputError("noise 'mahalanobis' measures distances, but X contains NaN; fill or drop missing values.")
    X = X if isinstance(X, EncodedFeatures) else finite("mahalanobis", X)
    moments = _standardised([_moments(X, np.flatnonzero(y == k)) for k in classes])
    distances = np.zeros((len(classes), len(classes)))
    for i in range(len(classes)):
        for j in range(i):
            try:
                distances[i, j] = distances[j, i] = _distance(moments[i], moments[j], shrinkage)
            except LinAlgError as error:
                raise InputError(
                    "noise 'mahalanobis' cannot invert the covariance within two classes; give more samples of each "
                    "that differ, or a larger shrinkage."
                ) from error
    return distances


class _Moments(NamedTuple):
    """First and second moments of one class."""

    n: int
    mean: np.ndarray  # (d,)
    scatter: np.ndarray  # (d, d), sum of products of deviations from the mean
    low: np.ndarray  # (d,)
    high: np.ndarray  # (d,)


def _moments(X, rows):
    # one class at a time: float64 copies of all samples at once would not fit for large X
    block = X.take(rows).decode() if isinstance(X, EncodedFeatures) else X[rows].astype(np.float64)
    mean = block.mean(axis=0)
    low, high = block.min(axis=0), block.max(axis=0)
    block -= mean
    return _Moments(len(rows), mean, block.T @ block, low, high)


def _standardised(moments):
    """The same moments after dropping constant features and scaling the others to unit variance."""
    n = np.array([m.n for m in moments])
    means = np.stack([m.mean for m in moments])
    varies = np.max([m.high for m in moments], axis=0) > np.min([m.low for m in moments], axis=0)
    if not varies.any():
        raise InputError("noise 'mahalanobis' needs features that vary, but every column of X is constant.")
    between = n @ (means - n @ means / n.sum()) ** 2
    within = sum(np.diag(m.scatter) for m in moments)
    scale = np.sqrt((between + within)[varies] / n.sum())
    return [
        m._replace(mean=m.mean[varies] / scale, scatter=m.scatter[np.ix_(varies, varies)] / np.outer(scale, scale))
        for m in moments
    ]


def _distance(a, b, shrinkage):
    """Distance of two means; LinAlgError if the shrunk pooled covariance is not positive definite."""
    if a.n + b.n <= 2:
        raise LinAlgError("one sample per class has no covariance")
    covariance = (a.scatter + b.scatter) / (a.n + b.n - 2)
    level = np.trace(covariance) / len(covariance)
    covariance *= 1 - shrinkage
    covariance.flat[:: len(covariance) + 1] += shrinkage * level
    difference = a.mean - b.mean
    return np.sqrt(difference @ cho_solve(cho_factor(covariance, overwrite_a=True), difference))
