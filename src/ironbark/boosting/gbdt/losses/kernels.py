"""Loops over the samples: gradient and Hessian in one pass, without temporaries of the size of the data.

Scores and results may be of float32 or float64, and of any layout. Under softmax a block of samples is turned over into
``work``, a class a row, so that all loops over the samples of the block but the copies to and fro compile to vector
instructions. The label stands there as a class of score -inf: it then adds nothing to sums over the other classes.
"""

import math

import numpy as np

from ironbark.boosting.gbdt.losses.definitions import build, needs_rest, of_label, of_margin, of_other
from ironbark.boosting.gbdt.losses.elementary import expm1_and_exp, log_above_one
from ironbark.errors import InputError
from ironbark.jit import inlined_kernel, kernel

BLOCK = 64  # samples

# Rows of `work` after those of the classes.
TOP, SUM, MARGIN, REST, SLOPE, CURVATURE, FIRST, SECOND = range(8)
EXTRA = 8


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
def softmax(loss, y, scores, work, gradient, hessian):
    """Gradient and diagonal of the Hessian under softmax."""
    n_classes = scores.shape[1]
    others = n_classes - 1.0
    for start in range(0, y.shape[0], BLOCK):
        size = min(BLOCK, y.shape[0] - start)
        labels = y[start : start + size]
        margins(loss, labels, scores[start : start + size], work)
        rows = work[n_classes:]
        for i in range(size):
            _, slope, curvature = of_label(loss, rows[MARGIN, i], rows[REST, i], others)
            rows[SLOPE, i] = slope
            rows[CURVATURE, i] = curvature
        for k in range(n_classes):
            for i in range(size):
                slope, curvature = rows[SLOPE, i], rows[CURVATURE, i]
                share = work[k, i] * rows[SUM, i]
                first, second = of_other(loss, rows[MARGIN, i], slope, curvature, share, rows[REST, i], others)
                rows[FIRST, i] = first
                rows[SECOND, i] = second
            for i in range(size):
                gradient[start + i, k] = rows[FIRST, i]
                hessian[start + i, k] = rows[SECOND, i]
        for i in range(size):
            label = int(labels[i])
            gradient[start + i, label] = rows[SLOPE, i]
            hessian[start + i, label] = rows[CURVATURE, i]


@kernel
def softmax_values(loss, y, scores, work, values):
    """The loss of each sample under softmax."""
    n_classes = scores.shape[1]
    for start in range(0, y.shape[0], BLOCK):
        size = min(BLOCK, y.shape[0] - start)
        margins(loss, y[start : start + size], scores[start : start + size], work)
        rows = work[n_classes:]
        for i in range(size):
            values[start + i] = of_label(loss, rows[MARGIN, i], rows[REST, i], n_classes - 1.0)[0]


@inlined_kernel
def margins(loss, y, scores, work):
    """Fill `work` for a block: exp(score - TOP) of the other classes, the inverse of its SUM, MARGIN and REST."""
    # The largest of the other scores is taken off first, so that nothing overflows and small differences survive.
    n_classes, size = scores.shape[1], y.shape[0]
    rows = work[n_classes:]
    for k in range(n_classes):
        for i in range(size):
            work[k, i] = scores[i, k]
    for i in range(size):
        label = int(y[i])
        rows[MARGIN, i] = work[label, i]
        work[label, i] = -math.inf
    rows[TOP, :] = -math.inf
    rows[SUM, :] = 0.0
    for k in range(n_classes):
        for i in range(size):
            rows[TOP, i] = max(rows[TOP, i], work[k, i])
    rests(loss, size, n_classes, work, rows)
    for k in range(n_classes):
        for i in range(size):
            share = expm1_and_exp(work[k, i] - rows[TOP, i])[1]
            rows[SUM, i] += share
            work[k, i] = share
    for i in range(size):
        log_sum = log_above_one(rows[SUM, i])
        rows[MARGIN, i] -= rows[TOP, i] + log_sum
        rows[REST, i] += (n_classes - 1.0) * log_sum
        rows[SUM, i] = 1.0 / rows[SUM, i]


@inlined_kernel
def rests(loss, size, n_classes, work, rows):
    """Sum of TOP - score over the other classes, for losses that need it."""
    rows[REST, :] = 0.0
    if needs_rest(loss):
        for k in range(n_classes):
            for i in range(size):
                below = work[k, i] - rows[TOP, i]
                rows[REST, i] -= below if below > -math.inf else 0.0


class BoostingLoss:
    """A loss, one of `ironbark.boosting.gbdt.losses.definitions.LOSSES`, of labels and raw scores.

    Scores of more than two classes compete in a softmax, or are each of a class against the rest ("ovr").

    Examples
    --------
    >>> import numpy as np
    >>> loss = BoostingLoss("robust_focal", r=0.5, q=0.3)
    >>> gradient, hessian = loss.derivatives(np.array([0, 1]), np.array([-1.0, -1.0]))
    >>> gradient.round(3).tolist(), hessian.round(3).tolist()
    ([0.184, -0.546], [0.181, 0.06])
    """

    def __init__(self, name, multi="softmax", r=0.5, q=0.3, a=1.0, b=1.0):
        self._loss = build(name, multi, {"r": r, "q": q, "a": a, "b": b})
        self.name, self.multi = name, multi

    def derivatives(self, y, scores, dtype=np.float64):
        """First and second derivative of each sample's loss by each of its scores.

        Under softmax the second ones are the diagonal of the Hessian. Labels are 0..K-1; scores of
        shape (n_samples,) are those of class 1, else (n_samples, K).
        """
        _check(y, scores)
        gradient, hessian = np.empty_like(scores, dtype=dtype), np.empty_like(scores, dtype=dtype)
        if scores.ndim == 1:
            binary(self._loss, y, scores, gradient, hessian)
        elif self.multi == "ovr":
            for k in range(scores.shape[1]):  # two classes, this one and the rest
                binary(self._loss, y == k, scores[:, k], gradient[:, k], hessian[:, k])
        else:
            softmax(self._loss, y, scores, _work(scores), gradient, hessian)
        return gradient, hessian

    def values(self, y, scores):
        """The loss of each sample; see `derivatives`."""
        _check(y, scores)
        values = np.zeros(len(y))
        if scores.ndim == 1:
            binary_values(self._loss, y, scores, values)
        elif self.multi == "ovr":
            of_class = np.empty(len(y))
            for k in range(scores.shape[1]):
                binary_values(self._loss, y == k, scores[:, k], of_class)
                values += of_class
        else:
            softmax_values(self._loss, y, scores, _work(scores), values)
        return values


def _check(y, scores):
    if scores.ndim not in (1, 2) or (scores.ndim == 2 and scores.shape[1] < 2) or len(y) != len(scores):
        raise InputError(
            f"scores of shape {scores.shape} don't fit {len(y)} labels; give (n_samples,) for two classes, "
            "or (n_samples, n_classes)."
        )


def _work(scores):
    return np.empty((scores.shape[1] + EXTRA, BLOCK))
