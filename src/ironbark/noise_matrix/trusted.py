"""Transition matrix from a few samples whose labels are known to be right."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise_matrix.matrix import LARGEST_CONDITION

#: Weight of the symmetric matrix, in samples; 0.3, 1, 3 and 10 were compared.
RIDGE = 1.0


def matrix_from_trusted(noisy: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Estimate the matrix from predicted noisy labels and true classes.

    With p = r T, the expectation of the one-hot true class y given x is r = p T^-1: a linear regression of y on p
    without intercept has the coefficients W = T^-1, whether or not the classes overlap. W minimises ||Y - P W||^2 +
    RIDGE ||W - W_0||^2, where W_0 is the inverse of the symmetric matrix that fits best.
    """
    if not len(codes):
        raise InputError("trusted marks no sample; mark some samples whose labels are right, or leave it out.")
    n_classes = noisy.shape[1]
    one_hot = np.eye(n_classes)[codes]
    spread = noisy - 1.0 / n_classes
    variance = (spread**2).sum()
    slope = max(1.0, (spread * one_hot).sum() / variance) if variance > 0 else 1.0
    symmetric = slope * np.eye(n_classes) + (1.0 - slope) / n_classes
    residual = noisy.T @ (one_hot - noisy @ symmetric)
    inverse = symmetric + np.linalg.solve(noisy.T @ noisy + RIDGE * np.eye(n_classes), residual)
    for candidate in (inverse, symmetric):
        matrix = np.clip(np.linalg.pinv(candidate), 0.0, None)
        matrix /= np.maximum(matrix.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        if np.linalg.cond(matrix) < LARGEST_CONDITION:
            break
    return matrix
