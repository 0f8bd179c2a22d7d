"""Samples that share leaves with a suspect."""

import numpy as np
from scipy.sparse import csr_matrix

MOST = 3  # neighbours of a sample
BLOCK = 256  # samples that are compared at a time


def nearest(leaves: np.ndarray, samples: np.ndarray, members: np.ndarray):
    """Members that share most leaves with each sample."""
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
