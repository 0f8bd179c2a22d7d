"""Small tables with noisy labels for golden fits."""

import numpy as np
from scipy.sparse import csr_matrix

GAP = np.nan


def mixed(n=60, n_classes=2, seed=0):
    """Two levels, three, nine, and many, with many zeros; a constant feature; half of the labels noisy."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, levels, n) * (rng.random(n) < 0.7) for levels in (2, 3, 9, 4 * n)])
    X = np.column_stack([X, np.ones(n)]).astype(np.float64)
    y = np.where(rng.random(n) < 0.5, X[:, 2] % n_classes, rng.integers(0, n_classes, n)).astype(np.int64)
    return X, y


def normal(n=80, n_classes=2, d=4, seed=0, noise=0.2):
    """Normal features of float64, classes by a linear rule, and a share of labels drawn anew."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X @ rng.normal(size=(d, n_classes))).argmax(axis=1)
    return X, np.where(rng.random(n) < noise, rng.integers(0, n_classes, n), y)


def with_gaps(X, share=0.2, seed=1):
    """Values left out at random, and all but a few of the last feature."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random(X.shape) < share, GAP, X)
    X[rng.random(len(X)) < 0.9, -1] = GAP
    return X


def table(make=normal, gaps=False, weights=None, text=False, as_=None, **sizes):
    """Data of a case; `weights` makes weights for so many samples, `as_` another form of the features."""
    X, y = make(**sizes)
    X = with_gaps(X) if gaps else X
    options = {} if weights is None else {"sample_weight": weights(len(y))}
    return X if as_ is None else as_(X), np.array(["a", "b", "c", "d"])[y] if text else y, options


def sparse(X):
    """The same table as a sparse matrix whose first entry is given in two parts, one of them 0."""
    matrix = csr_matrix(X)
    indices, data = (np.insert(p, 0, first) for p, first in ((matrix.indices, matrix.indices[0]), (matrix.data, 0)))
    return csr_matrix((data, indices, matrix.indptr + (np.arange(len(matrix.indptr)) > 0)), X.shape)


def counts(n, seed=2):
    """Weights 0, 1 and 2."""
    return np.random.default_rng(seed).integers(0, 3, n)


def shares(n, seed=3):
    """Real weights, a tenth of them 0."""
    rng = np.random.default_rng(seed)
    return rng.random(n) * (rng.random(n) < 0.9)
