"""Noise that is likely for samples whose nearest neighbour is of another class."""

import numpy as np
from scipy.stats import rankdata
from sklearn.neighbors import NearestNeighbors

from ironbark.errors import InputError
from ironbark.noise.features import standardised
from ironbark.noise.selection import flip, reaching


def borderline(X, y: np.ndarray, n_classes: int, rate, rng, *, sharpness=3.0, exact: bool = False):
    """Give labels near another class the label of the nearest sample of another class.

    Parameters
    ----------
    rate : float in [0, (K - 1) / K)
        Mean of the probabilities.
    sharpness : float in (0, 100]
        The larger, the nearer to the border the changes are.
    exact : bool
        False: each label changes independently. True: round(rate * n) labels change.

    Raises
    ------
    InputError
        If X holds NaN or has no column that varies, or if only one class occurs in y.

    Notes
    -----
    d_own is the distance of a sample to the nearest other one of its class (infinite if there is none), d_other to the
    nearest one of another class, both Euclidean in the columns that vary, with mean 0 and variance 1. With r_i the rank
    of ``d_own / d_other`` among the n samples, ascending and averaged over ties, the probability of a change is
    ``c (r_i / n)^sharpness``, capped at 1, where c gives the rate. Garcia et al. change the labels of the largest
    ratios, which is the limit of a large sharpness.

    References
    ----------
    Garcia, Lehmann, de Carvalho and Lorena, "New label noise injection methods for the evaluation of noise filters",
    Knowledge-Based Systems 163 (2019): neighbourwise noise.
    """
    own, other, nearest = _distances(standardised("borderline", X), y)
    ratio = np.divide(own, other, out=np.full(len(y), np.inf), where=other > 0)
    ratio[(own == 0) & (other == 0)] = 1.0
    weights = (rankdata(ratio) / len(y)) ** sharpness
    return flip(y, reaching("borderline", weights, rate, exact), nearest, n_classes, rng, exact)


def _distances(X, y):
    """Distances to the nearest sample of the own and of another class, and the latter's class; ties by class."""
    classes = np.unique(y)
    if len(classes) < 2:
        raise InputError("noise 'borderline' needs samples of at least 2 classes, but y holds only one.")
    own, other, nearest = np.full(len(y), np.inf), np.full(len(y), np.inf), np.zeros(len(y), np.int64)
    for k in classes:
        inside, outside = np.flatnonzero(y == k), np.flatnonzero(y != k)
        index = NearestNeighbors(n_neighbors=1).fit(X[inside])
        if len(inside) > 1:
            own[inside] = index.kneighbors()[0][:, 0]  # without arguments a sample is no neighbour of itself
        distances = index.kneighbors(X[outside])[0][:, 0]
        closer = distances < other[outside]
        other[outside[closer]], nearest[outside[closer]] = distances[closer], k
    return own, other, nearest
