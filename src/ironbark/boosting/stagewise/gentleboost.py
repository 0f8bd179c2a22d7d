"""GentleBoost for two classes."""

import numpy as np

from ironbark.boosting.docstrings import documented
from ironbark.boosting.stagewise.base import ShrunkenBooster, Step, floored


@documented
class GentleBoostClassifier(ShrunkenBooster):
    """Newton steps on the exponential loss, each a weighted least-squares regression tree on the labels.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of rounds; all are run.
    $trees
    learning_rate : float, default=1.0
        Factor of each step.
    $random_state_and_record

    Attributes
    ----------
    $classes
    estimators_ : list of RegressionTree
    $steps
    stop_reason_ : str
        "all rounds run".
    sample_weights_ : ndarray of shape (n_rounds, n_samples)
        Weights that each tree was fitted with; rows sum to 1.
    $importances_of_regressions

    Notes
    -----
    F starts at 0. Each round fits a tree f to y = -1, +1 with weights w proportional to ``exp(-y F)``, so that a leaf
    holds the weighted mean of y, in [-1, 1], and adds ``learning_rate * f`` to F. F estimates half the log-odds. Of
    the weights, a millionth is spread evenly.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive Logistic Regression: A Statistical View of Boosting", Annals of
    Statistics 28, 2000, Algorithm 4.

    $example
    """

    trees = "regression"

    def _start(self, signs, prior):
        return _Rounds(signs, prior, self.learning_rate)


FAR = 300.0  # difference of margins whose weights can still be divided by each other


class _Rounds:
    """Margins y F of the samples."""

    def __init__(self, signs, prior, learning_rate):
        self.signs, self.prior, self.learning_rate = signs, prior, learning_rate
        self.margin = np.zeros(len(signs))

    def problem(self):
        # Margins of samples without weight, which may sink without end, must not let all others underflow.
        least = max(self.margin.min(), self.margin[self.prior > 0].min() - FAR)
        return self.signs, floored(weight(np.maximum(self.margin - least, 0)), self.prior)

    def advance(self, output):
        self.margin += self.learning_rate * self.signs * output
        return Step(self.learning_rate)


def weight(margin):
    """Weight of samples by their margin y F, up to a factor; also that of AdaBoost."""
    return np.exp(-margin)
