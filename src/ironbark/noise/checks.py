"""Checks of names, rates and parameters of noise models. Plain Python, like `ironbark.noise.models`."""

import math
import numbers

from ironbark import entries
from ironbark.errors import InputError
from ironbark.noise.models import NOISE_MODELS, NoiseModel

_EXPECTED = {
    0: "takes no rate; leave it out",
    1: "takes one rate; give one number such as 0.2",
    2: "takes two rates, one for each class; give two numbers such as [0.1, 0.3]",
}


def resolve(name: str) -> tuple[str, NoiseModel]:
    """Canonical name and entry of a noise model, given in any case, with hyphens or underscores."""
    return entries.find("noise", name, NOISE_MODELS, lambda name: str(name).strip().lower().replace("-", "_"))


def check_params(name: str, params: dict) -> dict:
    """The parameters of a noise model with its defaults; InputError for an unknown one or a value out of range."""
    name, model = resolve(name)
    checked = entries.checked(f"noise {name!r}", "parameter", model.params, params)
    for missing in (name for name in model.required if checked[name] is None):
        raise InputError(f"noise {name!r} needs {missing}; give {model.params[missing].wanted}.")
    return checked


def check_rate(name: str, rate, n_classes: int):
    """The rate as None, a float or a tuple of two; InputError if it or the number of classes does not fit."""
    name, model = resolve(name)
    _check_classes(name, model, n_classes)
    in_list, shown = isinstance(rate, (list, tuple)), "none"
    values = rate.tolist() if hasattr(rate, "tolist") else rate  # numpy scalars and arrays
    if values is not None:
        shown, values = repr(values), values if isinstance(values, (list, tuple)) else [values]
    if len(values or ()) != model.rates or (model.rates == 1 and in_list):
        raise InputError(f"noise {name!r} {_EXPECTED[model.rates]} (got {shown}).")
    values = [_in_range(name, model.limit, value, n_classes) for value in values or ()]
    if model.rates < 2:
        return values[0] if values else None
    if sum(values) >= 1:
        raise InputError(
            f"the rates {shown} of noise {name!r} must add up to less than 1, "
            "since from there on the labels say nothing about the true class, or the opposite."
        )
    return tuple(values)


def _check_classes(name, model, n_classes):
    if n_classes < 2:
        raise InputError(f"noise {name!r} needs labels of at least 2 classes, but there is only {n_classes}.")
    task = "binary" if n_classes == 2 else "multiclass"
    if task not in model.tasks:
        allowed = {"binary": "exactly 2 classes", "multiclass": "3 or more classes"}[model.tasks[0]]
        fitting = ", ".join(other for other, entry in NOISE_MODELS.items() if task in entry.tasks)
        raise InputError(f"noise {name!r} needs {allowed}, but there are {n_classes}; choose one of {fitting}.")


def _in_range(name, limit, value, n_classes):
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise InputError(f"the rate {value!r} of noise {name!r} is not a finite number; give one such as 0.2.")
    high = limit.high(n_classes) if callable(limit.high) else limit.high
    if 0 <= value < high or (limit.included and value == high):
        return float(value) + 0.0  # -0.0 becomes 0.0
    bracket = "]" if limit.included else ")"
    raise InputError(
        f"the rate {value!r} of noise {name!r} must lie in [0, {high:.4g}{bracket} for {n_classes} classes, "
        f"since {limit.reason}."
    )
