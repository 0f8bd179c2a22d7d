"""LogitBoost for two classes, with regression trees of scikit-learn."""

from collections import deque
from numbers import Integral, Real

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from ironbark.errors import InputError

MAX_RESPONSE = 4.0
MIN_WEIGHT = 2 * np.finfo(np.float64).eps


class LogitBoostClassifier(ClassifierMixin, BaseEstimator):
    """Additive logistic regression by Newton steps, each a weighted least-squares regression tree.

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

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted labels; the second counts as +1.
    estimators_ : list of DecisionTreeRegressor
    n_features_in_ : int

    Notes
    -----
    F starts at 0. Each round computes ``p = 1 / (1 + exp(-2 F))``, the weights ``w = p (1 - p)`` (not below twice the
    machine epsilon) and the working response ``z = 1 / p`` for class +1, ``z = -1 / (1 - p)`` for class -1 (both cut
    at an absolute value of 4), fits a tree f to z with weights w, and adds ``learning_rate * f / 2`` to F.
    Features are float32, as in all trees of scikit-learn.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive Logistic Regression: A Statistical View of Boosting", Annals of
    Statistics 28, 2000, Algorithm 3.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(20.0)[:, None]
    >>> LogitBoostClassifier(n_estimators=5).fit(X, X[:, 0] > 8).predict([[3], [15]]).tolist()
    [False, True]
    """

    def __init__(self, n_estimators=100, max_leaf_nodes=11, min_samples_split=10, learning_rate=1.0, random_state=None):
        self.n_estimators = n_estimators
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.learning_rate = learning_rate
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the booster.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes.

        Returns
        -------
        LogitBoostClassifier

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y does not hold exactly two classes, or a parameter is out of range.
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float32)
        self.classes_, codes = _two_classes(y)
        rng = check_random_state(self.random_state)
        self.estimators_ = []
        score = np.zeros(len(codes))
        for _ in range(self.n_estimators):
            response, weight = working_response(codes, score)
            tree = DecisionTreeRegressor(
                max_leaf_nodes=self.max_leaf_nodes,
                min_samples_split=self.min_samples_split,
                random_state=rng.randint(np.iinfo(np.int32).max),
            ).fit(X, response, sample_weight=weight)
            self.estimators_.append(tree)
            score += self.learning_rate / 2 * tree.predict(X)
        return self

    def staged_decision_function(self, X):
        """Yield the scores after each round; see `decision_function`.

        Yields
        ------
        ndarray of shape (n_samples,), float64
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float32, reset=False)
        score = np.zeros(len(X))
        for tree in self.estimators_:
            score += self.learning_rate / 2 * tree.predict(X)
            yield score.copy()

    def decision_function(self, X):
        """Half the log-odds F(x) of the second class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,), float64
        """
        return deque(self.staged_decision_function(X), maxlen=1).pop()

    def predict_proba(self, X):
        """Class probabilities, ``1 / (1 + exp(-2 F))`` for the second class.

        Returns
        -------
        ndarray of shape (n_samples, 2), float64
        """
        score = self.decision_function(X)
        return np.column_stack([expit(-2 * score), expit(2 * score)])

    def predict(self, X):
        """The second class where F(x) > 0, else the first.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _check_parameters(self):
        if not isinstance(self.n_estimators, Integral) or self.n_estimators < 1:
            raise InputError(f"n_estimators={self.n_estimators!r} must be an integer >= 1.")
        if not isinstance(self.learning_rate, Real) or not 0 < self.learning_rate < np.inf:
            raise InputError(f"learning_rate={self.learning_rate!r} must be a finite number > 0.")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def working_response(codes, score):
    """Response and weight of the samples in a Newton step.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,), int
        0 for class -1, 1 for class +1.
    score : ndarray of shape (n_samples,), float64
        F.

    Returns
    -------
    response, weight : ndarray of shape (n_samples,), float64
        z in [-4, -1] or [1, 4], and w > 0.
    """
    p, q = expit(2 * score), expit(-2 * score)  # q = 1 - p without cancellation
    own = np.where(codes == 1, p, q)
    magnitude = 1 / np.maximum(own, 1 / MAX_RESPONSE)  # = min(1 / own, 4), without dividing by zero
    return np.where(codes == 1, magnitude, -magnitude), np.maximum(p * q, MIN_WEIGHT)


def _two_classes(y):
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y")
    if kind != "binary":
        raise InputError(f"Only binary classification is supported. The type of the target is {kind}.")
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise InputError("LogitBoostClassifier needs samples of two classes, but y holds only one class.")
    return classes, codes
