"""Labels and weights of samples, as our classifiers on top of XGBoost and LightGBM take them."""

import numbers
import warnings

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, assert_all_finite

from ironbark.errors import InputError


def check_samples(X, y, sample_weight):
    """Refuse what the libraries answer with a trace of their stack, or with a constant model.

    Raises
    ------
    ValueError
        If there are not as many labels or weights as samples, or a weight is negative, NaN or infinite, or all are 0.
    """
    check_consistent_length(X, y)
    if sample_weight is not None:
        if not np.asarray(sample_weight).any():
            raise InputError("the sample weights are all zero; give some samples a positive weight.")
        _check_sample_weight(sample_weight, y, ensure_non_negative=True)


def check_single_precision(sample_weight):
    """Refuse weights that are all zero, or infinite, in float32, as which the libraries keep them.

    Raises
    ------
    InputError
    """
    if sample_weight is None:
        return
    with np.errstate(over="ignore", under="ignore"):
        single = np.asarray(sample_weight, np.float64).astype(np.float32)
    if not single.any() or np.isinf(single).any():
        raise InputError("the sample weights are too small or too large for float32; divide them by their mean.")


def encoded(y, user):
    """Sorted labels and codes 0..K-1 of the training labels.

    Returns
    -------
    labels : ndarray of shape (n_classes,)
    codes : ndarray of shape (n_samples,), int64

    Raises
    ------
    ValueError
        If y is no classification target, holds NaN, or one class only.
    """
    y = column_or_1d(y, warn=True)
    assert_all_finite(y, input_name="y")
    if len(y) == 0:
        raise InputError(f"{user} needs at least one sample of each class, but y holds 0 sample(s).")
    check_classification_targets(y)
    labels, codes = np.unique(y, return_inverse=True)
    if len(labels) < 2:
        raise InputError(
            f"{user} needs samples of at least two classes, but y holds only one class, {labels.tolist()[0]!r}."
        )
    return labels, codes


def encoded_like(y, labels, place):
    """Codes of the labels of an evaluation set.

    Raises
    ------
    InputError
        If training had no such label.
    """
    y = column_or_1d(y)
    unseen = sorted(set(y.tolist()) - set(labels.tolist()), key=str)
    if unseen:
        raise InputError(f"{place} holds the label {unseen[0]!r}, which y does not; leave out its samples.")
    return np.searchsorted(labels, np.asarray(y, labels.dtype))


def weights_of_two(codes, n_classes, scale=None, balance=False):
    """Weights of the two classes, which the libraries' own objectives apply and those of others do not.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,), int64
    n_classes : int
    scale : float > 0, optional
        ``scale_pos_weight``: weight of the second class.
    balance : bool, default=False
        LightGBM's ``is_unbalance``: the rarer class weighs as many times more as the other one has more samples.

    Returns
    -------
    ndarray of shape (2,), float32, or None
        None if all weights are 1. For three and more classes also, with a warning, as the libraries' softmax passes
        over both.

    Raises
    ------
    InputError
        If the scale is no positive number, or both are asked for.
    """
    scale = 1.0 if scale is None else scale
    if not (isinstance(scale, numbers.Real) and 0 < scale < np.inf):
        raise InputError(f"scale_pos_weight={scale!r} must be a positive number.")
    if not balance and scale == 1:
        return None
    if balance and scale != 1:
        raise InputError("is_unbalance and scale_pos_weight can't both be set; leave one of them out.")
    if n_classes > 2:
        warnings.warn(
            f"{'is_unbalance' if balance else 'scale_pos_weight'} has no effect for {n_classes} classes; "
            "give `sample_weight` in `fit`.",
            UserWarning,
            stacklevel=3,
        )
        return None
    counts = np.bincount(codes, minlength=2)
    weights = counts.max() / counts if balance else (1.0, scale)
    return np.array(weights, np.float32)
