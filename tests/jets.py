"""Automatic differentiation of the losses' definitions: a slow, independent twin.

A jet carries a value and its first and second derivative with respect to one score; each operation applies its own
chain rule. The definitions below are written with logarithms of probabilities and know no derivative.
"""

import numpy as np
from scipy.special import expit


class Jet:
    """Value, first and second derivative; arrays of one shape."""

    def __init__(self, value, first, second):
        self.value, self.first, self.second = value, first, second

    def chain(self, value, slope, curvature):
        return Jet(value, slope * self.first, curvature * self.first**2 + slope * self.second)

    def __add__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.value + other, self.first, self.second)
        return Jet(self.value + other.value, self.first + other.first, self.second + other.second)

    def __mul__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.value * other, self.first * other, self.second * other)
        second = self.second * other.value + 2 * self.first * other.first + self.value * other.second
        return Jet(self.value * other.value, self.first * other.value + self.value * other.first, second)

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -other

    def __truediv__(self, other):
        return self * other.chain(1 / other.value, -1 / other.value**2, 2 / other.value**3)

    def exp(self):
        value = np.exp(self.value)
        return self.chain(value, value, value)

    def expm1(self):
        value = np.exp(self.value)
        return self.chain(np.expm1(self.value), value, value)

    def log(self):
        return self.chain(np.log(self.value), 1 / self.value, -1 / self.value**2)

    def softplus(self):
        p, u = expit(self.value), expit(-self.value)
        return self.chain(np.log1p(np.exp(-abs(self.value))) + np.maximum(self.value, 0), p, p * u)


def robust_focal(log_p, log_u, r, q):
    """u^r L of the logarithms of p and u."""
    L = -log_p if q == 0 else (log_p * q).expm1() * (-1 / q)
    return (log_u * r).exp() * L


#: Loss -> its definition, by ln p and ln(1 - p) of the label.
DEFINITIONS = {
    "robust_focal": lambda log_p, log_u, v: robust_focal(log_p, log_u, v["r"], v["q"]),
    "generalized_cross_entropy": lambda log_p, log_u, v: robust_focal(log_p, log_u, 0, v["q"]),
    "focal": lambda log_p, log_u, v: robust_focal(log_p, log_u, v["r"], 0),
    "symmetric_cross_entropy": lambda log_p, log_u, v: -log_p * v["a"] + log_u.exp() * v["b"],
    "mean_absolute_error": lambda log_p, log_u, v: log_u.exp(),
    "cross_entropy": lambda log_p, log_u, v: -log_p,
    "normalized_cross_entropy": lambda log_p, log_u, v: log_p / (log_p + log_u),
}


def binary(name, values, y, z):
    """The loss of two classes as a jet in the score z."""
    m = Jet(z, np.ones_like(z), np.zeros_like(z)) * np.where(y == 1, 1.0, -1.0)
    return DEFINITIONS[name](-(-m).softplus(), -m.softplus(), values)


def log_sum_exp(jets):
    top = np.max([jet.value for jet in jets], axis=0)
    total = (jets[0] - top).exp()
    for jet in jets[1:]:
        total = total + (jet - top).exp()
    return total.log() + top


def softmax(name, values, y, z, k):
    """The loss under softmax as a jet in the score of class k, for one true class y of all samples."""
    jets = [Jet(z[:, j], np.full(len(z), float(j == k)), np.zeros(len(z))) for j in range(z.shape[1])]
    if name == "normalized_cross_entropy":
        margins = [jets[j] - log_sum_exp(jets[:j] + jets[j + 1 :]) for j in range(len(jets))]
        logs = [-(-m).softplus() for m in margins]
        total = logs[0]
        for log in logs[1:]:
            total = total + log
        return logs[y] / total
    m = jets[y] - log_sum_exp(jets[:y] + jets[y + 1 :])
    return DEFINITIONS[name](-(-m).softplus(), -m.softplus(), values)
