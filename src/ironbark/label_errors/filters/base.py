"""Base of filters of wrong labels; `CleanedClassifier` takes them as its detector."""

import warnings
from abc import ABC, abstractmethod
from numbers import Integral
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import check_array, indexable
from sklearn.utils._param_validation import Interval

from ironbark.errors import InputError
from ironbark.frames import is_frame, numbers
from ironbark.inputs import training, undone
from ironbark.label_errors.out_of_sample import judged, warn_of_unjudged


def warn_of_rare(codes: np.ndarray, few: int):
    """Warn of classes that a filter may remove as a whole."""
    if rare := int((np.bincount(codes) < few).sum()):
        message = f"classes of under {few} samples ({rare}) may be called errors as a whole; use LabelErrorDetector."
        warnings.warn(message, stacklevel=5)


class LabelFilter(MetaEstimatorMixin, BaseEstimator, ABC):
    """Base of filters, which only have to judge labels.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    label_quality_ : ndarray of shape (n_samples,), float64
        In [0, 1]; the lower, the more suspicious. 1 for a sample that is not judged, which is never called an error.
    is_judged_ : ndarray of shape (n_samples,), bool
        Whether other samples of the class, of positive weight, could judge the label. `fit` warns of those that do not.
    ranking_ : ndarray of shape (n_samples,), int
        Samples from most to least suspicious.
    is_error_ : ndarray of shape (n_samples,), bool
    suggested_labels_ : ndarray of shape (n_samples,)
        The given label, or the most likely other one for samples that are called errors.
    noise_rate_ : float
        Share of the samples that are called errors.
    """

    _parameter_constraints = {"random_state": [Interval(Integral, 0, 2**32 - 1, closed="both"), None]}

    @abstractmethod
    def _judge(self, X, codes: np.ndarray, weights: np.ndarray | None):
        """Judge labels."""

    @undone
    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """Judge the labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes, some of them wrong.
        sample_weight : array-like of shape (n_samples,), default=None
            For the models that judge.
        groups : None
            Filters do not take groups.

        Raises
        ------
        ValueError
            If y holds one class only, a length is wrong, there are groups, or a model cannot be fitted.
        """
        self._validate_params()
        name = type(self).__name__
        self.classes_, codes, weights = training(X, y, sample_weight, name)
        if groups is not None:
            raise InputError(f"{name} does not take groups; leave them out, or use LabelErrorDetector.")
        [X] = indexable(X)
        if getattr(self, "estimator", None) is None:
            X, _ = numbers(X)
            options = {"accept_sparse": "csr", "dtype": np.float64, "copy": True, "ensure_all_finite": False}
            X = check_array(X, **options) if is_frame(X) else X
        self.is_judged_ = judged(codes, weights)
        warn_of_unjudged(self.classes_, codes, self.is_judged_, weights)
        quality, is_error, scores = self._judge(X, codes, weights)
        self.label_quality_, self.is_error_ = np.where(self.is_judged_, quality, 1.0), is_error & self.is_judged_
        self.ranking_ = np.argsort(self.label_quality_, kind="stable")
        self.noise_rate_ = float(self.is_error_.mean())
        others = np.array(scores, np.float64)
        others[np.arange(len(codes)), codes] = -np.inf
        self.suggested_labels_ = self.classes_[np.where(self.is_error_, others.argmax(axis=1), codes)]
        return self
