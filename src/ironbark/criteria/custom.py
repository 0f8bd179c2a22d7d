"""Custom criteria: any function of the class counts of the two children."""

import functools
import importlib

import numpy as np

from ironbark.criteria.base import Criterion, fields
from ironbark.errors import InputError
from ironbark.jit import user_kernel


def load(name):
    """The function at an import path; InputError if there is none."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot load the criterion {name!r}: {error}; write it as module.function") from None


def build(function, n_classes, parameters):
    """Criterion of a function, compiled or not, for `n_classes` classes; InputError unless it is one."""
    parameters = np.asarray(parameters, np.float64)
    if parameters.ndim != 1:
        raise InputError("criterion_params must be a list of numbers.")
    cls = criterion_class(getattr(function, "py_func", function))
    _try(cls.function, n_classes, parameters, np.int64)
    return cls(*fields(integers=np.zeros(2 * n_classes), floats=parameters))


def check_floats(criterion):
    """Raise InputError unless a `Custom` criterion also takes class weights, which are floats."""
    _try(type(criterion).function, len(criterion.integers) // 2, criterion.floats, np.float64)


def _try(gain, n_classes, parameters, dtype):
    """Call a gain on some counts, so that errors come before a tree is grown."""
    name = getattr(gain, "__name__", repr(gain))
    left, right = np.arange(1, n_classes + 1).astype(dtype), np.arange(n_classes + 3, 3, -1).astype(dtype)
    try:
        getattr(gain, "py_func", gain)(left, right, parameters)  # with checks of bounds, which compiled ones lack
        there, back = float(gain(left, right, parameters)), float(gain(right, left, parameters))
    except Exception as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(
            f"the criterion {name!r} fails on class counts of the children, two {np.dtype(dtype)} arrays, and its "
            f"parameters, a float64 array: {type(error).__name__}: {reason}"
        ) from error
    if not abs(there - back) <= 1e-9 * max(abs(there), abs(back), 1.0):
        raise InputError(f"the criterion {name!r} must be symmetric; exchanged children made {back:g} of {there:g}.")


class Custom(Criterion):
    """v is the gain itself. Field `integers` takes the class counts of both children, `floats` are the parameters."""

    scratch = True
    cached = False


@functools.cache
def criterion_class(function):
    """The `Criterion` of a Python function."""
    compiled = user_kernel(function)

    def score(criterion, state, moved, total, n_moved, n, best):
        n_classes = total.shape[0]
        left, right = criterion.integers[:n_classes], criterion.integers[n_classes:]
        for k in range(n_classes):
            left[k] = moved[k]
            right[k] = total[k] - moved[k]
        return float(compiled(left, right, criterion.floats)), state

    def score_two(criterion, a1, n_moved, t1, n, best):
        left, right = criterion.integers[:2], criterion.integers[2:]
        left[0], left[1] = n_moved - a1, a1
        right[0], right[1] = n - n_moved - t1 + a1, t1 - a1
        return float(compiled(left, right, criterion.floats))

    def gain(criterion, whole, left, right, n_left, n_right):
        return float(compiled(left, right, criterion.floats))

    return type("Custom", (Custom,), {"function": compiled, "score": score, "score_two": score_two, "gain": gain})
