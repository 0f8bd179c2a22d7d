"""LogitBoost for two or more classes, with regression trees."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import clone

from ironbark import annotations as t
from ironbark.boosting.binary import ALL_ROUNDS, prior_weights
from ironbark.boosting.docstrings import documented
from ironbark.boosting.gbdt.fitting import parts, replaced
from ironbark.boosting.stagewise.base import Grower, ShrunkenBooster, Step
from ironbark.tree.traversal import total_score

MAX_RESPONSE = 4.0
MIN_WEIGHT = 2 * np.finfo(np.float64).eps


@documented
@dataclass(eq=False, repr=False)
class LogitBoostClassifier(ShrunkenBooster):
    """Additive logistic regression by Newton steps, each a weighted least-squares regression tree.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of rounds. With K > 2 classes a round grows K trees.
    $trees
    learning_rate : float, default=1.0
        Factor of each step.
    $random_state_and_record
    validation_fraction : float, default=None
        Share of the samples of each class that a first fit leaves out. The number of rounds with the lowest mean log
        loss on them is that of a second fit, to all samples. None runs `n_estimators`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels; of two, the second counts as +1.
    estimators_ : list of RegressionTree
        With more than two classes, of lists with one tree per class.
    $steps
    n_estimators_ : int
        Number of rounds of the model.
    validation_loss_ : ndarray of shape (n_estimators,)
        With `validation_fraction`, the mean log loss of the samples left out after each round.
    stop_reason_ : str
        "all rounds run".
    sample_weights_ : ndarray of shape (n_rounds, n_samples)
        Weights of each tree's fit; rows sum to 1. With more than two classes (n_rounds, n_classes, n_samples).
    $importances_of_regressions

    Notes
    -----
    F starts at 0. Each round computes ``p = 1 / (1 + exp(-2 F))``, the weights ``w = p (1 - p)`` (not below twice the
    machine epsilon) and the working response ``z = 1 / p`` for class +1, ``z = -1 / (1 - p)`` for class -1 (both cut
    at an absolute value of 4), fits a tree f to z with weights w, and adds ``learning_rate * f / 2`` to F.

    With K > 2 classes there is an F_k for each, p is their softmax, class k has the weights and responses above of
    "k or not" and a tree f_k, and ``learning_rate * (K - 1) / K * (f_k - mean of all f)`` is added to F_k. For K = 2
    that is the same as above, F being that of the second class. `decision_function` has a column for each
    class then, and of classes with equal scores the first is predicted.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive Logistic Regression: A Statistical View of Boosting", Annals of
    Statistics 28, 2000, Algorithms 3 and 6.

    $example
    """

    validation_fraction: float | None = None

    trees = "regression"

    def _start(self, signs, prior):
        return _Rounds(signs, prior, self.learning_rate)

    def _train(self, X, codes, sample_weight, texts):
        rounds = self.n_estimators
        if self.validation_fraction is not None:
            rounds = self._chosen_rounds(X, codes, sample_weight, texts)
        with replaced(self, n_estimators=rounds):
            super()._train(X, codes, sample_weight, texts)

    def _chosen_rounds(self, X, codes, sample_weight, texts):
        """Number of rounds by the samples left out, whose labels order no texts; sets `validation_loss_`."""
        part = clone(self).set_params(validation_fraction=None, record_weights=False)
        fitted, (X_held, held_codes, weight) = parts(self, X, codes, codes, sample_weight)
        part.classes_ = self.classes_
        part._train(*fitted, texts)
        stages = part._stages(part._columns.filled(X_held))
        self.validation_loss_ = np.array([np.average(log_losses(held_codes, F), weights=weight) for F in stages])
        return int(self.validation_loss_.argmin()) + 1

    @property
    def n_estimators_(self) -> int:
        """Number of rounds of the model."""
        return len(self.estimators_)

    def _boost(self, X, codes, sample_weight):
        if len(self.classes_) == 2:
            super()._boost(X, codes, sample_weight)
            return
        grower = Grower(self.trees, X, self.max_leaf_nodes, self.min_samples_split, self.random_state)
        state = _RoundsOfClasses(codes, len(self.classes_), prior_weights(sample_weight, len(X)), self.learning_rate)
        self.estimators_, self.stop_reason_, recorded = [], ALL_ROUNDS, []
        for _ in range(self.n_estimators):
            targets, weights = state.problems()
            grown = [grower.grow(target, weight) for target, weight in zip(targets, weights, strict=True)]
            state.advance(np.column_stack([values for _, values in grown]))
            self.estimators_.append([tree for tree, _ in grown])
            if self.record_weights:
                recorded.append(weights)
        if self.record_weights:
            weights = np.array(recorded)
            self.sample_weights_ = weights / weights.sum(axis=2, keepdims=True)

    def _stages(self, X):
        if len(self.classes_) == 2:
            yield from super()._stages(X)
            return
        total = np.zeros((len(X), len(self.classes_)))
        for trees in self.estimators_:
            total += np.column_stack([tree.predict(X) for tree in trees])
            yield self.learning_rate * _centred(total)

    def _score(self, X):
        if len(self.classes_) == 2:
            return super()._score(X)
        ones = np.ones(len(self.estimators_))
        totals = [total_score(list(trees), ones, ones, X) for trees in zip(*self.estimators_, strict=True)]
        return self.learning_rate * _centred(np.column_stack(totals))

    def predict_proba(self, X: t.ArrayLike) -> t.Floats:
        """Class probabilities: ``1 / (1 + exp(-2 F))`` for the second of two, the softmax of more.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), float64
        """
        score = self.decision_function(X)
        return softmax(score, axis=1) if score.ndim == 2 else np.column_stack([self._share(-score), self._share(score)])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags


def log_losses(codes, score):
    """-ln p of the class of each sample, by the scores of `LogitBoostClassifier.decision_function`."""
    if score.ndim == 1:
        return -log_expit(np.where(codes, 2 * score, -2 * score))
    return -np.take_along_axis(log_softmax(score, axis=1), codes[:, None], axis=1)[:, 0]


class _Rounds:
    """Scores F of the samples."""

    def __init__(self, signs, prior, learning_rate):
        self.codes, self.prior, self.step = (signs > 0).astype(int), prior, learning_rate / 2
        self.score = np.zeros(len(signs))

    def problem(self):
        p, q = expit(2 * self.score), expit(-2 * self.score)  # q = 1 - p without cancellation
        response, weight = working_response(self.codes, p, q)
        return response, self.prior * weight

    def advance(self, output):
        self.score += self.step * output
        return Step(self.step)


def weight(margin):
    """Weight of samples by their margin y F."""
    return expit(2 * margin) * expit(-2 * margin)


class _RoundsOfClasses:
    """Scores F_k of the samples; shapes (n_classes, n_samples), and (n_samples, n_classes) of scores and outputs."""

    def __init__(self, codes, n_classes, prior, learning_rate):
        self.own = (codes == np.arange(n_classes)[:, None]).astype(int)
        self.prior, self.learning_rate = prior, learning_rate
        self.score = np.zeros((len(codes), n_classes))

    def problems(self):
        p = softmax(self.score, axis=1).T
        response, weight = working_response(self.own, p, 1 - p)
        return response, self.prior * weight

    def advance(self, outputs):
        self.score += self.learning_rate * _centred(outputs)


def _centred(outputs):
    """(K - 1) / K times the outputs less their mean over the classes, which leaves the probabilities as they are."""
    n_classes = outputs.shape[1]
    return (n_classes - 1) / n_classes * (outputs - outputs.mean(axis=1, keepdims=True))


def working_response(codes: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Response and weight of the samples in a Newton step."""
    own = np.where(codes == 1, p, q)
    magnitude = 1 / np.maximum(own, 1 / MAX_RESPONSE)  # = min(1 / own, 4), without dividing by zero
    return np.where(codes == 1, magnitude, -magnitude), np.maximum(p * q, MIN_WEIGHT)
