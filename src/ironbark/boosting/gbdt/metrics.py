"""Metrics of evaluation sets for LightGBM and XGBoost.

With a custom objective LightGBM passes raw scores to its metrics as if they were probabilities, and XGBoost the softmax
of the scores of three and more classes. Metrics for which these are wrong are computed here.
"""

import numpy as np

from ironbark.boosting.gbdt.base import ROBUST_METRIC, of_probabilities, probabilities
from ironbark.errors import InputError

#: Names under which LightGBM takes metrics as a parameter of the estimator.
METRIC_PARAMETERS = ("metric", "metrics", "metric_types")

#: Metrics that are right for raw scores, of two classes.
OF_ORDER = {"auc", "average_precision"}

#: Any name of LightGBM's -> the measure; its name is that of LightGBM for so many classes.
OF_PROBABILITIES = {
    **dict.fromkeys(("logloss", "binary_logloss", "multi_logloss", "binary", "multiclass", "softmax"), "logloss"),
    **dict.fromkeys(("error", "binary_error", "multi_error"), "error"),
}

#: XGBoost's name of the log loss of three and more classes.
XGB_LOG_LOSS = "mlogloss"

NO_METRIC = {"", "none", "null", "na", "custom"}


def log_losses(codes, p):
    """Of each sample, cut where LightGBM cuts them."""
    return -np.log(np.maximum(p[np.arange(len(codes)), codes], 1e-15))


def errors(codes, p):
    """Whether each sample is wrong."""
    return (p.argmax(axis=1) != codes).astype(float)


#: Measure -> its value for each sample, of codes and probabilities.
MEASURES = {"logloss": log_losses, "error": errors}


def for_lightgbm(given: list, loss, n_classes: int, multi: str):
    """Metrics for LightGBM's `fit`: built-in names that are right for raw scores, and functions of these."""
    metrics = {}
    for one in _flat(given) or ["logloss"]:
        name = one if callable(one) else str(one).strip()
        if callable(name):
            metrics[name] = of_probabilities(name, multi)
        elif name in OF_ORDER and n_classes == 2:
            metrics[name] = name
        elif name == ROBUST_METRIC:
            metrics[name] = _mean(name, loss.values)  # LightGBM copies no function, so of the shares of training
        elif name in OF_PROBABILITIES:
            measure = OF_PROBABILITIES[name]
            metrics[measure] = _mean(f"{'binary' if n_classes == 2 else 'multi'}_{measure}", _of_scores(measure, multi))
        elif name.lower() not in NO_METRIC:
            known = ", ".join((ROBUST_METRIC, *(sorted(OF_ORDER) if n_classes == 2 else ()), "logloss", "error"))
            raise InputError(
                f"metric {name!r} can't be computed of raw scores; choose one of {known}, or give a function "
                "f(y_true, probabilities) -> (name, value, larger_is_better)."
            )
    return list(metrics.values())


def _mean(name, measure):
    """Weighted mean of a measure of the samples, as LightGBM calls for it."""

    def named(y_true, y_pred, weight=None):
        values = measure(y_true.astype(np.int64), y_pred)
        return name, float(np.average(values, weights=weight)), False  # larger is never better

    return named


def _of_scores(measure, multi):
    return lambda y, scores: MEASURES[measure](y, probabilities(scores, multi))


def _flat(value):
    if value is None:
        return []
    if isinstance(value, (list, tuple, set)):
        return [one for part in value for one in _flat(part)]
    return value.split(",") if isinstance(value, str) else [value]


def for_xgboost(given, loss, n_classes: int):
    """`eval_metric` for XGBoost: names of metrics that are right for its probabilities, and functions of raw scores."""

    def robust_loss(y_true, y_score, sample_weight=None):
        return float(np.average(loss.values(y_true, y_score), weights=sample_weight))

    def mlogloss(y_true, p, sample_weight=None):
        return float(np.average(log_losses(y_true.astype(np.intp), p), weights=sample_weight))

    def ready(one):
        if callable(one):
            return of_probabilities(one, loss.multi)
        if one == ROBUST_METRIC:
            return robust_loss
        return of_probabilities(mlogloss, loss.multi) if one == XGB_LOG_LOSS and apart(loss.multi, n_classes) else one

    if isinstance(given, (list, tuple)):
        return [ready(one) for one in given]
    return ready(XGB_LOG_LOSS if given is None and apart(loss.multi, n_classes) else given)


def apart(multi, n_classes):
    """Whether the probabilities are not the softmax of the scores."""
    return multi == "ovr" and n_classes > 2
