"""Statistics of a fitted model; the table of names is what result rows hold."""

import math

import numpy as np


def called(name):
    """Fact: what a method of the model returns."""
    return lambda model: getattr(model, name, lambda: math.nan)()


def attribute(name):
    """Fact: an attribute of the model."""
    return lambda model: getattr(model, name, math.nan)


def effective(name):
    """Fact of boosters by linear programs: how many entries of a vector carry it, from 1 to all if they are alike.

    ``(sum |v|)^2 / sum v^2``, which is the effective sample size of weighted observations in Kish (1965), Survey
    Sampling.
    """
    return lambda model: effective_size(getattr(model, name)) if hasattr(model, "mu_") else math.nan


def effective_size(vector):
    """``(sum |v|)^2 / sum v^2``, or 0 if all entries are zero."""
    size = np.abs(np.asarray(vector, dtype=np.float64))
    return float(size.sum() ** 2 / (size @ size)) if size.any() else 0.0


#: Column of the result rows -> function of the fitted model; NaN where it has no meaning.
FACTS = {
    "n_leaves": called("get_n_leaves"),
    "depth": called("get_depth"),
    "minimax_risk": attribute("minimax_risk_"),
    "effective_rules": effective("mu_"),
    "effective_samples": effective("weights_"),
}


def facts(model):
    """All facts of a fitted model; the dict's values are floats."""
    return {name: float(fact(model)) for name, fact in FACTS.items()}
