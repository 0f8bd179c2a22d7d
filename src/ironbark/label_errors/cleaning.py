"""A classifier that is fitted on cleaned data."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._param_validation import HasMethods, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ironbark.errors import InputError
from ironbark.inputs import training, undone
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.label_errors.filters.base import LabelFilter
from ironbark.label_errors.out_of_sample import OnClassifier, fit_params


def _with_all_classes(y, quality, errors):
    """Errors without the least suspicious sample, the first of equals, of each class that has nothing else."""
    errors = errors.copy()
    codes = np.unique(y, return_inverse=True)[1]
    for k in range(codes.max() + 1):  # not by their names: NumPy drops NUL at the end of a text that it compares
        rows = np.flatnonzero(codes == k)
        if errors[rows].all():
            errors[rows[quality[rows].argmax()]] = False
    return errors


def _fitted_has(name):
    return lambda self: hasattr(getattr(self, "estimator_", self._base()), name)


@dataclass(eq=False, repr=False)
class CleanedClassifier(OnClassifier, ClassifierMixin, BaseEstimator):
    """Fit a classifier after label errors were removed, corrected or weighted down.

    Parameters
    ----------
    estimator : classifier, default=None
        None for `RobustRandomForestClassifier()`.
    detector : LabelErrorDetector or filter, default=None
        None for `LabelErrorDetector()`. Filters: `PartitionFilter`, `HighAgreementFilter` and `BoostingFilter`.
    action : {"drop", "relabel", "weight"}, default="drop"
        Leave out the samples that are called errors, give them the suggested labels, or weight all samples by the
        quality of their labels; the last needs an estimator that takes `sample_weight`. The first two keep the least
        suspicious sample of a class that has nothing but errors.
    random_state : int or None, default=None
        Of the default estimator, and of the detector unless it has one.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    detector_ : LabelErrorDetector or filter
        Fitted on all samples.
    estimator_ : classifier
        Fitted on the cleaned ones.
    n_features_in_ : int

    Notes
    -----
    Weak features, such as thousands of columns of some hundred samples, and few samples of each class make detectors
    call right labels of one class more often than of another: the forest without cleaning is better there.

    References
    ----------
    C. E. Brodley, M. A. Friedl, "Identifying Mislabeled Training Data", JAIR 11 (1999): filters before training.

    Examples
    --------
    >>> from ironbark import CleanedClassifier
    >>> from ironbark.noise import corrupt
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> noisy = corrupt("uniform", X, y, rate=0.2, random_state=0)
    >>> model = CleanedClassifier(DecisionTreeClassifier(random_state=0), random_state=0).fit(X, noisy)
    >>> bool(model.score(X, y) > DecisionTreeClassifier(random_state=0).fit(X, noisy).score(X, y))
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "detector": [LabelErrorDetector, LabelFilter, None],
        "action": [StrOptions({"drop", "relabel", "weight"})],
        "random_state": LabelErrorDetector._parameter_constraints["random_state"],
    }

    estimator: BaseEstimator | None = None
    detector: LabelErrorDetector | LabelFilter | None = None
    action: str = "drop"
    _: KW_ONLY
    random_state: int | None = None

    @undone
    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """Find the label errors, clean, and fit the classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes, some of them wrong.
        sample_weight : array-like of shape (n_samples,), default=None
            For the detector and the classifier; with ``action="weight"`` they are multiplied by the quality.
        groups : array-like of shape (n_samples,), default=None
            As in `LabelErrorDetector.fit`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the detector or the classifier cannot be fitted, or no sample has weight with ``action="weight"``.
        """
        self._validate_params()
        self.classes_, codes, sample_weight = training(X, y, sample_weight, "CleanedClassifier")
        [X] = indexable(X)
        base, y = self._base_of(self.classes_), self.classes_[codes]
        weighted = sample_weight if self.action != "weight" else np.ones(len(y))
        fit_params(base, weighted)  # refused before the detector is fitted
        detector = LabelErrorDetector() if self.detector is None else clone(self.detector)
        if detector.random_state is None:
            detector.set_params(random_state=self.random_state)
        self.detector_ = detector.fit(X, y, sample_weight=sample_weight, groups=groups)
        X, y, weights = self._cleaned(X, y, sample_weight)
        self.estimator_ = base.fit(X, y, **fit_params(base, weights))
        self._take_names()
        return self

    def _cleaned(self, X, y, weights):
        """Samples, labels and weights for the classifier."""
        if self.action == "weight":
            quality = self.detector_.label_quality_
            weights = quality if weights is None else quality * weights
            if not weights.any():
                raise InputError("no label has a quality above zero, so no sample has weight; choose another action.")
            return X, y, weights
        errors = _with_all_classes(y, self.detector_.label_quality_, self.detector_.is_error_)
        if self.action == "relabel":
            return X, np.where(errors, self.detector_.suggested_labels_, y), weights
        kept = np.flatnonzero(~errors)
        return _safe_indexing(X, kept), y[kept], None if weights is None else weights[kept]

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predictions of the fitted classifier."""
        check_is_fitted(self)
        return self.estimator_.predict(X)

    @available_if(_fitted_has("predict_proba"))
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Class probabilities of the fitted classifier.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    @available_if(_fitted_has("decision_function"))
    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Decision function of the fitted classifier."""
        check_is_fitted(self)
        return self.estimator_.decision_function(X)
