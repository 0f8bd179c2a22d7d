"""A classifier of true classes on top of any classifier of noisy labels."""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Literal

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import _check_method_params, check_is_fitted

from ironbark import annotations as t
from ironbark.errors import InputError
from ironbark.inputs import training, undone
from ironbark.label_errors import out_of_sample
from ironbark.noise_matrix import (
    check_matrix,
    check_names,
    check_probabilities,
    clean_probabilities,
    matrix_from_anchors,
    matrix_from_trusted,
)

NAME = "NoiseCorrectedClassifier"
LEAST = 0.05  # a corrected probability, as a part of the noisy one; chosen on 18 tables, see docs/noise-correction.md


@dataclass(eq=False, repr=False)
class NoiseCorrectedClassifier(out_of_sample.OnClassifier, ClassifierMixin, BaseEstimator):
    """Correct the predictions of a classifier for class-conditional label noise.

    The classifier learns the noisy labels. Its probabilities are then turned into probabilities of the true classes
    with the transition matrix of the noise, which is given or estimated.

    Parameters
    ----------
    estimator : classifier with `predict_proba`, default=None
        None for `RobustRandomForestClassifier()`.
    noise_matrix : array-like of shape (n_classes, n_classes) or "estimate", default="estimate"
        Entry [i, j] is the probability that a sample of class i carries the label j, classes in the sorted order of the
        labels. With "estimate" the matrix is estimated from the `trusted` samples of `fit`; without them from the
        labels alone, and then predictions change only if the labels show that the noise is not symmetric.
    cv : int, default=5
        Folds of the cross-validation that gives out-of-sample probabilities, where the labels alone have to do. Forests
        that have out-of-bag probabilities are not cross-validated.
    random_state : int or None, default=None
        Order of the samples in the cross-validation, and seed of the default forest.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    noise_matrix_ : ndarray of shape (n_classes, n_classes)
        The matrix that corrects the probabilities.
    source_ : {"given", "trusted", "labels", "symmetric"}
        Where it comes from; "symmetric" if the labels alone do not show another one.
    estimator_ : classifier
        The fitted classifier of the noisy labels.

    Notes
    -----
    Symmetric noise (any wrong class equally likely) does not change which class is most likely, so a symmetric matrix
    corrects probabilities and leaves predictions as they are. An estimate from the labels alone needs
    classes that some samples belong to with certainty. A class keeps at least a 20th of its noisy probability: the
    correction alone often gives exactly 0 or 1. See `docs/noise-correction.md` for what it gains and costs.

    References
    ----------
    G. Patrini, A. Rozza, A. K. Menon, R. Nock, L. Qu, "Making Deep Neural Networks Robust to Label Noise: A Loss
    Correction Approach", CVPR 2017.

    Examples
    --------
    >>> from ironbark import NoiseCorrectedClassifier
    >>> from ironbark.noise import corrupt
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> noisy = corrupt("class_conditional", X, y, rate=(0.4, 0.1), random_state=0)
    >>> model = NoiseCorrectedClassifier(noise_matrix=[[0.6, 0.4], [0.1, 0.9]], random_state=0).fit(X, noisy)
    >>> bool(model.score(X, y) > 0.9)
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "noise_matrix": ["array-like", StrOptions({"estimate"})],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "random_state": [Interval(Integral, 0, 2**32 - 1, closed="both"), None],
    }

    estimator: t.Any = None
    _: KW_ONLY
    noise_matrix: t.ArrayLike | Literal["estimate"] = "estimate"
    cv: int = 5
    random_state: int | None = None

    @undone
    def fit(
        self,
        X: t.ArrayLike,
        y: t.ArrayLike,
        sample_weight: t.ArrayLike | None = None,
        trusted: t.ArrayLike | None = None,
    ) -> t.Self:
        """Fit the classifier of the noisy labels, and estimate the matrix unless it is given.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Noisy labels of at least two classes; true ones where `trusted`.
        sample_weight : array-like of shape (n_samples,), default=None
            For the classifier of the noisy labels; the matrix is estimated without weights.
        trusted : array-like of shape (n_samples,), bool, default=None
            Samples whose labels are known to be right: some of each class, chosen at random, not by their classes or
            by suspicion, which would mislead. They only serve to estimate the matrix; all others train the classifier.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the matrix does not fit the classes, `trusted` marks none, all or comes with a matrix, or a fit fails.
        """
        self._validate_params()
        self.classes_, codes, sample_weight = training(X, y, sample_weight, NAME)
        given = not isinstance(self.noise_matrix, str)
        check_names(self.noise_matrix, self.classes_)
        matrix = check_matrix(self.noise_matrix, len(self.classes_)) if given else None
        base = self._base_of(self.classes_)
        params = out_of_sample.fit_params(base, sample_weight)
        if given:
            if trusted is not None:
                raise InputError('trusted is of use with noise_matrix="estimate" only; leave one of the two out.')
            self.estimator_ = base.fit(X, self.classes_[codes], **params)
            self.noise_matrix_, self.source_ = matrix, "given"
        elif trusted is not None:
            self._fit_with_trusted(base, X, codes, _mask(trusted, codes, self.classes_), params)
        else:
            self._fit_on_labels(base, X, codes, params)
        self._take_names()
        return self

    def _fit_with_trusted(self, base, X, codes, trusted, params):
        [X], rows, known = indexable(X), np.flatnonzero(~trusted), np.flatnonzero(trusted)
        params = _check_method_params(X, params, indices=rows)
        self.estimator_ = base.fit(_safe_indexing(X, rows), self.classes_[codes[rows]], **params)
        noisy = self.estimator_.predict_proba(_safe_indexing(X, known))
        self.noise_matrix_, self.source_ = matrix_from_trusted(check_probabilities(noisy), codes[known]), "trusted"

    def _fit_on_labels(self, base, X, codes, params):
        y = self.classes_[codes]
        if out_of_sample.has_out_of_bag(base):
            self.estimator_, noisy = out_of_sample.out_of_bag(base, X, y, params)
            seen = ~np.isnan(noisy[:, 0])
            noisy, codes = noisy[seen], codes[seen]
        else:
            [X], folds = indexable(X), [*self._folds(codes).split(codes, codes)]
            noisy = out_of_sample.cross_validated(base, X, y, params, folds)
            self.estimator_ = base.fit(X, y, **params)
        self.noise_matrix_, asymmetric = matrix_from_anchors(check_probabilities(noisy), codes)
        self.source_ = "labels" if asymmetric else "symmetric"

    def _folds(self, codes):
        counts = np.bincount(codes)
        if (least := int(counts.min())) < 2:
            raise InputError(
                f"class {self.classes_.tolist()[counts.argmin()]!r} has one sample, and estimating noise_matrix takes "
                "at least two of each class; give more samples, or the matrix."
            )
        return StratifiedKFold(min(self.cv, least), shuffle=True, random_state=self.random_state)

    def predict_proba(self, X: t.ArrayLike) -> t.Floats:
        """Probabilities of the true classes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        noisy = np.asarray(self.estimator_.predict_proba(X), np.float64)
        clean = np.maximum(clean_probabilities(noisy, self.noise_matrix_), LEAST * noisy)
        return clean / clean.sum(axis=1, keepdims=True)

    def predict(self, X: t.ArrayLike) -> t.Labels:
        """The most likely true class; the first one among several."""
        winners = np.round(self.predict_proba(X), 12).argmax(axis=1)  # ties are ties after rounding only
        return self.classes_[winners]


def _mask(trusted, codes, classes):
    """`trusted` as a checked bool array."""
    mask = out_of_sample.trusted_mask(trusted, len(codes))
    if len(lacking := np.setdiff1d(np.arange(len(classes)), codes[mask])):
        label = classes.tolist()[lacking[0]]
        raise InputError(f"trusted marks no sample of class {label!r}; mark a random sample that holds all classes.")
    if len(np.unique(codes[~mask])) < len(classes):
        raise InputError(
            "the samples that are not trusted lack a class, but the classifier of the noisy labels is fitted on them; "
            "mark fewer samples as trusted."
        )
    return mask
