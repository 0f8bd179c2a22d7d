"""AdaBoost for two classes: scikit-learn's, with the trees and the face of the other boosters."""

from collections import deque

import numpy as np
from sklearn import ensemble
from sklearn.tree import DecisionTreeClassifier

from ironbark.boosting.binary import ALL_ROUNDS, prior_weights
from ironbark.boosting.docstrings import documented
from ironbark.boosting.stagewise.base import ShrunkenBooster, output

MIN_WEIGHT = np.finfo(np.float64).eps  # scikit-learn's


@documented
class AdaBoostClassifier(ShrunkenBooster):
    """AdaBoost.M1, fitted by `sklearn.ensemble.AdaBoostClassifier`.

    Parameters
    ----------
    n_estimators : int, default=100
        Largest number of rounds.
    $trees
    learning_rate : float, default=1.0
        Factor of each step.
    $random_state_and_record

    Attributes
    ----------
    $classes
    estimators_ : list of DecisionTreeClassifier
        Fitted to -1 and +1.
    $steps
        It is half of scikit-learn's.
    estimator_errors_ : ndarray of shape (n_rounds,)
        Weighted training error of each tree.
    stop_reason_ : str
        "perfect tree" (one without error, which is kept with a factor of 1/2), "no edge" (a tree no better than
        chance, which is not kept), or "all rounds run".
    $weights_and_importances

    Notes
    -----
    Weights start equal. Each round fits a tree h, has the weighted error e, adds ``a h`` to F with
    ``a = learning_rate / 2 ln((1 - e) / e)``, and multiplies the weights by ``exp(-a y h)``, up to a factor that makes
    them sum to 1. Current versions of scikit-learn know SAMME only, which for two classes is the same with a twice as
    large. F estimates half the log-odds.

    References
    ----------
    Freund and Schapire, "A Decision-Theoretic Generalization of On-Line Learning and an Application to Boosting",
    Journal of Computer and System Sciences 55, 1997, Figure 2 (AdaBoost.M1: Figure 3).

    $example
    """

    def _run(self, X, codes, sample_weight):
        signs = 2.0 * codes - 1
        tree = DecisionTreeClassifier(max_leaf_nodes=self.max_leaf_nodes, min_samples_split=self.min_samples_split)
        booster = ensemble.AdaBoostClassifier(
            tree, n_estimators=self.n_estimators, learning_rate=self.learning_rate, random_state=self.random_state
        )
        try:
            with np.errstate(divide="ignore"):  # it takes logarithms of weights of zero, and then leaves them out
                booster.fit(X, signs, sample_weight=sample_weight)
        except ValueError as error:
            if "worse than random" not in str(error):
                raise
            booster.estimators_ = []  # the first tree has no edge, which the other boosters take as the end
        self.estimators_ = list(booster.estimators_)
        rounds = len(self.estimators_)
        self._keep(booster.estimator_weights_[:rounds] / 2, np.ones(rounds))
        self.estimator_errors_ = booster.estimator_errors_[:rounds]
        self.stop_reason_ = self._reason()
        if self.record_weights:
            self.sample_weights_ = self._weights(X, signs, prior_weights(sample_weight, len(X)))

    def _score(self, X):
        return (deque(self._stages(X), maxlen=1) or [np.zeros(len(X))])[-1]

    def _reason(self):
        if len(self.estimators_) and self.estimator_errors_[-1] <= 0:
            return "perfect tree"
        return ALL_ROUNDS if len(self.estimators_) == self.n_estimators else "no edge"

    def _weights(self, X, signs, prior):
        """Weights that the trees were fitted with, which scikit-learn does not keep."""
        weights = np.empty((len(self.estimators_), len(X)))
        weight = prior / prior.sum()
        for row, tree, size in zip(weights, self.estimators_, self.estimator_weights_, strict=True):
            row[:] = weight = np.where(prior > 0, np.maximum(weight, MIN_WEIGHT), 0)
            weight = weight * np.exp(2 * size * (signs != output(tree, X)))
            weight /= weight.sum()
        return weights
