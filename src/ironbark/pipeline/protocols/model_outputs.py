"""Outputs and statistics of a fitted model, in one form for all classifiers."""

import math

import numpy as np


def minority(y):
    """The rarer of the classes 0 and 1; 1 if there are as many of both."""
    counts = np.bincount(y, minlength=2)
    return 1 if counts[1] <= counts[0] else 0


def scores_of(model, X: np.ndarray, label) -> np.ndarray:
    """Probability of one of two classes, or what else a classifier orders samples by."""
    if hasattr(model, "predict_proba"):
        columns = np.flatnonzero(np.asarray(model.classes_) == label)
        proba = probabilities(model, X)
        return proba[:, columns[0]] if len(columns) else np.zeros(len(X))
    found = np.asarray(model.decision_function(X))
    return found if label == 1 else -found


def probabilities(model, X):
    """Class probabilities, all of which are numbers; ValueError otherwise."""
    proba = np.asarray(model.predict_proba(X))
    wrong = len(X) - int(np.isfinite(proba).all(axis=1).sum())
    if wrong:
        raise ValueError(f"predict_proba gave NaN or infinite probabilities for {wrong} of {len(X)} samples")
    return proba


def of_all_classes(proba, classes, n_classes):
    """Probabilities of the classes 0 to n_classes - 1, 0 for those that training lacked."""
    found = np.zeros((len(proba), n_classes))
    found[:, np.asarray(classes, dtype=np.int64)] = proba
    return found


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
