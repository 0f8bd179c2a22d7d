"""Importances of the features in a sum of trees or of other rules."""

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t


class ImportancesMixin:
    """The attribute of boosters that have `_decreases()`, ndarray of shape (n_features_in_,)."""

    @property
    def feature_importances_(self) -> t.Floats:
        """Share of each feature in what all splits gain, ndarray of shape (n_features,); zeros if nothing splits.

        A sum of regression trees (LogitBoost, GentleBoost) has the decreases of the weighted squared error added up
        over the trees, as in scikit-learn's gradient boosting. A sum of votes has the mean of the importances of the
        rules, weighted by the absolute values of their coefficients, as in scikit-learn's AdaBoost.
        """
        check_is_fitted(self)
        return normalised(self._decreases())


def normalised(decreases):
    """Decreases divided by their sum, if it is positive."""
    total = decreases.sum()
    return decreases / total if total > 0 else decreases


def of_sums(trees, n_features):
    """Decreases of the weighted squared error in all regression trees."""
    return sum((tree.decreases() for tree in trees), np.zeros(n_features))


def of_votes(rules: list, coefficients: np.ndarray, n_features: int):
    """Sum of the rules' importances, each times the absolute value of its coefficient."""
    total = np.zeros(n_features)
    for rule, coefficient in zip(rules, coefficients, strict=True):
        if coefficient != 0 and not isinstance(rule, DummyClassifier):
            total += abs(coefficient) * _of_rule(rule)
    return total


def _of_rule(rule):
    if hasattr(rule, "decreases"):
        return normalised(rule.decreases())
    if hasattr(rule, "feature_importances_"):
        return rule.feature_importances_
    raise AttributeError(f"{type(rule).__name__} has no feature_importances_, so there are none of its sum either.")
