"""Base of binary boosters: checks of samples, labels and weights, the prediction, and importances."""

import warnings

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from ironbark import annotations as t
from ironbark.errors import InputError
from ironbark.frames import of_arrow, ordered_places
from ironbark.inputs import Features, labels, undone, weights

ALL_ROUNDS = "all rounds run"  # reason to stop
RARE = 10  # samples; texts of fewer count as one, as trees split no fewer either
BEYOND = np.float32(1e30)  # above values of features, and sums of it are finite


class BinaryBooster(Features, ClassifierMixin, BaseEstimator):
    """A score F whose sign is the class.

    A booster has scikit-learn's `_parameter_constraints`, learns in ``_boost(X, codes, sample_weight)``, with codes 0
    and 1, and has ``_score(X)``, ``_stages(X)``, of every round, and ``_decreases()``, by each of `_n_columns`.
    """

    x_dtype = np.float32
    leaves_out = False  # whether samples of weight zero take no part at all

    @undone
    def fit(self, X: t.ArrayLike, y: t.ArrayLike, sample_weight: t.ArrayLike | None = None) -> t.Self:
        """Fit the booster.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Text in a column of a data frame is ordered by the share of the most frequent class among its samples.
            Missing ones are a text too, as which new ones count; texts of fewer than 10 samples are one. Each split
            sends missing numbers (NaN) to the better side; if `fit` saw none, they count as the median. But for
            `RMBoostClassifier` and `LPBoostClassifier` numbers are float32, as in trees of scikit-learn: subtract
            large offsets.
        y : array-like of shape (n_samples,)
            Labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0 of the samples, of which only the ratios count unless the notes of the class say otherwise.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X holds infinity, y does not hold a number of classes that the booster can tell apart, a parameter
            is out of range, or a package is not installed that the booster needs.
        SolverError
            If a linear program, of a booster that has one, is not solved at the second attempt either.
        """
        self._validate_params()
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)  # of an earlier fit
        X, y = of_arrow(X), labels(y)
        ordered = ordered_places(X)
        X = self._validated(X, reset=True)
        check_consistent_length(X, y)
        self._refuse_one_class(y, "y holds only one class")
        sample_weight = weights(sample_weight, len(y))
        if sample_weight is not None:
            kept = sample_weight > 0
            self._refuse_one_class(y[kept], "at most one class has a sample_weight above zero")
            if self.leaves_out:
                X, y, sample_weight = X[kept], y[kept], sample_weight[kept]
        self.classes_, codes = self._codes(y)
        least = self._least_to_split()
        if len(X) < least:
            warnings.warn(
                f"{len(X)} samples are fewer than min_samples_split={least} of the trees, so no tree splits and all "
                "predictions are the same; give more samples, or trees of a lower min_samples_split.",
                stacklevel=3,
            )
        texts = {j: len(levels) for j, levels in getattr(self, "categories_", {}).items() if j not in ordered}
        with threadpool_limits(1, user_api="blas"):  # dot products of more threads are slower, and round otherwise
            self._train(X, codes, sample_weight, texts)
        return self

    def _train(self, X, codes, sample_weight, texts):
        """`_boost` on features as trees take them."""
        self._columns = Columns(X, codes, prior_weights(sample_weight, len(X)), texts)
        self._boost(self._columns.filled(X), codes, sample_weight)

    def _validated(self, X, reset):
        given, rules = self._numbers(X, reset=reset), {"order": "C", "ensure_all_finite": "allow-nan"}
        with np.errstate(over="ignore"):  # refused as infinite
            X = validate_data(self, given, reset=reset, dtype=self.x_dtype, **rules)
        if reset and X.dtype == np.float32:
            _warn_of_merged(given, X)
        return X

    @property
    def _n_columns(self):
        return self.n_features_in_ + len(self._columns.copied)

    def _refuse_one_class(self, y, problem):
        if len(np.unique(y)) < 2:
            raise InputError(f"{type(self).__name__} needs samples of two classes, but {problem}.")

    def _codes(self, y):
        """Sorted classes and the position of each label among them."""
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            raise InputError(
                f"Only binary classification is supported. The type of the target is {type_of_target(y)}. For "
                f"{len(classes)} classes wrap the booster: "
                f"sklearn.multiclass.OneVsRestClassifier({type(self).__name__}())."
            )
        return classes, codes

    def _least_to_split(self):
        """Samples below which no tree splits."""
        return getattr(self, "min_samples_split", 0)

    def _features(self, X):
        check_is_fitted(self)
        return self._columns.filled(self._validated(X, reset=False))

    def staged_decision_function(self, X: t.ArrayLike) -> t.Iterator[t.Floats]:
        """Yield the scores after each round; see `decision_function`.

        Yields
        ------
        ndarray of shape (n_samples,) or (n_samples, n_classes), float64
        """
        yield from self._stages(self._features(X))

    def decision_function(self, X: t.ArrayLike) -> t.Floats:
        """Scores F(x); a positive one speaks for the second class. More than two classes have a score each.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes), float64
            Zeros if the first round was refused.
        """
        return self._score(self._features(X))

    def predict(self, X: t.ArrayLike) -> t.Labels:
        """The second class where F(x) >= 0, else the first; of more classes the one with the largest score.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        score = self.decision_function(X)
        return self.classes_[(score >= 0).astype(int) if score.ndim == 1 else score.argmax(axis=1)]

    @property
    def feature_importances_(self) -> t.Floats:
        """Share of each feature in what all splits gain, ndarray of shape (n_features,); zeros if nothing splits.

        A sum of regression trees (LogitBoost, GentleBoost) has the decreases of the weighted squared error added up
        over the trees, as in scikit-learn's gradient boosting. A sum of votes has the mean of the importances of the
        rules, weighted by the absolute values of their coefficients, as in scikit-learn's AdaBoost.
        """
        check_is_fitted(self)
        return normalised(self._columns.joined(self._decreases()))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        return tags


def _warn_of_merged(given, X):
    """Warn of columns that have fewer values as float32, in `X`, as those of whole numbers above 2^24 do."""
    large = np.flatnonzero(np.maximum(np.fmax.reduce(X), -np.fmin.reduce(X)) >= 2**24)
    exact = check_array(given, dtype=np.float64, ensure_all_finite="allow-nan") if len(large) else X
    for j in large:
        before, after = (len(np.unique(values[:, j])) for values in (exact, X))
        if after < 0.9 * before:
            warnings.warn(f"float32 merges {before} values of column {j} to {after}; subtract an offset.", stacklevel=5)


class Columns:
    """Features as trees take them: numbers in place of missing values, and of texts their places by class shares.

    A missing value becomes one above all others, and one below them in a copy of the feature: a split on the feature
    sends it right, and one on the copy left. Features without any in training have no copy; later ones are replaced by
    the median. `texts` holds the number of levels of each feature that is text.
    """

    def __init__(self, X, codes, weight, texts):
        self.places = {j: places(X[:, j], n_levels, codes, weight) for j, n_levels in texts.items()}
        known, weights = X[weight > 0], None if (weight == weight[0]).all() else weight[weight > 0]
        gaps = np.isnan(known).any(axis=0)
        gaps[list(texts)] = False
        self.copied = np.flatnonzero(gaps)
        self.above = np.where(gaps, BEYOND, np.quantile(known, 0.5, axis=0, method="inverted_cdf", weights=weights))

    def filled(self, X):
        """Features and copies, without missing values and texts."""
        missing = np.isnan(X)
        if not len(self.copied) and not missing.any() and not self.places:
            return X
        below = np.where(missing[:, self.copied], -BEYOND, X[:, self.copied])
        X = np.where(missing, self.above, X)
        for j, place in self.places.items():
            X[:, j] = place[np.where(missing[:, j], len(place) - 1, X[:, j]).astype(int)]
        return np.hstack([X, below])

    def joined(self, decreases):
        """Decreases of features, those of their copies included."""
        own, copies = np.split(decreases, [len(self.above)])
        own[self.copied] += copies
        return own


def places(column, n_levels, codes, weight):
    """Place of each level, then of missing ones, by the shares of the classes, the largest class first."""
    levels = np.where(np.isnan(column), n_levels, column).astype(int)
    rare = np.bincount(levels, weight > 0, n_levels + 1) < RARE
    groups = np.where(rare, n_levels + 1, np.arange(n_levels + 1))
    counts = np.zeros((n_levels + 2, codes.max() + 1))
    np.add.at(counts, (groups[levels], codes), weight)
    sizes = counts.sum(axis=0)
    counts[counts.sum(axis=1) == 0] = sizes
    shares = counts[:, np.argsort(-sizes, kind="stable")] / counts.sum(axis=1, keepdims=True)
    return np.argsort(np.lexsort(shares.T[::-1]))[groups]


class ProbabilityMixin:
    """Probabilities for boosters whose score has a known link to them: half the log-odds, unless overridden."""

    def _share(self, score):
        """Probability of the second class; that of the first is the same function of the negative score."""
        return expit(2 * score)

    def predict_proba(self, X: t.ArrayLike) -> t.Floats:
        """Probabilities of the two classes, in the order of `classes_`.

        Returns
        -------
        ndarray of shape (n_samples, 2), float64
        """
        score = self.decision_function(X)
        return np.column_stack([self._share(-score), self._share(score)])


def prior_weights(sample_weight, n):
    """Sample weights over a power of two, so that none exceeds 1; ones if there are none or all are equal."""
    if sample_weight is None or (sample_weight == sample_weight[0]).all():
        return np.ones(n)
    return np.ldexp(sample_weight, -np.frexp(sample_weight.max())[1])


def normalised(decreases):
    """Decreases divided by their sum, if it is positive."""
    total = decreases.sum()
    return decreases / total if total > 0 else decreases


def of_votes(rules: list, coefficients: np.ndarray, n_columns: int):
    """Sum of the rules' importances, each times the absolute value of its coefficient."""
    total = np.zeros(n_columns)
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
