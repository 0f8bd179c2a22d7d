"""CatBoost's classifier with scikit-learn's parameters."""

from typing import Self

import numpy as np
from catboost import CatBoostClassifier
from sklearn.base import BaseEstimator, ClassifierMixin


class SeededCatBoostClassifier(ClassifierMixin, BaseEstimator):
    """CatBoost on one thread, without files in the working folder.

    CatBoost's own class lists only the parameters that were set, takes its seed as ``random_seed``, and predicts a
    column where there are more than two classes.

    Parameters have the names and meanings of CatBoost's; `n_estimators` is its ``iterations``; `model_` is fitted.

    References
    ----------
    L. Prokhorenkova et al., "CatBoost: unbiased boosting with categorical features", NeurIPS 2018.
    A. Ustimenko, L. Prokhorenkova, "SGLB: Stochastic Gradient Langevin Boosting", ICML 2021.
    """

    def __init__(self, n_estimators=500, *, learning_rate=None, depth=6, langevin=False, random_state=None):
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.depth = depth
        self.langevin = langevin
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None) -> Self:
        """Boost symmetric trees."""
        self.model_ = CatBoostClassifier(
            iterations=self.n_estimators,
            learning_rate=self.learning_rate,
            depth=self.depth,
            langevin=self.langevin,
            random_seed=self.random_state,
            thread_count=1,
            allow_writing_files=False,
            verbose=False,
        ).fit(X, y, sample_weight=sample_weight)
        self.classes_, self.n_features_in_ = self.model_.classes_, np.shape(X)[1]
        return self

    def predict(self, X):
        """Most likely class of each sample, ndarray of shape (n_samples,)."""
        return self.model_.predict(X, thread_count=1).ravel()

    def predict_proba(self, X):
        """Class probabilities, ndarray of shape (n_samples, n_classes)."""
        return self.model_.predict_proba(X, thread_count=1)
