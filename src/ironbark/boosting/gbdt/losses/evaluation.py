"""Losses, gradients and Hessians of arrays of labels and scores."""

import numpy as np

from ironbark.boosting.gbdt.losses import build, check, kernels
from ironbark.errors import InputError

DEFAULTS = {"r": 0.5, "q": 0.3, "a": 1.0, "b": 1.0}


class BoostingLoss:
    """A loss of labels and raw scores.

    Parameters
    ----------
    name : str
        One of `ironbark.boosting.gbdt.losses.LOSSES`.
    multi : {"softmax", "ovr"}, default="softmax"
        Whether scores of more than two classes compete in a softmax, or each class against the rest.
    **values : float
        `r` and `q` of the focal losses, `a` and `b` of symmetric cross entropy.

    Examples
    --------
    >>> import numpy as np
    >>> loss = BoostingLoss("robust_focal", r=0.5, q=0.3)
    >>> gradient, hessian = loss.derivatives(np.array([0, 1]), np.array([-1.0, -1.0]))
    >>> gradient.round(3).tolist(), hessian.round(3).tolist()
    ([0.124, -0.586], [0.172, 0.072])
    """

    def __init__(self, name, multi="softmax", **values):
        values = {**DEFAULTS, **values}
        check(name, multi, values)
        self.name = name
        self.multi = multi
        self._loss = build(name, values)

    def derivatives(self, y, scores, dtype=np.float64):
        """First and second derivative of each sample's loss with respect to each of its scores.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            Labels 0..K-1, of any number type.
        scores : ndarray of shape (n_samples,) or (n_samples, K), float32 or float64
            Of class 1 if there are two classes, else of all.
        dtype : dtype, default=float64
            Of the result.

        Returns
        -------
        gradient, hessian : ndarray of the shape and order of `scores`
            Under softmax the diagonal of the Hessian.
        """
        _check(y, scores)
        gradient, hessian = np.empty_like(scores, dtype=dtype), np.empty_like(scores, dtype=dtype)
        if scores.ndim == 1:
            kernels.binary(self._loss, y, scores, gradient, hessian)
        elif self.multi == "ovr":
            kernels.one_vs_rest(self._loss, y, scores, gradient, hessian)
        else:
            kernels.softmax(self._loss, y, scores, _work(scores), gradient, hessian)
        return gradient, hessian

    def values(self, y, scores):
        """The loss of each sample; see `derivatives`.

        Returns
        -------
        ndarray of shape (n_samples,), float64
        """
        _check(y, scores)
        values = np.empty(len(y))
        if scores.ndim == 1:
            kernels.binary_values(self._loss, y, scores, values)
        elif self.multi == "ovr":
            kernels.one_vs_rest_values(self._loss, y, scores, values)
        else:
            kernels.softmax_values(self._loss, y, scores, _work(scores), values)
        return values


def _check(y, scores):
    if scores.ndim not in (1, 2) or (scores.ndim == 2 and scores.shape[1] < 2) or len(y) != len(scores):
        raise InputError(
            f"scores of shape {scores.shape} don't fit {len(y)} labels; give (n_samples,) for two classes, "
            "or (n_samples, n_classes)."
        )


def _work(scores):
    return np.empty((scores.shape[1] + kernels.EXTRA, kernels.BLOCK))
