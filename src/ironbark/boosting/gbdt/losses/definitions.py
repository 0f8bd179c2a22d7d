"""The losses as functions of the margin, with two derivatives each.

The margin m is the log-odds of the label: the score times the sign of the label for two classes, and the score of the
label minus the logarithm of the summed exponentials of the other scores under softmax. So p = 1 / (1 + exp(-m)), and
p = exp(z_y) / sum_k exp(z_k), are the same number, and a loss of p alone is defined by one function of m.

A loss is a subclass of `Loss`, a NamedTuple of its parameters; numba sees another type for each, so the kernels are
compiled once per loss with the formulas in place.
"""

import math
from numbers import Real
from typing import NamedTuple

from ironbark.boosting.gbdt.losses.corrections import CORRECTIONS
from ironbark.boosting.gbdt.losses.elementary import expm1_and_exp, log1p_of_share
from ironbark.entries import lookup
from ironbark.errors import InputError
from ironbark.jit import inlined_by_class, inlined_kernel


class Loss(NamedTuple):
    """Parameters of a loss; its static methods are the operations below."""

    first: float
    second: float

    @staticmethod
    def needs_rest(loss):
        return False

    @staticmethod
    def of_label(loss, m, rest, n_others):
        return of_margin(loss, m)

    @staticmethod
    def of_other(loss, m, slope, curvature, share, rest, n_others):
        # dm / dz_k = -share, where share is the softmax of the other scores alone
        return -share * slope, share * (share * curvature - (1.0 - share) * slope)


@inlined_by_class
def of_margin(loss, m):
    """Value, first and second derivative at margin m, for two classes."""


@inlined_by_class
def needs_rest(loss):
    """Whether `rest` counts; it is 0 otherwise."""


@inlined_by_class
def of_label(loss, m: float, rest: float, n_others: float):
    """Value, and first and second derivative with respect to the score of the label, under softmax."""


@inlined_by_class
def of_other(loss, m, slope: float, curvature: float, share: float, rest, n_others):
    """First and second derivative with respect to the score of another class k, under softmax."""


@inlined_kernel
def odds(m):
    """p, 1 - p, ln p and ln(1 - p) at margin m, none by a difference of close numbers."""
    small = expm1_and_exp(-abs(m))[1]
    log_sum = log1p_of_share(small)
    large_share = 1.0 / (1.0 + small)
    small_share = small * large_share
    p = large_share if m >= 0.0 else small_share
    u = small_share if m >= 0.0 else large_share
    return p, u, -log_sum if m >= 0.0 else m - log_sum, -m - log_sum if m >= 0.0 else -log_sum


class RobustFocal(Loss):
    """u^r L with u = 1 - p, L = (1 - p^q) / q, and L = -ln p for q = 0; `first` is r, `second` q.

    r = 0 is generalized cross entropy, q = 0 focal loss, r = q = 0 cross entropy, r = 0 with q = 1 mean absolute error.
    """

    @staticmethod
    def of_margin(loss, m):
        r, q = loss.first, loss.second
        p, u, log_p, log_u = odds(m)
        less_one, p_q = expm1_and_exp(q * log_p)
        L = -log_p if q == 0.0 else -less_one / q
        u_r = expm1_and_exp(r * log_u)[1]
        r_p_L, u_p_q = r * p * L, u * p_q
        slope = -u_r * (r_p_L + u_p_q)
        curvature = u_r * (r_p_L * (r * p - u) + u_p_q * (2.0 * r * p + (p - q * u)))
        return u_r * L, slope, curvature


class SymmetricCrossEntropy(Loss):
    """-a ln p + b (1 - p); `first` is a, `second` b."""

    @staticmethod
    def of_margin(loss, m):
        a, b = loss.first, loss.second
        p, u, log_p, _ = odds(m)
        return b * u - a * log_p, -u * (a + b * p), p * u * (a + b * (p - u))


