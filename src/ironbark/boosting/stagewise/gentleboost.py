"""GentleBoost for two classes."""

from numbers import Real

import numpy as np
from sklearn.utils._param_validation import Interval

from ironbark import annotations as t
from ironbark.boosting.binary import ProbabilityMixin
from ironbark.boosting.stagewise.base import StagewiseBooster, Step, floored


class GentleBoostClassifier(ProbabilityMixin, StagewiseBooster):
    """Newton steps on the exponential loss, each a weighted least-squares regression tree on the labels.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of rounds; all are run.
    max_leaf_nodes : int, default=11
        Leaves per tree; 11 leaves are 10 splits.
    min_samples_split : int, default=10
    learning_rate : float, default=1.0
        Factor of each step.
    random_state : int, RandomState instance or None, default=None
        Order in which the trees look at the features, which decides between equally good splits.
    record_weights : bool, default=False
        Keep `sample_weights_`.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted labels; the second counts as +1.
    estimators_ : list of RegressionTree
    estimator_weights_ : ndarray of shape (n_rounds,)
        Factor of each tree in F.
    stop_reason_ : str
        "all rounds run".
    sample_weights_ : ndarray of shape (n_rounds, n_samples)
        Weights that each tree was fitted with; rows sum to 1.
    feature_importances_ : ndarray of shape (n_features,)
        Shares of the features in the decrease of the weighted squared error, of all trees together.
    n_features_in_ : int

    Notes
    -----
    F starts at 0. Each round fits a tree f to y = -1, +1 with weights w proportional to ``exp(-y F)``, so that a leaf
    holds the weighted mean of y, in [-1, 1], and adds ``learning_rate * f`` to F. F estimates half the log-odds. Of
    the weights, a millionth is spread evenly.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive Logistic Regression: A Statistical View of Boosting", Annals of
    Statistics 28, 2000, Algorithm 4.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(20.0)[:, None]
    >>> GentleBoostClassifier(n_estimators=5).fit(X, X[:, 0] > 8).predict([[3], [15]]).tolist()
    [False, True]
    """

    trees = "regression"

    _parameter_constraints = {
        **StagewiseBooster._parameter_constraints,
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        max_leaf_nodes: int = 11,
        min_samples_split: int = 10,
        learning_rate: float = 1.0,
        random_state: t.RandomState = None,
        record_weights: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.record_weights = record_weights

    def _start(self, signs, prior):
        return _Rounds(signs, prior, self.learning_rate)


class _Rounds:
    """Margins y F of the samples."""

    def __init__(self, signs, prior, learning_rate):
        self.signs, self.prior, self.learning_rate = signs, prior, learning_rate
        self.margin = np.zeros(len(signs))

    def problem(self):
        return self.signs, floored(weight(self.margin - self.margin.min()), self.prior)

    def advance(self, output):
        self.margin += self.learning_rate * self.signs * output
        return Step(self.learning_rate)


def weight(margin):
    """Weight of samples by their margin y F, up to a factor; also that of AdaBoost."""
    return np.exp(-margin)
