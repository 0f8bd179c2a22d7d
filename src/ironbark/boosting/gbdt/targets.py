"""Weights of samples and classes, as our classifiers on top of XGBoost and LightGBM take them."""

import contextlib
import numbers
import warnings

import numpy as np

from ironbark.errors import InputError


def check_single_precision(sample_weight):
    """Refuse weights that are all zero, or infinite, in float32, as which the libraries keep them."""
    if sample_weight is None:
        return
    with np.errstate(over="ignore", under="ignore"):
        single = np.asarray(sample_weight, np.float64).astype(np.float32)
    if not single.any() or np.isinf(single).any():
        raise InputError("the sample weights are too small or too large for float32; divide them by their mean.")


def weights_of_two(codes: np.ndarray, n_classes: int, scale=None, balance: bool = False) -> np.ndarray | None:
    """Weights of the two classes, which the libraries' own objectives apply and those of others do not."""
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


@contextlib.contextmanager
def infinity_named():
    """One sentence in place of XGBoost's trace of its stack."""
    try:
        yield
    except ValueError as error:  # as XGBoostError is
        if "`inf`" not in str(error):
            raise
        raise InputError(
            "X or an evaluation set holds infinity, or a number too large for float32; replace it, or say with "
            "`missing=numpy.inf` that it stands for a missing value."
        ) from error
