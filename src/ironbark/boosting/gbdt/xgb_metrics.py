"""Metrics of evaluation sets for XGBoost.

It hands its own metrics the softmax of the scores of three and more classes. One against the rest, these are not the
probabilities, so its log loss, the default metric, is computed here.
"""

import numpy as np

from ironbark.boosting.gbdt.base import ROBUST_METRIC, of_probabilities
from ironbark.boosting.gbdt.lgbm_metrics import log_losses

LOG_LOSS = "mlogloss"


def translated(given, loss, n_classes: int):
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
        return of_probabilities(mlogloss, loss.multi) if one == LOG_LOSS and apart(loss.multi, n_classes) else one

    if isinstance(given, (list, tuple)):
        return [ready(one) for one in given]
    return ready(LOG_LOSS if given is None and apart(loss.multi, n_classes) else given)


def apart(multi, n_classes):
    """Whether the probabilities are not the softmax of the scores."""
    return multi == "ovr" and n_classes > 2
