"""Outputs and statistics of a fitted model, in one form for all classifiers."""

import math

import numpy as np

ROUNDING = 1e-5  # of sums of probabilities, which may be float32


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
    """Class probabilities, up to rounding between 0 and 1 with the sum 1; ValueError otherwise."""
    proba = np.asarray(model.predict_proba(X))
    if proba.shape != (len(X), len(model.classes_)):
        raise ValueError(f"predict_proba gave shape {proba.shape} for {len(X)} samples, {len(model.classes_)} classes")
    wrong = len(X) - int(np.isfinite(proba).all(axis=1).sum())
    if wrong:
        raise ValueError(f"predict_proba gave NaN or infinite probabilities for {wrong} of {len(X)} samples")
    wrong = np.flatnonzero((proba < -ROUNDING).any(axis=1) | (np.abs(proba.sum(axis=1) - 1) > ROUNDING))
    if len(wrong):
        raise ValueError(f"predict_proba gave {proba[wrong[0]].tolist()} for sample {wrong[0]}, no probabilities")
    return np.clip(proba, 0, 1)


def of_all_classes(proba, classes, n_classes):
    """Probabilities of the classes 0 to n_classes - 1, 0 for those that training lacked."""
    found = np.zeros((len(proba), n_classes))
    found[:, np.asarray(classes, dtype=np.int64)] = proba
    return found


def effective_size(vector):
    """Number of entries that carry a vector, ``(sum |v|)^2 / sum v^2`` (Kish 1965, of weighted samples), or 0."""
    size = np.abs(np.asarray(vector, dtype=np.float64))
    return float(size.sum() ** 2 / (size @ size)) if size.any() else 0.0


#: Columns of the result rows that `facts` gives.
FACTS = ("n_leaves", "depth", "minimax_risk", "effective_rules", "effective_samples")


def facts(model):
    """Column -> what a fitted model says of itself, a float; NaN where it has no meaning."""
    is_linear_program = hasattr(model, "mu_path_")
    found = (
        model.get_n_leaves() if hasattr(model, "get_n_leaves") else math.nan,
        model.get_depth() if hasattr(model, "get_depth") else math.nan,
        getattr(model, "minimax_risk_", math.nan),
        effective_size(model.mu_) if is_linear_program else math.nan,
        effective_size(model.weights_) if is_linear_program else math.nan,
    )
    return dict(zip(FACTS, map(float, found), strict=True))
