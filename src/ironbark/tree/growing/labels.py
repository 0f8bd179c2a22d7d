"""Packed labels: the class of a sample and how often it counts, in one small integer."""

import numpy as np
from numba import types
from numba.extending import overload


def pack_labels(y, weights=None, dtype=np.uint32):
    """Labels as the kernels take them.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), int
        Class indices below 256.
    weights : ndarray of shape (n_samples,), int, optional
        Positive integers below 2**24.
    dtype : type
        uint16 holds weights below 2**8, uint32 below 2**24.

    Returns
    -------
    ndarray
        uint8 classes, or ``weight << 8 | class``.
    """
    if weights is None:
        return y.astype(np.uint8)
    return (weights.astype(dtype) << dtype(8)) | y.astype(dtype)


def label_class(label):
    """Class of a packed label."""
    return int(label) & 255


def label_weight(label):
    """Weight of a packed label."""
    return 1 if isinstance(label, np.uint8) else int(label) >> 8


def total_weight(labels):
    """Sum of the weights of packed labels."""
    return len(labels) if labels.dtype == np.uint8 else int((labels >> labels.dtype.type(8)).sum(dtype=np.int64))


def label_of(labels, low_bits):
    """Packed label of an entry: looked up by sample, or the entry's low bits themselves where `labels` is None."""
    return low_bits if labels is None else labels[low_bits]


@overload(label_class, inline="always")
def _label_class(label):
    if label.bitwidth == 8:
        return lambda label: np.int64(label)
    return lambda label: np.int64(label) & 255


@overload(label_weight, inline="always")
def _label_weight(label):
    if label.bitwidth == 8:
        return lambda label: np.int64(1)
    return lambda label: np.int64(label) >> 8


@overload(label_of, inline="always")
def _label_of(labels, low_bits):
    if isinstance(labels, types.NoneType):
        return lambda labels, low_bits: low_bits
    return lambda labels, low_bits: labels[np.uint64(low_bits)]
