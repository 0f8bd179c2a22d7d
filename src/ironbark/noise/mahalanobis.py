"""Multiclass noise that follows the distances between the classes in feature space."""

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
    sizes, means, scatter = _standardised(*map(np.array, zip(*(_moments(X, y == k) for k in classes), strict=True)))
    distances = np.zeros((len(classes), len(classes)))
    for i in range(len(classes)):
        for j in range(i):
            try:
                covariance = _covariance(scatter[i] + scatter[j], sizes[i] + sizes[j], shrinkage)
                difference = means[i] - means[j]
                solution = cho_solve(cho_factor(covariance, overwrite_a=True), difference)
                distances[i, j] = distances[j, i] = np.sqrt(difference @ solution)
            except LinAlgError as error:
                raise InputError(
                    "noise 'mahalanobis' cannot invert the covariance within two classes; give more samples of each "
                    "that differ, or a larger shrinkage."
                ) from error
    return distances


def _moments(X, inside):
    """Size of a class, mean, sum of products of deviations from it, least and largest values."""
    # one class at a time: float64 copies of all samples at once would not fit for large X
    rows = np.flatnonzero(inside)
    block = X.take(rows).decode() if isinstance(X, EncodedFeatures) else X[rows].astype(np.float64)
    mean, low, high = block.mean(axis=0), block.min(axis=0), block.max(axis=0)
    block -= mean
    return len(rows), mean, block.T @ block, low, high


def _standardised(sizes, means, scatter, low, high):
    """Sizes, means and products after dropping constant features and scaling the others to unit variance."""
    varies = high.max(axis=0) > low.min(axis=0)
    if not varies.any():
        raise InputError("noise 'mahalanobis' needs features that vary, but every column of X is constant.")
    between = sizes @ (means - sizes @ means / sizes.sum()) ** 2
    within = sum(map(np.diag, scatter))
    scale = np.sqrt((between + within)[varies] / sizes.sum())
    kept = np.ix_(np.arange(len(sizes)), varies, varies)
    return sizes, means[:, varies] / scale, scatter[kept] / np.outer(scale, scale)


def _covariance(scatter, n, shrinkage):
    """Shrunk pooled covariance of two classes; LinAlgError where they have no more samples than classes."""
    if n <= 2:
        raise LinAlgError("one sample per class has no covariance")
    covariance = scatter / (n - 2)
    level = np.trace(covariance) / len(covariance)
    covariance *= 1 - shrinkage
    covariance.flat[:: len(covariance) + 1] += shrinkage * level
    return covariance
