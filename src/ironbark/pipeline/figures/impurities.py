"""Impurities of class shares along the last axis, and losses, as ANE's Theorems 1 and 8 define them, in numpy."""

import numpy as np
from scipy.special import xlogy

from ironbark.pipeline.figures.style import LOOKS, finish, new_figure


def gini(p):
    """1 - sum p_k^2."""
    return 1 - np.sum(np.square(p), axis=-1)


def entropy(p):
    """- sum p_k ln p_k."""
    return -np.sum(xlogy(p, p), axis=-1)


def misclassification(p):
    """1 - max p_k."""
    return 1 - np.max(p, axis=-1)


def sqrt_gini(p):
    """sqrt((K - 1) / K gini(p))."""
    k = np.shape(p)[-1]
    return np.sqrt((k - 1) / k * np.maximum(gini(p), 0))


def negative_exponential(p, lam):
    """min{misclassification(p), lam sqrt_gini(p)}; its limit sqrt_gini for lam = 0."""
    return sqrt_gini(p) if lam == 0 else np.minimum(misclassification(p), lam * sqrt_gini(p))


def generalized_cross_entropy(p, q):
    """(1 - (sum p_k^r)^(1/r)) / q with r = 1 / (1 - q); entropy for q = 0, misclassification(p) / q from 1 on."""
    if q == 0:
        return entropy(p)
    if q >= 1:
        return misclassification(p) / q
    r, p = 1 / (1 - q), np.asarray(p)
    top = np.max(p, axis=-1)
    return (1 - top * np.sum((p / top[..., None]) ** r, axis=-1) ** (1 / r)) / q


def two_classes(p):
    """Shares of two classes from that of the second."""
    p = np.asarray(p, dtype=float)
    return np.stack([1 - p, p], axis=-1)


def risk_reduction(phi, parent, left, right):
    """Decrease of phi by a split of two classes, from the shares of class 1 in parent and children."""
    share = (right - parent) / (right - left)
    children = share * phi(two_classes(left)) + (1 - share) * phi(two_classes(right))
    return float(phi(two_classes(parent)) - children), float(share)


def negative_exponential_loss(margin, mu):
    """min{1, exp(-margin - mu)}."""
    return np.minimum(1, np.exp(-np.asarray(margin) - mu))


BLUE, RED = (look.color for look in LOOKS[:2])
DASHES = ("--", "-.", ":")
VALUES = (0.2, 0.5, 0.8)  # of lambda and of q
MU = 1.0
PARENT, SPLITS = 0.5, ((0.0, 0.67), (0.2, 0.8))

#: Title -> impurity of two classes with peak 1.
PEAKED = {"Sqrt Gini": lambda p: 2 * sqrt_gini(p), "Misclassification": lambda p: 2 * misclassification(p)}


def losses(_, spec, context):
    """The negative exponential loss against the margin, and impurities of two classes against the share of one."""
    figure = new_figure(7.6, 3.0)
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
    margin = np.union1d(np.linspace(-2, 2, 401), [-MU])
    left.plot(margin, negative_exponential_loss(margin, MU), color=BLUE)
    left.set(xlabel="Margin $y\\hat{y}$", ylabel="Loss", title="Negative exponential loss", xlim=(-2, 2), ylim=(0, 1.1))
    left.set_xticks([-MU, 0], ["$-\\mu$", "0"])
    p = np.linspace(0, 1, 801)
    for label, values, look in _curves(two_classes(p)):
        right.plot(p, values, label=label, **look)
    right.set(xlabel="$p$", ylabel="Impurity, scaled", title="Impurity of two classes", xlim=(0, 1), ylim=(0, 1.05))
    figure.legend(loc="outside right center", handlelength=2.8)
    return finish(figure, spec, context.note)


def _curves(shares):
    """Label, values and look of each impurity."""
    for lam, line in zip(VALUES, DASHES, strict=True):
        values = 2 * negative_exponential(shares, lam)
        yield f"NE, $\\lambda$ = {lam}", values, {"color": BLUE, "linestyle": line}
    yield "CL", 2 * misclassification(shares), {"color": BLUE}
    for q, line in zip(VALUES, DASHES, strict=True):
        peak = (1 - 2.0**-q) / q
        values = generalized_cross_entropy(shares, q) / peak
        yield f"GCE, $q$ = {q}", values, {"color": RED, "linestyle": line}
    yield "CE", entropy(shares) / np.log(2), {"color": RED}


def reductions(_, spec, context):
    """Two splits of one node under two impurities: chords, and the gaps that are their risk reductions."""
    figure = new_figure(7.4, 3.1)
    p = np.linspace(0, 1, 801)
    for axis, (title, phi) in zip(figure.subplots(1, 2), PEAKED.items(), strict=True):
        axis.plot(p, phi(two_classes(p)), color="black")
        for i, (ends, color) in enumerate(zip(SPLITS, (BLUE, RED), strict=True)):
            _split(axis, phi, ends, color, i)
        axis.plot([PARENT], [phi(two_classes(PARENT))], "o", color="black", markersize=4)
        axis.set(title=title, xlabel="$p$", ylabel="Impurity", xlim=(0, 1), ylim=(0, 1.08))
    return finish(figure, spec, context.note)


def _split(axis, phi, ends, color, i):
    gain, _ = risk_reduction(phi, PARENT, *ends)
    top = float(phi(two_classes(PARENT)))
    x = PARENT + (-0.012, 0.012)[i]
    axis.plot(ends, [phi(two_classes(end)) for end in ends], color=color, marker="o", gid=f"split {i + 1}")
    axis.plot((x, x), (top - gain, top), color=color, linewidth=2.2, solid_capstyle="butt", gid=f"gap {i + 1}")
    text = f"Split {i + 1}: $p$ = {ends[0]:g} and {ends[1]:g}, $RR_{i + 1}$ = {gain:.3f}"
    axis.text(0.55, 0.13 - 0.08 * i, text, color=color, fontsize=8, ha="center")
