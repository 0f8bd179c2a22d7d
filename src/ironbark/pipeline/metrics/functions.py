"""Scores of a fit from what it has stored: functions of an `Outcome` whose names are in `ironbark.pipeline.metrics`."""

import math
import warnings
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from sklearn import metrics

from ironbark.pipeline.metrics import METRICS

BINS = 15  # of `calibration_error`


class NoValue(Exception):
    """A metric has no value for a fit, and the message says why."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """Predictions of a fit and their context."""

    y_true: np.ndarray  # clean class indices of the test part
    y_pred: np.ndarray
    n_classes: int  # of the training and test labels of this fit
    outputs: dict  # any of probabilities (n_test, n_classes), decision (n_test,), noise_rate; of shape (n_train,):
    # label_quality and called_errors
    gaps: dict  # why one of them is missing
    wrong: np.ndarray  # which training labels the noise changed

    @cached_property
    def confusion(self):
        """Counts of (true, predicted) classes, an ndarray of shape (n_classes, n_classes)."""
        pairs = self.y_true * self.n_classes + self.y_pred
        return np.bincount(pairs, minlength=self.n_classes**2).reshape(self.n_classes, self.n_classes)

    @property
    def probabilities(self):
        if "probabilities" not in self.outputs:
            raise NoValue(self.gaps.get("probabilities", "the fit has stored none"))
        return self.outputs["probabilities"]

    def score_of(self, label):
        """Score that orders test samples by the probability of one of two classes."""
        if "decision" in self.outputs:
            return self.outputs["decision"] if label == 1 else -self.outputs["decision"]
        return self.probabilities[:, label]

    @property
    def rare(self):
        """The rarer of two classes in the test part, class 1 if both are as frequent; None without such a class."""
        ones, others = int(self.y_true.sum()), int((1 - self.y_true).sum())
        return None if self.n_classes != 2 or not ones or not others else int(ones <= others)

    @property
    def rarer(self):
        """Mask of the test samples of the class `rare` and their scores of it; None without such a class."""
        if self.rare is None or not {"probabilities", "decision"} & set(self.outputs):
            return None
        return self.y_true == self.rare, self.score_of(self.rare)


def accuracy(outcome):
    """Share of right predictions."""
    return outcome.confusion.trace() / len(outcome.y_true)


def error(outcome):
    """Share of wrong predictions."""
    return 1.0 - accuracy(outcome)


def balanced_accuracy(outcome):
    """Mean recall of the classes of the test part."""
    sizes = outcome.confusion.sum(axis=1)
    present = sizes > 0
    return np.mean(outcome.confusion.diagonal()[present] / sizes[present])


def f1(outcome):
    """F1 of class 1 of two, or the mean of the F1 of all classes that are present or predicted."""
    average = "binary" if outcome.n_classes == 2 else "macro"
    return metrics.f1_score(outcome.y_true, outcome.y_pred, average=average, zero_division=0.0)


def average_precision(outcome):
    """Average precision of the rarer of two classes, class 1 if both are as frequent; NaN for more classes."""
    ordered = outcome.rarer
    return math.nan if ordered is None else metrics.average_precision_score(*ordered)


def average_precision_trapezoid(outcome):
    """Area under straight lines between the points of the precision-recall curve of `average_precision`."""
    ordered = outcome.rarer
    if ordered is None:
        return math.nan
    precision, recall, _ = metrics.precision_recall_curve(*ordered)
    return metrics.auc(recall, precision)


def average_precision_labels(outcome):
    """Average precision of the rarer of two classes if predicted labels are the scores; NaN for more classes."""
    rare = outcome.rare
    return math.nan if rare is None else metrics.average_precision_score(outcome.y_true == rare, outcome.y_pred == rare)


def log_loss(outcome):
    """Mean negative logarithm of the probability of the true class."""
    return metrics.log_loss(outcome.y_true, outcome.probabilities, labels=range(outcome.n_classes))


def roc_auc(outcome):
    """Area under the ROC curve of class 1 of two, or the mean over the classes, each against the rest."""
    if len(np.unique(outcome.y_true)) < outcome.n_classes:
        raise NoValue("the test part lacks a class")
    if outcome.n_classes == 2:
        return metrics.roc_auc_score(outcome.y_true, outcome.score_of(1))
    labels = range(outcome.n_classes)
    return metrics.roc_auc_score(outcome.y_true, outcome.probabilities, multi_class="ovr", labels=labels)


def brier(outcome):
    """Mean squared error of the probabilities: of class 1 of two, or summed over more classes."""
    if outcome.n_classes == 2:
        return metrics.brier_score_loss(outcome.y_true, outcome.probabilities[:, 1], pos_label=1)
    return metrics.brier_score_loss(outcome.y_true, outcome.probabilities, labels=range(outcome.n_classes))


def calibration_error(outcome):
    """Mean distance of confidence and accuracy over `BINS` equal ranges of confidence, weighted by their samples.

    The confidence is the largest probability. Guo et al., "On Calibration of Modern Neural Networks", ICML 2017, eq. 3.
    """
    confidence = outcome.probabilities.max(axis=1)
    right = outcome.probabilities.argmax(axis=1) == outcome.y_true
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    sums = np.bincount(bins, confidence - right, minlength=BINS)
    return np.abs(sums).sum() / len(right)


def _detected(outcome):
    """Quality of the training labels; None where a method detects nothing, or all labels are right or all are wrong."""
    return outcome.outputs.get("label_quality") if 0 < outcome.wrong.sum() < len(outcome.wrong) else None


def detection(outcome):
    """Average precision of the wrong training labels in the order of a detector's suspicion."""
    quality = _detected(outcome)
    return math.nan if quality is None else metrics.average_precision_score(outcome.wrong, -quality)


def detection_precision(outcome):
    """Share of wrong labels among the k most suspicious training labels, of which k are wrong."""
    quality, wrong = _detected(outcome), outcome.wrong
    return math.nan if quality is None else wrong[np.argsort(quality, kind="stable")[: wrong.sum()]].mean()


def called_f1(outcome, score=metrics.f1_score):
    """F1, or another score, of the training labels called errors; NaN without a detector or without wrong labels."""
    called = outcome.outputs.get("called_errors")
    absent = called is None or not outcome.wrong.any()
    return math.nan if absent else score(outcome.wrong, called.astype(bool), zero_division=0.0)


called_precision = partial(called_f1, score=metrics.precision_score)
called_recall = partial(called_f1, score=metrics.recall_score)


def noise_rate_error(outcome):
    """Absolute difference of the estimated and the true share of wrong training labels; NaN without an estimate."""
    rate = outcome.outputs.get("noise_rate")
    return math.nan if rate is None else abs(rate[0] - outcome.wrong.mean())


#: Column -> function of an `Outcome`.
FUNCTIONS = {name: globals()[name] for name, metric in METRICS.items() if metric.output}


def scores(outcome, names):
    """Metrics of these names."""
    values, reasons = {}, {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The y_prob values do not sum to one")
        for name in names:
            try:
                values[name] = float(FUNCTIONS[name](outcome))
            except NoValue as reason:
                values[name] = math.nan
                reasons[name] = str(reason)
    return values, reasons
