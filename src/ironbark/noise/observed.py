"""Labels that a data set came with, where corrected ones are known."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption, frequencies


def observed(X, y: np.ndarray, n_classes: int, rate, rng, *, given=None) -> Corruption:
    """Take the labels that were given before people corrected them.

    Parameters
    ----------
    given : array-like of shape (n_samples,), int
        The labels as they were given, coded as y. `ironbark.noise.corrupt` takes them as y has them; the pipeline
        takes them from the column ``given`` of the data set.

    Raises
    ------
    InputError
        If there are no given labels, or not as many as y has, or they are other codes.
    """
    if given is None:
        raise InputError(
            "noise 'observed' needs the given labels; pass given=..., or name their column in the data set."
        )
    labels = np.array(given)
    if labels.shape != y.shape:
        raise InputError(f"noise 'observed' has given labels of shape {labels.shape}, but y of shape {y.shape}.")
    if labels.dtype.kind not in "iu" or (len(y) and not 0 <= labels.min() <= labels.max() < n_classes):
        raise InputError(f"noise 'observed' needs given labels that are codes from 0 to {n_classes - 1}.")
    labels = labels.astype(np.int64)
    return Corruption(labels, frequencies(y, labels, n_classes))
