"""Scores of a fit; the tables of names are what result rows hold."""

import math
import warnings

import numpy as np
from sklearn.metrics import accuracy_score, average_precision_score, balanced_accuracy_score, zero_one_loss

#: Column of the result rows -> function of (true, predicted).
METRICS = {"accuracy": accuracy_score, "balanced_accuracy": balanced_accuracy_score, "error": zero_one_loss}

#: Column of the result rows -> function of (whether a sample is of the rarer class, its score); of two classes only.
SCORE_METRICS = {"average_precision": average_precision_score}


def scores(y_true, y_pred):
    """All metrics of predicted labels; the dict's values are floats.

    Classes that are absent from the test part are ignored by `balanced_accuracy`, also where they were predicted.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
        return {name: float(metric(y_true, np.asarray(y_pred))) for name, metric in METRICS.items()}


def score_metrics(model, X, y_true, n_classes):
    """All metrics of the scores of a fitted model for the rarer class of two; NaN otherwise.

    Also NaN for a model without scores, and for test samples of one class. With equal counts, class 1 is the rarer.

    Raises
    ------
    ValueError
        If a probability is NaN or infinite, however many classes there are.
    """
    has_scores = hasattr(model, "predict_proba") or hasattr(model, "decision_function")
    if n_classes != 2 or not has_scores or len(np.unique(y_true)) < 2:
        if hasattr(model, "predict_proba"):
            probabilities(model, X)
        return dict.fromkeys(SCORE_METRICS, math.nan)
    positive = minority(y_true)
    found = scores_of(model, X, positive)
    return {name: float(metric(y_true == positive, found)) for name, metric in SCORE_METRICS.items()}


def minority(y):
    """The rarer of the classes 0 and 1; 1 if there are as many of both."""
    counts = np.bincount(y, minlength=2)
    return 1 if counts[1] <= counts[0] else 0


def scores_of(model, X, label):
    """Probability of one of two classes, or what else a classifier orders samples by.

    Parameters
    ----------
    model : fitted classifier
        With ``predict_proba`` or ``decision_function``.
    X : ndarray
    label : {0, 1}

    Returns
    -------
    ndarray of shape (n_samples,)
        Larger for samples that are more likely of that class; 0 if training lacked it.
    """
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
