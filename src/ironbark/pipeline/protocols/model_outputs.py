"""Outputs of a fitted model for samples, in one form for all classifiers."""

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
