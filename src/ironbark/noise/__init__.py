"""Label noise: the table of models, checks of names, rates and parameters, and the two ways to apply a model.

Importing this package loads neither numpy nor any model; the functions below do when they are called.
"""

import math
import numbers
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from ironbark import entries
from ironbark.errors import InputError
from ironbark.noise.models import NOISE_MODELS, NoiseModel

if TYPE_CHECKING:
    from ironbark import annotations as t

__all__ = ["NOISE_MODELS", "NoiseModel", "apply", "check_params", "check_rate", "corrupt", "resolve"]


def corrupt(
    name: str,
    X: "t.Features | None",
    y: "t.ArrayLike",
    *,
    rate: "float | t.Sequence[float] | None" = None,
    random_state: "int | t.Generator | None" = None,
    **params: Any,
) -> "t.Labels":
    """Corrupt labels with a noise model.

    Parameters
    ----------
    name : str
        One of `NOISE_MODELS`.
    X : array-like of shape (n_samples, n_features) or None
        Only models whose entry says `needs_features` look at it.
    y : array-like of shape (n_samples,)
        Clean labels of at least two classes: numbers, strings or a pandas Series. Their sorted order is the order
        of the classes, so with two classes the larger label is class 1.
    rate : None, float or sequence of two floats
        As many numbers as the model takes.
    random_state : None, int or numpy.random.Generator
        An integer gives other random numbers than ``numpy.random.default_rng`` of it, which may have made y.
    **params
        Further parameters of the model, see `NOISE_MODELS`. Labels among them (``given``, ``only``) are labels as in y.

    Returns
    -------
    ndarray of shape (n_samples,), dtype of y
        Noisy labels; y itself is not changed.

    Raises
    ------
    ValueError
        If a name, the rate, a parameter, X or y is not fit for the model (InputError, which says how to fix it).

    Examples
    --------
    >>> corrupt("class_conditional", None, ["no", "yes"] * 4, rate=(0.0, 0.5), random_state=0).tolist()
    ['no', 'no', 'no', 'yes', 'no', 'yes', 'no', 'no']
    """
    import numpy as np  # late, like the next one

    from ironbark.inputs import encoded_like, vector
    from ironbark.noise_matrix import check_names

    classes, codes = np.unique(vector(y), return_inverse=True)
    if len(classes) < 2:
        raise InputError(f"y must hold at least 2 classes, but it holds {len(classes)}.")
    n_samples = len(codes) if X is None else X.shape[0] if hasattr(X, "shape") else len(X)
    if n_samples != len(codes):
        raise InputError(f"X has {n_samples} samples but y has {len(codes)} labels; pass the same samples in both.")
    check_names(params.get("matrix"), classes, "matrix")
    if params.get("given") is not None:
        params["given"] = encoded_like(params["given"], classes, "given")
    if params.get("only") is not None:
        params["only"] = int(encoded_like([params["only"]], classes, "only")[0])
    rng = random_state
    try:
        if not isinstance(rng, np.random.Generator):  # not the numbers of a user's generator of this seed
            rng = np.random.default_rng(np.random.SeedSequence(random_state, spawn_key=(1_000_003,)))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"random_state={random_state!r} is no seed; pass None, an integer >= 0 or a Generator."
        ) from error
    return classes[apply(name, X, codes, len(classes), rate, rng, **params).labels]


def apply(name: str, X, y, n_classes: int, rate, rng: "t.Generator", **params):
    """Corrupt coded labels, as `ironbark.noise.base` describes them; returns a `Corruption`."""
    name, model = resolve(name)
    rate, params = check_rate(name, rate, n_classes), check_params(name, params)
    if model.needs_features and X is None:
        raise InputError(f"noise {name!r} depends on the features, but X is None; pass the features of the samples.")
    y = y.astype("int64")
    if len(y) and not 0 <= y.min() <= y.max() < n_classes:
        raise InputError(f"y holds codes from {y.min()} to {y.max()}, but must hold codes from 0 to {n_classes - 1}.")
    found = resolve_name(f"{model.module}.{name}")(X, y, n_classes, rate, rng, **params)
    return resolve_name("ironbark.noise.base.checked")(name, found, len(y), n_classes)


_EXPECTED = {
    0: "takes no rate; leave it out",
    1: "takes one rate; give one number such as 0.2",
    2: "takes two rates, one for each class; give two numbers such as [0.1, 0.3]",
}


def resolve(name: str) -> tuple[str, NoiseModel]:
    """Canonical name and entry of a noise model, given in any case, with hyphens or underscores."""
    spelled = str(name).strip().lower().replace("-", "_")
    return spelled, entries.lookup("noise", name, NOISE_MODELS, spelled)


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
