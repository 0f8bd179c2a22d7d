"""Loops over the samples: gradient and Hessian in one pass, without temporaries of the size of the data.

Scores and results may be of float32 or float64, and of any layout. Under softmax a block of samples is turned over into
``work``, a class a row, so that all loops over the samples of the block compile to vector instructions.
"""

import math

from ironbark.boosting.losses.definitions import odds, of_label, of_margin, of_other
from ironbark.boosting.losses.elementary import expm1_and_exp
from ironbark.jit import inlined_kernel, kernel

BLOCK = 128  # samples

# Rows of `work` after those of the classes.
TOP, SUM, MARGIN, REST, SLOPE, CURVATURE = range(6)
EXTRA = 6


@kernel
def binary(loss, y, scores, gradient, hessian):
    """Derivatives for two classes; y holds 0 and 1."""
    for i in range(y.shape[0]):
        sign = 1.0 if y[i] > 0 else -1.0
        _, slope, curvature = of_margin(loss, sign * scores[i])
        gradient[i] = sign * slope
        hessian[i] = curvature


@kernel
def binary_values(loss, y, scores, values):
    """The loss of each sample, two classes."""
    for i in range(y.shape[0]):
        values[i] = of_margin(loss, scores[i] if y[i] > 0 else -scores[i])[0]


@kernel
def one_vs_rest(loss, y, scores, gradient, hessian):
    """Derivatives of the sum over classes of the loss of two classes, this one and the rest."""
    for k in range(scores.shape[1]):
        for i in range(y.shape[0]):
            sign = 1.0 if y[i] == k else -1.0
            _, slope, curvature = of_margin(loss, sign * scores[i, k])
            gradient[i, k] = sign * slope
            hessian[i, k] = curvature


@kernel
def one_vs_rest_values(loss, y, scores, values):
    """That sum for each sample."""
    values[:] = 0.0
    for k in range(scores.shape[1]):
        for i in range(y.shape[0]):
            values[i] += of_margin(loss, scores[i, k] if y[i] == k else -scores[i, k])[0]


@kernel
def softmax(loss, y, scores, work, gradient, hessian):
    """Gradient and diagonal of the Hessian under softmax.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        0..K-1, of any number type.
    scores, gradient, hessian : ndarray of shape (n_samples, K)
    work : ndarray of shape (K + EXTRA, BLOCK), float64
    """
    n_classes = scores.shape[1]
    others = n_classes - 1.0
    for start in range(0, y.shape[0], BLOCK):
        size = min(BLOCK, y.shape[0] - start)
        margins(y[start : start + size], scores[start : start + size], work)
        rows = work[n_classes:]
        for i in range(size):
            _, slope, curvature = of_label(loss, rows[MARGIN, i], rows[REST, i], others)
            rows[SLOPE, i] = slope
            rows[CURVATURE, i] = curvature
        for i in range(size):
            for k in range(n_classes):
                slope, curvature = rows[SLOPE, i], rows[CURVATURE, i]
                first, second = of_other(loss, rows[MARGIN, i], slope, curvature, work[k, i], rows[REST, i], others)
                is_label = y[start + i] == k
                gradient[start + i, k] = slope if is_label else first
                hessian[start + i, k] = curvature if is_label else second


@kernel
def softmax_values(loss, y, scores, work, values):
    """The loss of each sample under softmax."""
    n_classes = scores.shape[1]
    for start in range(0, y.shape[0], BLOCK):
        size = min(BLOCK, y.shape[0] - start)
        margins(y[start : start + size], scores[start : start + size], work)
        rows = work[n_classes:]
        for i in range(size):
            values[start + i] = of_label(loss, rows[MARGIN, i], rows[REST, i], n_classes - 1.0)[0]


@inlined_kernel
def margins(y, scores, work):
    """Fill `work` for a block: the softmax of the other scores, then the rows MARGIN and REST.

    The largest of the other scores is taken off first, so that nothing overflows and small differences survive.
    """
    n_classes, size = scores.shape[1], y.shape[0]
    rows = work[n_classes:]
    rows[TOP, :] = -math.inf
    rows[SUM, :] = 0.0
    rows[REST, :] = 0.0
    for k in range(n_classes):
        for i in range(size):
            score = float(scores[i, k])
            rows[MARGIN, i] = score if y[i] == k else rows[MARGIN, i]
            rows[TOP, i] = score if y[i] != k and score > rows[TOP, i] else rows[TOP, i]
            work[k, i] = score
    for k in range(n_classes):
        for i in range(size):
            below = work[k, i] - rows[TOP, i]
            share = expm1_and_exp(below if y[i] != k else -math.inf)[1]
            rows[SUM, i] += share
            rows[REST, i] -= below if y[i] != k else 0.0
            work[k, i] = share
    for i in range(size):
        log_sum = math.log(rows[SUM, i])
        rows[MARGIN, i] -= rows[TOP, i] + log_sum
        rows[REST, i] += (n_classes - 1.0) * log_sum
        rows[SUM, i] = 1.0 / rows[SUM, i]
    for i in range(size):
        rows[REST, i] -= (n_classes - 1.0) * odds(rows[MARGIN, i])[3]
    for k in range(n_classes):
        for i in range(size):
            work[k, i] *= rows[SUM, i]
