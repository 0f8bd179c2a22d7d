"""Choosing lambda of the negative exponential loss on noisy labels."""

from typing import TYPE_CHECKING  # for annotations

if TYPE_CHECKING:  # for annotations
    from ironbark.annotations import fit_context as _fit_context  # for annotations

from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context, clone  # type: ignore[no-redef]
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from ironbark import annotations as t  # for annotations
from ironbark.encoding import EncodedFeatures, encode
from ironbark.tree.classifier import RobustDecisionTreeClassifier


class NegativeExponentialSearch(ClassifierMixin, BaseEstimator):
    """Tree or forest under the negative exponential loss, with lambda chosen on a part of the training set held out.

    The labels of the held-out part are as noisy as those of the rest. All fits share one encoding of X, so five lambdas
    cost five fits on the larger part. This is the method "ANE" of [1]_.

    Parameters
    ----------
    estimator : estimator, default=None
        `RobustDecisionTreeClassifier` or `RobustRandomForestClassifier` with the parameters of your choice; `criterion`
        and `lam` are set. None for a tree that is not pruned.
    lams : sequence of float, default=(0, 0.25, 0.5, 0.75, 1)
        Values of lambda to try; of equally good ones the first is taken.
    test_size : float, default=0.2
        Share of the samples held out, drawn at random.
    refit : bool, default=False
        Whether to fit the chosen one again on all samples. The tables of [1]_ show the model of the larger part.
    random_state : int, RandomState instance or None, default=None
        The part held out, and the seed of all fits, unless `estimator` has its own.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    lam_ : float
        The chosen lambda.
    accuracies_ : ndarray of shape (n_lams,)
        Accuracy of each lambda on the held-out part.
    estimator_ : estimator
        The fitted model.

    References
    ----------
    .. [1] J. Wilton, N. Ye, "Robust Loss Functions for Training Decision Trees with Noisy Labels", AAAI 2024,
       Experiments, Hyperparameters.

    Examples
    --------
    >>> from ironbark import NegativeExponentialSearch
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> NegativeExponentialSearch(random_state=0).fit(X, y).accuracies_.shape
    (5,)
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "lams": ["array-like"],
        "test_size": [Interval(Real, 0, 1, closed="neither")],
        "refit": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: t.Any = None,
        *,
        lams: t.Sequence[float] = (0.0, 0.25, 0.5, 0.75, 1.0),
        test_size: float = 0.2,
        refit: bool = False,
        random_state: t.RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.lams = lams
        self.test_size = test_size
        self.refit = refit
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: t.Features, y: t.ArrayLike) -> t.Self:
        """Try every lambda and keep the best model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or EncodedFeatures
        y : array-like of shape (n_samples,)

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For input that the estimator refuses, no lambda, or fewer than two samples.
        """
        features, codes = self._check_training(X, y)
        rng = check_random_state(self.random_state)
        order, seed = rng.permutation(len(codes)), int(rng.randint(np.iinfo(np.int32).max))
        n_held = min(max(1, round(self.test_size * len(codes))), len(codes) - 1)
        held, kept = np.sort(order[:n_held]), np.sort(order[n_held:])
        X_kept, X_held = features.take(kept), features.take(held).decode()
        models = [self._make(lam, seed).fit(X_kept, codes[kept]) for lam in self.lams]
        self.accuracies_ = np.array([np.mean(model.predict(X_held) == codes[held]) for model in models])
        best = int(self.accuracies_.argmax())
        self.lam_ = float(self.lams[best])
        self.estimator_ = self._make(self.lam_, seed).fit(features, codes) if self.refit else models[best]
        return self

    def _check_training(self, X, y):
        if isinstance(X, EncodedFeatures):
            features, y = X, column_or_1d(y, warn=True)
            self.n_features_in_ = X.shape[1]
        else:
            X, y = validate_data(self, X, y, dtype="numeric", ensure_min_samples=2, ensure_all_finite="allow-nan")
            features = encode(X)
        if len(y) != len(features) or len(y) < 2 or len(self.lams) == 0:
            raise ValueError(
                f"there must be two samples at least, a label for each and one value of lams; X has {len(features)} "
                f"samples, y has {len(y)}, and lams has {len(self.lams)} values."
            )
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return features, codes

    def _make(self, lam, seed):
        model = RobustDecisionTreeClassifier(ccp_alpha=0.0) if self.estimator is None else clone(self.estimator)
        model.set_params(criterion="negative_exponential", lam=float(lam))
        return model.set_params(random_state=seed) if model.random_state is None else model

    def predict_proba(self, X: t.Features) -> t.Floats:
        """Class probabilities of the chosen model.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Zero for classes that only the held-out part had.
        """
        X = self._check_samples(X)
        proba = np.zeros((len(X), len(self.classes_)))
        proba[:, self.estimator_.classes_] = self.estimator_.predict_proba(X)
        return proba

    def predict(self, X: t.Features) -> t.Labels:
        """Class of each sample, by the rule of the chosen model."""
        X = self._check_samples(X)
        return self.classes_[self.estimator_.predict(X)]

    def _check_samples(self, X):
        check_is_fitted(self)
        if isinstance(X, EncodedFeatures):
            return X.decode()
        return validate_data(self, X, reset=False, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan")
