"""Packed labels: the class of a sample and how often it counts, in one small integer."""

import numpy as np

CLASS = np.int64(255)  # mask of the bits that hold the class
BITS = np.int64(8)  # the bits above hold the weight less one, so that a bare class is a label of weight 1


def pack_labels(y, weights=None, dtype=np.uint32):
    """Labels as the kernels take them: the class is ``label & CLASS``, the weight ``(label >> BITS) + 1``.

    Weights are positive integers, up to 2**8 in uint16 and up to 2**24 in uint32; labels without them are uint8.
    """
    if weights is None:
        return y.astype(np.uint8)
    return ((weights - 1).astype(dtype) << dtype(8)) | y.astype(dtype)


def class_weights(labels, n_classes, weights=None):
    """Sum of the labels' weights by class, int64, or of other weights, float64; ndarray of shape (n_classes,)."""
    classes, other = labels & labels.dtype.type(CLASS), weights is not None
    if not other and labels.itemsize > 1:
        weights = (labels >> labels.dtype.type(BITS)) + 1.0
    return np.bincount(classes, weights, n_classes).astype(np.float64 if other else np.int64)
