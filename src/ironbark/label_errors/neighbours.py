"""Samples that share leaves with a suspect."""

import numpy as np
from scipy.sparse import csr_matrix

MOST = 3  # neighbours of a sample
BLOCK = 256  # samples that are compared at a time


def nearest(leaves, samples, members):
    """Members that share most leaves with each sample.

    Parameters
    ----------
    leaves : ndarray of shape (n_samples, n_trees), int
        Of a forest's `apply`.
    samples, members : ndarray of int
        Indices; a sample is not its own neighbour.

    Returns
    -------
    list of list of (int, float)
        For each sample, up to `MOST` members with the share of the trees in which they share its leaf: largest share
        first, of equal ones the lowest index. Members that share no leaf are left out.
    """
    found = []
    if not len(members):
        return [[] for _ in samples]
    indicator = leaf_indicator(leaves)
    for first in range(0, len(samples), BLOCK):
        block = samples[first : first + BLOCK]
        shares = (indicator[block] @ indicator[members].T).toarray() / leaves.shape[1]
        shares[block[:, None] == members] = 0.0
        order = np.argsort(-shares, axis=1, kind="stable")[:, :MOST]
        for share, columns in zip(shares, order, strict=True):
            found.append([(int(members[j]), float(share[j])) for j in columns if share[j] > 0])
    return found


def leaf_indicator(leaves):
    """Sparse matrix of shape (n_samples, number of leaves), 1 where the sample falls into the leaf."""
    n, n_trees = leaves.shape
    width = leaves.max() + 1
    columns = (leaves + width * np.arange(n_trees)).ravel()
    return csr_matrix((np.ones(n * n_trees, np.int32), columns, np.arange(0, n * n_trees + 1, n_trees)))
