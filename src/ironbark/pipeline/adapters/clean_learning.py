"""cleanlab's classifier on cleaned labels, seeded by `random_state`."""

from types import SimpleNamespace
from typing import Self

import numpy as np
from cleanlab.classification import CleanLearning
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone


class SeededCleanLearning(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """cleanlab's `CleanLearning` in one process, for labels of any type.

    `CleanLearning` takes its seed as ``seed``, labels 0..K-1 only, and looks for label issues by a process per core.

    Without an `estimator` it cleans for cleanlab's choice, a logistic regression. `classes_` are those of which samples
    are left after cleaning, `model_` is the fitted `CleanLearning`, and `detector_` has its ``label_quality_`` of each
    training label and says by ``is_error_`` which labels are issues.

    References
    ----------
    C. Northcutt, L. Jiang, I. Chuang, "Confident Learning: Estimating Uncertainty in Dataset Labels", JAIR 70 (2021).
    """

    def __init__(self, estimator=None, *, cv_n_folds=5, random_state=None):
        self.estimator = estimator
        self.cv_n_folds = cv_n_folds
        self.random_state = random_state

    def fit(self, X, y) -> Self:
        """Find label issues by cross-validation, and fit the estimator to the other samples."""
        classes, codes = np.unique(y, return_inverse=True)
        kept = np.random.get_state()  # noqa: NPY002 - CleanLearning seeds NumPy's global generator
        try:
            self.model_ = CleanLearning(
                None if self.estimator is None else clone(self.estimator),
                seed=self.random_state,
                cv_n_folds=self.cv_n_folds,
                find_label_issues_kwargs={"n_jobs": 1},
            ).fit(X, codes)
        finally:
            np.random.set_state(kept)  # noqa: NPY002
        issues = self.model_.get_label_issues()
        self.detector_ = SimpleNamespace(
            is_error_=issues["is_label_issue"].to_numpy(bool),
            label_quality_=issues["label_quality"].to_numpy(np.float64),
            noise_rate_=float(issues["is_label_issue"].mean()),
        )
        self._all_classes, self.classes_ = classes, classes[self.model_.clf.classes_]
        return self

    def predict(self, X):
        """Most likely class of each sample, ndarray of shape (n_samples,)."""
        return self._all_classes[self.model_.predict(X)]

    def predict_proba(self, X):
        """Class probabilities, ndarray of shape (n_samples, n_classes)."""
        return self.model_.predict_proba(X)
