"""Losses of gradient boosting: the table of names, their parameters and ranges.

Importing this module imports no kernel and no numba, so that the planner can ask which names exist.
"""

import importlib
import math
from dataclasses import dataclass
from numbers import Real

from ironbark.entries import suggestion
from ironbark.errors import InputError


@dataclass(frozen=True)
class Loss:
    """Entry of `LOSSES`: a class of `ironbark.boosting.gbdt.losses.definitions`, its parameters and fixed values."""

    build: str
    parameters: tuple
    fixed: dict
    about: str


#: Parameter -> what it has to be below; all are numbers >= 0.
PARAMETERS = {"r": math.inf, "q": 1.0, "a": math.inf, "b": math.inf}

#: Name -> loss. p is the predicted probability of the label.
LOSSES = {
    "robust_focal": Loss("RobustFocal", ("r", "q"), {}, "(1 - p)^r (1 - p^q) / q"),
    "generalized_cross_entropy": Loss("RobustFocal", ("q",), {"r": 0.0}, "(1 - p^q) / q"),
    "focal": Loss("RobustFocal", ("r",), {"q": 0.0}, "-(1 - p)^r ln p"),
    "symmetric_cross_entropy": Loss("SymmetricCrossEntropy", ("a", "b"), {}, "-a ln p + b (1 - p)"),
    "normalized_cross_entropy": Loss("NormalizedCrossEntropy", (), {}, "ln p / sum_k ln p_k"),
    "mean_absolute_error": Loss("RobustFocal", (), {"r": 0.0, "q": 1.0}, "1 - p"),
    "cross_entropy": Loss("RobustFocal", (), {"r": 0.0, "q": 0.0}, "-ln p"),
}

#: Name -> log loss that is corrected for label noise, see `ironbark.boosting.gbdt.losses.corrections`. T is
#: `noise_matrix`, s is `strength`, e_y the one-hot label, q the shares of the labels.
CORRECTIONS = {
    "forward_correction": "-ln (p T)_y",
    "backward_correction": "log loss of the soft label (T^-1)_y",
    "label_smoothing": "log loss of the soft label (1 - s) e_y + s / K",
    "bootstrap": "log loss of the soft label (1 - s) e_y + s p",
    "peer": "log loss of the soft label e_y - s q",
}

#: How scores of more than two classes become probabilities.
MULTI = ("softmax", "ovr")


def build(name: str, multi: str, values: dict):
    """The loss in the form that the kernels take, after checks of its name, parameters and treatment of classes."""
    _refuse_unknown("loss", name, {**LOSSES, **CORRECTIONS})
    _refuse_unknown("value of multi", multi, MULTI)
    entry = LOSSES[name]
    own = {parameter: values[parameter] for parameter in entry.parameters}
    for parameter, value in own.items():
        limit = PARAMETERS[parameter]
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < limit:
            allowed = "a finite number >= 0" if limit == math.inf else f"a number in [0, {limit:g})"
            raise InputError(f"{parameter}={value!r} is out of range for loss {name!r}; it must be {allowed}.")
    if entry.parameters == ("a", "b") and values["a"] + values["b"] == 0:
        raise InputError(f"a=0 and b=0 leave nothing of loss {name!r}; one of them must be > 0.")
    definitions = importlib.import_module("ironbark.boosting.gbdt.losses.definitions")
    return getattr(definitions, entry.build)(**entry.fixed, **{key: float(value) for key, value in own.items()})


def _refuse_unknown(kind, name, names):
    if not isinstance(name, str) or name not in names:
        raise InputError(f"unknown {kind} {name!r}; {suggestion(name, names)}")
