"""Values of parameters as JSON: numbers, texts, sequences and dictionaries of them, nothing that could be code."""

from numbers import Integral, Real

import numpy as np

from ironbark.errors import InputError

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
