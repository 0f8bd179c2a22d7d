"""A detector of wrong labels."""

import warnings
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import indexable
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from ironbark.errors import InputError
from ironbark.inputs import training, undone, vector
from ironbark.label_errors import out_of_sample
from ironbark.label_errors.noise_estimate import error_probabilities, estimate_noise, n_flagged
from ironbark.label_errors.scores import SCORES, likeliest_others
from ironbark.tree.forest import RobustRandomForestClassifier

OVERLAP = 0.04  # share of labels that are contradicted beyond those estimated to be wrong, from which on to warn
MANY = 0.3  # share of labels that are called errors, from which on to warn
COPIES = 0.1  # share of samples that are copies of others, from which on to warn
LEAST_SPLIT = 20  # samples of a node of the default forest that is split


@dataclass(eq=False, repr=False)
class LabelErrorDetector(out_of_sample.OnClassifier, BaseEstimator):
    """Find the samples whose labels are wrong.

    Each sample is predicted by models not fitted on it. The less a prediction agrees, the more suspicious is the label.

    Parameters
    ----------
    estimator : classifier with `predict_proba`, default=None
        None for a self-tuned `RobustRandomForestClassifier`. Forests with bootstrap samples are fitted once and predict
        each sample out of the bag; other classifiers are cross-validated.
    quality : {"joint", "normalized_margin", "self_confidence", "confident_learning"}, default="joint"
        How the quality of a label is computed from the probabilities, see `ironbark.label_errors.scores`.
    cut : "count", "precision" or float, default="count"
        How many samples are called errors: as many as give the largest expected F1 score, as many as keep the expected
        share of errors among them at `precision`, or a share of the samples in (0, 1).
    precision : float, default=0.9
        Only with ``cut="precision"``. An expectation under the estimated noise, not a guarantee: samples on the wrong
        side of the border of overlapping classes look like errors, so fewer of those called errors are. `fit` warns if
        the predictions contradict clearly more labels than are estimated to be wrong, which is a sign of overlap.
    classes_overlap : bool, default=True
        Whether samples of one class may lie among those of another. Then wrong labels and overlap look alike, and the
        share of wrong labels has an upper bound only. With False, every label that the predictions contradict counts as
        wrong: with ``cut="count"``, as many samples are called errors.
    cv : int, default=5
        Folds of the cross-validation (not for forests out of the bag, but with `groups`), at most as many as groups.
    n_estimators : int, default=100
        Trees of the default forest.
    categorical_features : "from_dtype", array-like of int, str or bool, or None, default="from_dtype"
        Of the default forest, see `RobustDecisionTreeClassifier`.
    random_state : int or None, default=None
        Of the default forest, and of the order of samples in the cross-validation.
    n_jobs : int, default=None
        Threads of the default forest, or processes of the cross-validation. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    probabilities_ : ndarray of shape (n_samples, n_classes), float64
        Out-of-sample class probabilities; NaN for a sample that is not judged.
    is_judged_ : ndarray of shape (n_samples,), bool
        Whether the label could be judged. Trusted labels are not; others cannot, with a warning, if no model without
        the sample was fitted on its class (a class of one sample, in one group, or of weight 0), or all trees drew it.
    label_quality_ : ndarray of shape (n_samples,), float64
        In [0, 1]; the lower, the more suspicious. 1 for a sample that is not judged, which is never called an error.
    ranking_ : ndarray of shape (n_samples,), int
        Samples from most to least suspicious.
    is_error_ : ndarray of shape (n_samples,), bool
    suggested_labels_ : ndarray of shape (n_samples,)
        The given label, or the most likely other one for samples that are called errors.
    noise_rate_ : float
        Estimated share of wrong labels.
    noise_rate_interval_ : ndarray of shape (2,), float64
        The upper end is a nominal 95 % bound: the share of labels that the predictions contradict, with allowance for
        the chance of drawing samples and for errors of the method as they were on other data sets. The lower end is 0,
        or that of a nominal 90 % interval with ``classes_overlap=False``. From 0 to 1 if the predictions say no more of
        the labels than chance (see `ironbark.label_errors.noise_estimate`); then only a share as `cut` calls errors.
    noise_matrix_ : ndarray of shape (n_classes, n_classes), float64
        Entry [i, j] estimates the probability that a sample of class i carries the label j.
    conflicts_ : list of ndarray of int
        Groups of samples with identical features and different labels.
    estimator_ : classifier
        Fitted on all samples.
    n_features_in_ : int

    Examples
    --------
    >>> from ironbark import LabelErrorDetector
    >>> from ironbark.noise import corrupt
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> noisy = corrupt("uniform", X, y, rate=0.1, random_state=0)
    >>> detector = LabelErrorDetector(random_state=0).fit(X, noisy)
    >>> bool((noisy != y)[detector.ranking_[:5]].all())
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "quality": [StrOptions(set(SCORES))],
        "cut": [StrOptions({"count", "precision"}), Interval(Real, 0, 1, closed="neither")],
        "precision": [Interval(Real, 0, 1, closed="right")],
        "classes_overlap": ["boolean"],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": [Interval(Integral, 0, 2**32 - 1, closed="both"), None],
        "n_jobs": [Integral, None],
    }

    estimator: BaseEstimator | None = None
    _: KW_ONLY
    quality: str = "joint"
    cut: str | float = "count"
    precision: float = 0.9
    classes_overlap: bool = True
    cv: int = 5
    n_estimators: int = 100
    categorical_features: ArrayLike | None = "from_dtype"
    random_state: int | None = None
    n_jobs: int | None = None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _base(self):
        """Unfitted classifier of the labels."""
        if self.estimator is not None:
            return clone(self.estimator)
        options = {"random_state": self.random_state, "n_jobs": self.n_jobs}
        options["categorical_features"] = self.categorical_features
        return RobustRandomForestClassifier(self.n_estimators, min_samples_split=LEAST_SPLIT, **options)

    @undone
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        trusted: ArrayLike | None = None,
    ) -> Self:
        """Judge the labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes, some of them wrong.
        sample_weight : array-like of shape (n_samples,), default=None
            For the classifier; samples of weight 0 are judged as well.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group, such as copies or images of one patient, are predicted by models fitted without the
            whole group. It takes a cross-validation, also with a forest.
        trusted : array-like of shape (n_samples,), bool, default=None
            Samples whose labels are known to be right, as after a `LabelReview`. They are learnt from, not judged, and
            the noise is that of the other samples. Where the most suspicious samples are trusted, the upper end of
            `noise_rate_interval_` is too low; then take that of `LabelReview.estimate`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If y holds one class only, all samples are identical, a length is wrong, or the classifier cannot be fitted.
        """
        self._validate_params()
        self.classes_, codes, sample_weight = training(X, y, sample_weight, "LabelErrorDetector")
        [X] = indexable(X)
        if groups is not None:
            groups = vector(groups, "groups")
            if groups.shape != codes.shape:
                raise InputError(f"groups has {len(groups)} entries, but y has {len(codes)}; give one for each sample.")
        trusted = np.zeros(len(codes), bool) if trusted is None else out_of_sample.trusted_mask(trusted, len(codes))
        probabilities = self._predict(X, codes, sample_weight, groups, trusted)
        rows = out_of_sample.identical_rows(X)
        if rows.max() == 0:
            raise InputError("all samples have the same features, so no label can be judged; give features that vary.")
        self.conflicts_ = out_of_sample.conflicts(rows, codes)
        copies = len(codes) - len(set(zip(rows.tolist(), codes.tolist(), strict=True)))
        if groups is None and copies > COPIES * len(codes):
            warnings.warn(
                f"{copies} samples equal others in features and label. If they are copies of one sample, they vouch "
                "for each other, so that wrong labels are missed; leave copies out, or number each set as groups.",
                stacklevel=3,
            )
        self._take_names()
        self._judge(probabilities, codes)
        return self

    def _predict(self, X, codes, sample_weight, groups, trusted):
        """Out-of-sample probabilities, NaN for samples that are not judged; sets `estimator_` and `is_judged_`."""
        base, y = self._base(), self.classes_[codes]
        params = out_of_sample.fit_params(base, sample_weight)
        self._out_of_bag = in_bags = groups is None and (self.estimator is None or out_of_sample.has_out_of_bag(base))
        folds = None if in_bags else out_of_sample.fold_indices(codes, groups, self.cv, self.random_state)
        self.is_judged_ = out_of_sample.judged(codes, sample_weight, folds)
        out_of_sample.warn_of_unjudged(self.classes_, codes, self.is_judged_, sample_weight, groups)
        if not in_bags:
            probabilities = out_of_sample.cross_validated(base, X, y, params, folds, self.n_jobs)
            self.estimator_ = base.fit(X, y, **params)
        elif self.estimator is None:
            base.set_params(ccp_alpha=0.0)
            self.estimator_, probabilities = out_of_sample.averaged_out_of_bag(base, X, y, codes, sample_weight)
        else:
            self.estimator_, probabilities = out_of_sample.out_of_bag(base, X, y, params)
        drawn = np.isnan(probabilities[:, 0])
        self.is_judged_ &= ~drawn
        if drawn.any():
            warnings.warn(
                f"samples drawn by all trees: {drawn.sum()}; their labels count as right; give more trees.",
                stacklevel=4,
            )
        if not self.is_judged_.any():
            raise InputError("no label can be judged by models without its sample; give more trees or more samples.")
        if (others := self.is_judged_ & ~trusted).any():
            self.is_judged_ = others
        probabilities[~self.is_judged_] = np.nan
        return probabilities

    def _judge(self, probabilities, codes):
        """Set all that follows from the probabilities."""
        seen = self.is_judged_
        known, labels = probabilities[seen], codes[seen]
        noise = estimate_noise(known, labels, self.classes_overlap, self._out_of_bag)
        if noise.is_unknown:
            warnings.warn(
                "the features predict the labels no better than chance, so no label can be judged; add features that "
                "say more about the classes.",
                stacklevel=4,
            )
        self.noise_rate_, self.noise_rate_interval_, self.noise_matrix_ = noise.rate, noise.interval, noise.matrix
        self.probabilities_, self._is_unknown, self._called = probabilities, noise.is_unknown, noise.called
        self.label_quality_ = np.ones(len(codes))
        self.label_quality_[seen] = SCORES[self.quality](known, labels, noise.matrix)
        self.ranking_ = np.argsort(self.label_quality_, kind="stable")
        self._flag(codes, seen)

    def _flag(self, codes, seen):
        """Set `is_error_` and `suggested_labels_`."""
        judged = self.ranking_[seen[self.ranking_]]
        known, rank = self.probabilities_[seen], np.cumsum(seen) - 1
        wrong, called = (
            error_probabilities(known, codes[seen], rank[judged], matrix)
            for matrix in (self.noise_matrix_, self._called)
        )
        self._error_probabilities = np.full(len(codes), np.nan)
        self._error_probabilities[judged] = wrong
        contradicted = known.argmax(axis=1) != codes[seen]
        if self._is_unknown and isinstance(self.cut, str):
            flagged = judged[:0]
        elif self.cut == "count" and not self.classes_overlap:
            flagged = judged[: contradicted.sum()]
        else:
            flagged = judged[: n_flagged(self.cut, self.precision, called)]
        if self.cut == "precision" and len(flagged) and contradicted.mean() - self.noise_rate_ > OVERLAP:
            warnings.warn(
                f"the predictions contradict {contradicted.mean():.0%} of the labels, but {self.noise_rate_:.0%} are "
                f"estimated to be wrong, so classes may overlap; then fewer than {self.precision:.0%} of the "
                "samples that are called errors may be errors.",
                stacklevel=5,
            )
        if isinstance(self.cut, str) and len(flagged) > MANY * len(judged):
            warnings.warn(
                f"{len(flagged) / len(judged):.0%} of the labels are called errors. Either that much is wrong, or the "
                "features say little about the classes, and then most of these labels are right; check some of them.",
                stacklevel=5,
            )
        self.is_error_ = np.isin(np.arange(len(codes)), flagged)
        suggested = codes.copy()
        suggested[flagged] = likeliest_others(self.probabilities_[flagged], codes[flagged], self.noise_matrix_)
        self.suggested_labels_ = self.classes_[suggested]
