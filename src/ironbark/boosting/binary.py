"""What boosters of two classes share: checks, the loop of rounds, scores, labels and probabilities."""

import warnings
from collections import deque
from typing import NamedTuple

import numpy as np
from scipy.special import expit
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ironbark.boosting import parameters
from ironbark.boosting.grower import Grower, output
from ironbark.errors import InputError

FLOOR = 1e-6  # share of the prior weights that is mixed into the weights of a round
ALL_ROUNDS = "all rounds run"


class Step(NamedTuple):
    """What a round decides: F <- decay F + size h, unless size is None; and why it is the last one, if it is."""

    size: float | None
    decay: float = 1.0
    reason: str = ""


class BinaryBooster(ClassifierMixin, BaseEstimator):
    """A sum of small trees whose sign is the class.

    A booster sets `trees`, checks its own parameters in `_check_parameters`, and returns from ``_start(signs, prior)``
    what it knows between rounds: an object with

    - ``problem()``: target and weights of the next tree;
    - ``advance(output)``: the `Step` that follows from the output of that tree for the training samples.

    `signs` are -1.0 and +1.0, `prior` are the sample weights. One that leaves the rounds to
    another library overrides ``_boost(X, codes, sample_weight)``.
    """

    trees = "classification"

    def fit(self, X, y, sample_weight=None):
        """Fit the booster.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0 of the samples, of which only the ratios count.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y does not hold a number of classes that the booster can tell apart, or a
            parameter is out of range.
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float32, order="C")
        self.classes_, codes = self._codes(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            codes = self._weighted_codes(codes, sample_weight)
        if len(X) < getattr(self, "min_samples_split", 0):
            warnings.warn(
                f"{len(X)} samples are fewer than min_samples_split={self.min_samples_split}, so no tree splits and "
                "all predictions are the same; give more samples or lower min_samples_split.",
                UserWarning,
                stacklevel=2,
            )
        with config_context(skip_parameter_validation=True):  # once is enough, there are as many fits as trees
            self._boost(X, codes, sample_weight)
        return self

    def _codes(self, y):
        """Sorted classes and the position of each label among them."""
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            kind, name = type_of_target(y, input_name="y"), type(self).__name__
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}. For {len(classes)} "
                f"classes wrap the booster: sklearn.multiclass.OneVsRestClassifier({name}())."
            )
        self._refuse_one_class(len(classes), "y holds only one class")
        return classes, codes

    def _weighted_codes(self, codes, weight):
        """Codes after a check that two classes have weight."""
        self._refuse_one_class(len(np.unique(codes[weight > 0])), "at most one class has a sample_weight above zero")
        return codes

    def _refuse_one_class(self, n_classes, problem):
        if n_classes < 2:
            raise InputError(f"{type(self).__name__} needs samples of two classes, but {problem}.")

    def _boost(self, X, codes, sample_weight):
        """Run the rounds."""
        state = self._start(2.0 * codes - 1, prior_weights(sample_weight, len(X)))
        grower = Grower(self.trees, X, self.max_leaf_nodes, self.min_samples_split, self.random_state)
        self.estimators_, self.stop_reason_ = [], ALL_ROUNDS
        steps, weights = [], []
        for _ in range(self.n_estimators):
            target, weight = state.problem()
            tree, values = grower.grow(target, weight)
            step = state.advance(values)
            if step.size is not None:
                self.estimators_.append(tree)
                steps.append(step)
                if self.record_weights:
                    weights.append(weight / weight.sum())
            if step.reason:
                self.stop_reason_ = step.reason
                break
        self._keep([step.size for step in steps], [step.decay for step in steps])
        if self.record_weights:
            self.sample_weights_ = np.array(weights).reshape(-1, len(X))

    def _keep(self, sizes, decays):
        """Store the steps, and the factor that each tree has in the end."""
        self.steps_, self.decays_ = np.array(sizes, float), np.array(decays, float)
        self.estimator_weights_ = self.steps_ * np.append(np.cumprod(self.decays_[:0:-1])[::-1], 1.0)[: len(sizes)]

    def _features(self, X):
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float32, order="C", reset=False)

    def staged_decision_function(self, X):
        """Yield the scores after each round; see `decision_function`.

        Yields
        ------
        ndarray of shape (n_samples,), float64
        """
        X = self._features(X)
        score = np.zeros(len(X))
        for tree, size, decay in zip(self.estimators_, self.steps_, self.decays_, strict=True):
            score = decay * score + size * output(tree, X)
            yield score

    def decision_function(self, X):
        """Scores F(x); a positive one speaks for the second class. All are zero if the first round was refused.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,), float64
        """
        stages = deque(self.staged_decision_function(X), maxlen=1)
        return stages.pop() if stages else np.zeros(len(self._features(X)))

    def predict(self, X):
        """The second class where F(x) >= 0, else the first.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        score = self.decision_function(X)
        return self.classes_[(score >= 0).astype(int)]

    def _check_parameters(self):
        parameters.integer("n_estimators", self.n_estimators, 1)
        parameters.tree(self.max_leaf_nodes, self.min_samples_split)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class ProbabilityMixin:
    """Probabilities for boosters whose score has a known link to them: half the log-odds, unless overridden."""

    def _share(self, score):
        """Probability of the second class; that of the first is the same function of the negative score."""
        return expit(2 * score)

    def predict_proba(self, X):
        """Probabilities of the two classes, in the order of `classes_`.

        Returns
        -------
        ndarray of shape (n_samples, 2), float64
        """
        score = self.decision_function(X)
        return np.column_stack([self._share(-score), self._share(score)])


def prior_weights(sample_weight, n):
    """Sample weights as they are given; ones if there are none."""
    return np.ones(n) if sample_weight is None else sample_weight


def floored(weight, prior):
    """Weights of a round, given without the prior ones, times these; a millionth is spread evenly.

    Without that floor samples of weight zero would be left out of the trees, and nodes of few samples not be split.
    """
    if weight.max() <= 0:
        return prior
    weight = weight / weight.max()  # equal ones become exactly 1, and times the prior ones exact
    return prior * ((1 - FLOOR) * (weight / (np.dot(prior, weight) / prior.sum())) + FLOOR)
