"""Which rates make sense for which noise model. Plain Python, like `ironbark.noise.models`."""

import math
import numbers
from typing import NamedTuple

from ironbark.errors import InputError
from ironbark.noise.models import check_classes, resolve


class Limit(NamedTuple):
    """Upper end of a rate, whether it is itself allowed, and why nothing beyond it is."""

    high: float
    included: bool
    reason: str


def _uniform(n_classes):
    return Limit((n_classes - 1) / n_classes, False, "at the upper end a label says nothing about the true class")


#: Model -> limit of each of its rates, given the number of classes.
LIMITS = {
    "uniform": _uniform,
    "class_conditional": lambda n_classes: Limit(1.0, False, "at 1 a class would vanish"),
    "pair_flip": lambda n_classes: Limit(0.5, False, "at 0.5 a true class no longer keeps the majority of its labels"),
    "balanced": lambda n_classes: Limit(0.5, False, "at 0.5 half of the labels of the minority class are wrong"),
    "adversarial": lambda n_classes: Limit(0.5, True, "beyond 0.5 most labels are wrong"),
}

_EXPECTED = {
    0: "takes no rate; leave it out",
    1: "takes one rate; give one number such as 0.2",
    2: "takes two rates, P(0 -> 1) and P(1 -> 0); give two numbers such as [0.1, 0.3]",
}


def check_rate(name, rate, n_classes):
    """Check the rate of a noise model and bring it to its canonical form.

    Parameters
    ----------
    name : str
    rate : None, number or sequence of two numbers
    n_classes : int

    Returns
    -------
    None, float or tuple of two floats

    Raises
    ------
    InputError
        If the model is unknown or not defined for `n_classes`, the rate is missing, superfluous or not a number, or
        it lies where the noise makes no sense.
    """
    name, model = resolve(name)
    check_classes(name, n_classes)
    values = _as_list(rate)
    if len(values) != model.rates or (model.rates == 1 and isinstance(rate, (list, tuple))):
        raise InputError(f"noise {name!r} {_EXPECTED[model.rates]} (got {_show(rate)}).")
    values = [_in_range(name, value, n_classes) for value in values]
    if model.rates == 0:
        return None
    if model.rates == 1:
        return values[0]
    if sum(values) >= 1:
        raise InputError(
            f"the rates {_show(rate)} of noise {name!r} must add up to less than 1, "
            "since from there on the labels say nothing about the true class, or the opposite."
        )
    return tuple(values)


def _as_list(rate):
    rate = rate.tolist() if hasattr(rate, "tolist") else rate  # numpy scalars and arrays
    if rate is None:
        return []
    return list(rate) if isinstance(rate, (list, tuple)) else [rate]


def _in_range(name, value, n_classes):
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise InputError(f"the rate {value!r} of noise {name!r} is not a finite number; give one such as 0.2.")
    high, included, reason = LIMITS[name](n_classes)
    if 0 <= value < high or (included and value == high):
        return float(value) + 0.0  # -0.0 becomes 0.0
    bracket = "]" if included else ")"
    raise InputError(
        f"the rate {value!r} of noise {name!r} must lie in [0, {high:.4g}{bracket} for {n_classes} classes, "
        f"since {reason}."
    )


def _show(rate):
    return "none" if rate is None else repr(rate.tolist() if hasattr(rate, "tolist") else rate)
