"""Valid rates of noise models. Plain Python, like `ironbark.noise.models`."""

import math
import numbers

import numpy as np

from ironbark.errors import InputError
from ironbark.inputs import vector
from ironbark.noise.models import NOISE_MODELS, check_classes, resolve

_EXPECTED = {
    0: "takes no rate; leave it out",
    1: "takes one rate; give one number such as 0.2",
    2: "takes two rates, one for each class; give two numbers such as [0.1, 0.3]",
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
    limit = NOISE_MODELS[name].limit
    high = limit.high(n_classes) if callable(limit.high) else limit.high
    if 0 <= value < high or (limit.included and value == high):
        return float(value) + 0.0  # -0.0 becomes 0.0
    bracket = "]" if limit.included else ")"
    raise InputError(
        f"the rate {value!r} of noise {name!r} must lie in [0, {high:.4g}{bracket} for {n_classes} classes, "
        f"since {limit.reason}."
    )


def _show(rate):
    return "none" if rate is None else repr(rate.tolist() if hasattr(rate, "tolist") else rate)


def coded(y):
    """Classes and codes of a label vector."""
    classes, codes = np.unique(vector(y), return_inverse=True)
    if len(classes) < 2:
        raise InputError(f"y must hold at least 2 classes, but it holds {len(classes)}.")
    return classes, codes.astype(np.int64)


def coded_as(classes: np.ndarray, given) -> np.ndarray:
    """Codes of further labels of the same samples."""
    codes = {label: code for code, label in enumerate(classes.tolist())}
    labels = np.asarray(given).tolist()
    strange = [label for label in labels if label not in codes]
    if strange:
        raise InputError(f"given holds the label {strange[0]!r}, which y does not have; correct one of them.")
    return np.array([codes[label] for label in labels], np.int64)


def check_length(X, y):
    """Raise InputError unless X is None or has as many samples as y has labels."""
    if X is None:
        return
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_samples != len(y):
        raise InputError(f"X has {n_samples} samples but y has {len(y)} labels; pass the same samples in both.")


def as_generator(random_state):
    """A Generator of None (fresh entropy), an integer seed, or a Generator, which is used as it is."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"random_state={random_state!r} is not a seed; pass None, an integer >= 0 or a numpy Generator."
        ) from error
