"""Scores of a fit; the table of names is what result rows hold."""

import numpy as np
from sklearn.metrics import accuracy_score, balanced_accuracy_score, zero_one_loss

#: Column of the result rows -> function of (true, predicted).
METRICS = {"accuracy": accuracy_score, "balanced_accuracy": balanced_accuracy_score, "error": zero_one_loss}


def scores(y_true, y_pred):
    """All metrics; the dict's values are floats.

    Classes that are absent from the test part are ignored by `balanced_accuracy`, also where they were predicted.
    """
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
        return {name: float(metric(y_true, np.asarray(y_pred))) for name, metric in METRICS.items()}