class NormalizedCrossEntropy(Loss):
    """ln p / sum_k ln p_k: cross entropy of the label divided by the sum of those of all classes.

    With A = -ln p and R = sum of -ln p_k over the other classes, of which ln p_k = ln `share` + ln(1 - p), the loss is
    A / (A + R). A' and R' below are derivatives with respect to one score.
    """

    @staticmethod
    def of_margin(loss, m):
        return of_label(loss, m, 0.0, 1.0)

    @staticmethod
    def needs_rest(loss):
        return True

    @staticmethod
    def of_label(loss, m, rest, n_others):
        p, u, log_p, log_u = odds(m)
        rest -= n_others * log_u
        total = rest - log_p
        slope = -(u * rest - n_others * p * log_p) / (total * total)  # A' = -u, R' = n_others p
        change = n_others * p - u
        second = p * u * (rest + n_others * log_p) / (total * total)  # A'' R - A R'', over the square
        return -log_p / total, slope, second - 2.0 * slope * change / total

    @staticmethod
    def of_other(loss, m, slope, curvature, share, rest, n_others):
        _, u, log_p, log_u = odds(m)
        rest -= n_others * log_u
        p_k = share * u
        total = rest - log_p
        change = n_others * p_k - (1.0 - p_k)
        first = (p_k * rest + log_p * (n_others * p_k - 1.0)) / (total * total)  # A' = p_k, R' = n_others p_k - 1
        second = p_k * (1.0 - p_k) * (rest + n_others * log_p) / (total * total)
        return first, second - 2.0 * first * change / total


class Entry(NamedTuple):
    """A loss and its two parameters: names of `PARAMETERS`, or fixed numbers."""

    loss: type[Loss]
    parameters: tuple[str | float, str | float]


#: Parameter -> what it has to be below; all are numbers >= 0.
PARAMETERS = {"r": math.inf, "q": 1.0, "a": math.inf, "b": math.inf}

#: Name -> loss. p is the predicted probability of the label.
LOSSES = {
    "robust_focal": Entry(RobustFocal, ("r", "q")),  # (1 - p)^r (1 - p^q) / q
    "generalized_cross_entropy": Entry(RobustFocal, (0.0, "q")),  # (1 - p^q) / q
    "focal": Entry(RobustFocal, ("r", 0.0)),  # -(1 - p)^r ln p
    "symmetric_cross_entropy": Entry(SymmetricCrossEntropy, ("a", "b")),  # -a ln p + b (1 - p)
    "normalized_cross_entropy": Entry(NormalizedCrossEntropy, (0.0, 0.0)),  # ln p / sum_k ln p_k
    "mean_absolute_error": Entry(RobustFocal, (0.0, 1.0)),  # 1 - p
    "cross_entropy": Entry(RobustFocal, (0.0, 0.0)),  # -ln p
}

#: How scores of more than two classes become probabilities.
MULTI = ("softmax", "ovr")


def build(name: str, multi: str, values: dict):
    """The loss in the form that the kernels take, after checks of its name, parameters and treatment of classes."""
    lookup("loss", name, dict.fromkeys((*LOSSES, *CORRECTIONS)))
    lookup("value of multi", multi, dict.fromkeys(MULTI))
    loss, parameters = LOSSES[name]
    own = {parameter: values[parameter] for parameter in parameters if isinstance(parameter, str)}
    for parameter, value in own.items():
        limit = PARAMETERS[parameter]
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < limit:
            allowed = "a finite number >= 0" if limit == math.inf else f"a number in [0, {limit:g})"
            raise InputError(f"{parameter}={value!r} is out of range for loss {name!r}; it must be {allowed}.")
    if loss is SymmetricCrossEntropy and values["a"] + values["b"] == 0:
        raise InputError(f"a=0 and b=0 leave nothing of loss {name!r}; one of them must be > 0.")
    return loss(*(float(own.get(parameter, parameter)) for parameter in parameters))
