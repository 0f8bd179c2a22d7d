"""Base of boosters that add one small tree per round to their score."""

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval

from ironbark import annotations as t
from ironbark.boosting.binary import ALL_ROUNDS, BinaryBooster, ProbabilityMixin, of_votes, prior_weights
from ironbark.tree.regression import RegressionGrower
from ironbark.tree.traversal import total_score

FLOOR = 1e-6  # share of the prior weights that is mixed into the weights of a round
MIN_EDGE = 1e-10  # weighted mean of y h up to which a tree that votes is of no use


class Step(NamedTuple):
    """Step of a round, F <- decay F + size h, unless size is None; and why it is the last one, if it is."""

    size: float | None
    decay: float = 1.0
    reason: str = ""


class StagewiseBooster(BinaryBooster):
    """A sum of small trees.

    A booster is a data class of its parameters. It returns from ``_start(signs, prior)``, signs being -1.0 and +1.0 and
    prior the sample weights, an object with ``problem()``, target and weights of the next tree, and
    ``advance(output)``, the `Step` that follows from the output of that tree for the training samples. One with other
    rounds overrides ``_boost(X, codes, sample_weight)``, ``_score(X)`` and ``_stages(X)``.
    """

    trees = "classification"
    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
        "min_samples_split": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
        "record_weights": ["boolean"],
    }

    def _boost(self, X, codes, sample_weight):
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
        self.steps_ = np.array([step.size for step in steps], float)
        self.decays_ = np.array([step.decay for step in steps], float)
        later = np.append(np.cumprod(self.decays_[:0:-1])[::-1], 1.0)[: len(steps)]
        self.estimator_weights_ = self.steps_ * later  # the factor that each tree has in the end
        self._finish(state)
        if self.record_weights:
            self.sample_weights_ = np.array(weights).reshape(-1, len(X))

    def _finish(self, state):
        """Keep more of what is known after the rounds."""

    def _stages(self, X):
        score = np.zeros(len(X))
        for tree, size, decay in zip(self.estimators_, self.steps_, self.decays_, strict=True):
            score = decay * score + size * tree.predict(X)
            yield score

    def _score(self, X):
        return total_score(self.estimators_, self.steps_, self.decays_, X)

    def _decreases(self):
        if self.trees == "regression":
            trees = np.ravel(np.array(self.estimators_, dtype=object))
            return sum((tree.decreases() for tree in trees), np.zeros(self._n_columns))
        return of_votes(self.estimators_, self.estimator_weights_, self._n_columns)


@dataclass(eq=False, repr=False)
class ShrunkenBooster(ProbabilityMixin, StagewiseBooster):
    """One whose steps are multiplied by a learning rate."""

    n_estimators: int = 100
    max_leaf_nodes: int = 11
    min_samples_split: int = 10
    learning_rate: float = 1.0
    random_state: t.RandomState = None
    record_weights: bool = False

    _parameter_constraints = {
        **StagewiseBooster._parameter_constraints,
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
    }


def floored(weight, prior):
    """Weights of a round times the prior ones; a millionth is spread evenly, so that no sample drops out of a tree."""
    if weight.max() <= 0:
        return prior
    weight = weight / weight.max()  # equal ones become exactly 1, and times the prior ones exact
    return prior * ((1 - FLOOR) * (weight / (np.dot(prior, weight) / prior.sum())) + FLOOR)


class Grower:
    """Grows the trees of a booster on finite X; each draws the order in which features are looked at."""

    # A classification tree is a regression tree on -1 and +1 with rounded leaves: the variance is twice the Gini index.

    def __init__(self, kind, X, max_leaf_nodes, min_samples_split, random_state):
        self.votes = kind == "classification"
        self.trees = RegressionGrower(X, max_leaf_nodes or len(X), min_samples_split)
        self.n_features = X.shape[1]
        self.rng = check_random_state(random_state)

    def grow(self, target, weight):
        """A tree and what it predicts for the samples; a vote is -1 in a tie."""
        if self.votes:
            weight = weight / weight.max()  # sums of equal ones are exact then, and ties are ties
        arrays = np.ascontiguousarray(target), np.ascontiguousarray(weight)
        tree, values = self.trees.grow(*arrays, self.rng.permutation(self.n_features))
        if not self.votes:
            return tree, values
        return replace(tree, means=_vote(tree.means)), _vote(values)


def _vote(means):
    return np.where(means > 0, 1.0, -1.0)
