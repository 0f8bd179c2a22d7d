"""Values of parameters as JSON: numbers, texts, sequences and dictionaries of them, nothing that could be code."""

from numbers import Integral, Real

import numpy as np

from ironbark.errors import InputError
from ironbark.tree.base import MAX_CLASSES

_SEQUENCES = {"list": list, "tuple": tuple, "array": np.array, "dict": dict}


def to_json(name: str, value: object):
    """JSON of the value of a parameter."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (Integral, Real)):
        return int(value) if isinstance(value, Integral) else float(value)
    if isinstance(value, np.ndarray):
        return {"array": [to_json(name, entry) for entry in value.tolist()]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [to_json(name, entry) for entry in value]}
    if isinstance(value, dict):
        return {"dict": [[to_json(name, key), to_json(name, entry)] for key, entry in value.items()]}
    raise InputError(
        f"{name}={value!r} cannot be saved, since a file without pickle holds numbers, texts and sequences of them; "
        f"set {name} to such a value before save."
    )


def from_json(value):
    """The value that `to_json` wrote."""
    if not isinstance(value, dict):
        return value
    [(kind, entries)] = value.items()
    if kind == "dict":
        return {from_json(key): from_json(entry) for key, entry in entries}
    return _SEQUENCES[kind]([from_json(entry) for entry in entries])


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
