"""Classes of a classifier as one array of a plain type, and checks of what a file gives for them."""

import numpy as np

from ironbark.errors import InputError
from ironbark.tree.base import MAX_CLASSES

MAX_CODE_POINT = 0x10FFFF


def to_array(classes):
    """Whether the classes are Python strings in an array of objects, and the classes as an array of a plain type."""
    texts = classes.dtype.kind == "O" and all(isinstance(label, str) for label in classes)
    if texts and not any(label.endswith("\0") for label in classes):
        return True, np.array(classes, dtype=str)
    if classes.dtype.kind not in "biufU":
        raise InputError(
            f"labels such as {classes[0]!r} cannot be saved; train on numbers, truth values or strings, or pickle."
        )
    return False, np.ascontiguousarray(classes)


def from_array(texts, array):
    """The classes of `to_array`."""
    if array.ndim != 1 or not 1 <= len(array) <= MAX_CLASSES or (texts and array.dtype.kind != "U"):
        raise ValueError("there are too few or too many classes, or of the wrong type")
    if array.dtype.kind == "U" and (array.view(np.uint32) > MAX_CODE_POINT).any():
        raise ValueError("a class holds something that is no character")
    if array.dtype.kind == "b" and (array.view(np.uint8) > 1).any():
        raise ValueError("a class is neither true nor false")
    if not (array[1:] > array[:-1]).all() or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        raise ValueError("the classes are not sorted")
    return array.astype(object) if texts else array.astype(array.dtype.newbyteorder("="))
