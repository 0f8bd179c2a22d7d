"""Metrics that a study has to ask for: F1, log loss, area under the ROC curve and Brier score, by scikit-learn.

Models that look for wrong labels are also scored for what they found.

Fits of studies that do not ask for them are the same without this module, so it is no part of their keys.
"""

import warnings

import numpy as np
from sklearn.metrics import average_precision_score, brier_score_loss, f1_score, log_loss, roc_auc_score

from ironbark.pipeline.protocols.metrics import probabilities, scores_of


class NoValue(Exception):
    """A metric has no value for a fit; the message says why."""


def f1(y_true, model, X, n_classes):
    """F1 of class 1 of two, or the mean of the F1 of all classes that are present or predicted."""
    average = "binary" if n_classes == 2 else "macro"
    return f1_score(y_true, model.predict(X), average=average, zero_division=0.0)


def log_loss_of(y_true, model, X, n_classes):
    """Mean negative logarithm of the probability of the true class."""
    return log_loss(y_true, _probabilities(model, X, n_classes), labels=range(n_classes))


def roc_auc(y_true, model, X, n_classes):
    """Area under the ROC curve of class 1 of two, or the mean over the classes, each against the rest."""
    if len(np.unique(y_true)) < n_classes:
        raise NoValue("the test part lacks a class")
    if n_classes > 2:
        return roc_auc_score(y_true, _probabilities(model, X, n_classes), multi_class="ovr", labels=range(n_classes))
    if not hasattr(model, "decision_function"):
        _probabilities(model, X, n_classes)  # says what is missing
    return roc_auc_score(y_true, scores_of(model, X, 1))


def brier(y_true, model, X, n_classes):
    """Mean squared error of the probabilities: of class 1 of two, or summed over more classes."""
    found = _probabilities(model, X, n_classes)
    if n_classes == 2:
        return brier_score_loss(y_true, found[:, 1], pos_label=1)
    return brier_score_loss(y_true, found, labels=range(n_classes))


#: Column of the result rows -> function of (true classes, fitted model, features, number of classes).
METRICS = {"f1": f1, "log_loss": log_loss_of, "roc_auc": roc_auc, "brier": brier}


def detection(model, wrong):
    """Average precision of the wrong training labels in the order of a detector's suspicion, by name of the column.

    Empty for models without a fitted `detector_`, and where all labels are right or all are wrong.
    """
    if not hasattr(model, "detector_") or wrong.all() or not wrong.any():
        return {}
    return {"detection": float(average_precision_score(wrong, -model.detector_.label_quality_))}


def measure(model, X, y_true, n_classes, wrong):
    """All metrics of a fitted model.

    Parameters
    ----------
    model : fitted classifier
    X, y_true, n_classes
        Features and true classes of the test part, and the number of classes.
    wrong : ndarray of shape (n_train,), bool
        Which labels of the training part are wrong.

    Returns
    -------
    dict
        Key ``further``: a dict with the ``values`` by metric and, for each metric without one, a sentence in ``gaps``.
    """
    values, gaps = detection(model, wrong), {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The y_prob values do not sum to one")
        for name, metric in METRICS.items():
            try:
                values[name] = float(metric(y_true, model, X, n_classes))
            except NoValue as error:
                gaps[name] = f"no {name}: {error}"
    return {"further": {"values": values, "gaps": gaps}}


def _probabilities(model, X, n_classes):
    """Probabilities of all classes, 0 for those that training lacked."""
    if not hasattr(model, "predict_proba"):
        raise NoValue(f"{type(model).__name__} has no predict_proba")
    found = np.zeros((len(X), n_classes))
    found[:, np.asarray(model.classes_, dtype=np.int64)] = probabilities(model, X)
    return found
