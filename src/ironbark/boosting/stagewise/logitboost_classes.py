"""LogitBoost for K classes (Friedman, Hastie and Tibshirani 2000, Algorithm 6): K trees a round."""

import numpy as np
from scipy.special import softmax

from ironbark.boosting.stagewise.base import output
from ironbark.tree.traversal import total_score


class Rounds:
    """Scores F_k of the samples between rounds.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,), int
        0..K-1.
    n_classes : int
        K >= 2.
    prior : ndarray of shape (n_samples,), float64
        Sample weights.
    learning_rate : float
    """

    def __init__(self, codes, n_classes, prior, learning_rate):
        self.own = (codes == np.arange(n_classes)[:, None]).astype(int)
        self.prior, self.learning_rate = prior, learning_rate
        self.score = np.zeros((len(codes), n_classes))

    def problems(self):
        """Target and weights of the next tree of each class; shapes (n_classes, n_samples)."""
        p = softmax(self.score, axis=1).T
        response, weight = working_response(self.own, p, 1 - p)
        return response, self.prior * weight

    def advance(self, outputs):
        """Take the outputs of the trees, of shape (n_samples, n_classes)."""
        self.score += self.learning_rate * centred(outputs)


def centred(outputs):
    """(K - 1) / K times the outputs less their mean over the classes, which leaves the probabilities as they are."""
    n_classes = outputs.shape[1]
    return (n_classes - 1) / n_classes * (outputs - outputs.mean(axis=1, keepdims=True))


def boost(state, grower, n_rounds, record=False):
    """Run the rounds."""
    rounds, recorded = [], []
    for _ in range(n_rounds):
        targets, weights = state.problems()
        grown = [grower.grow(target, weight) for target, weight in zip(targets, weights, strict=True)]
        state.advance(np.column_stack([values for _, values in grown]))
        rounds.append([tree for tree, _ in grown])
        if record:
            recorded.append(weights)
    return rounds, np.array(recorded)


def stages(rounds, X, learning_rate):
    """Yield the scores after each round, of shape (n_samples, n_classes)."""
    total = np.zeros((len(X), len(rounds[0])))
    for trees in rounds:
        total += np.column_stack([output(tree, X) for tree in trees])
        yield learning_rate * centred(total)


def last_stage(rounds, X, learning_rate):
    """The last of `stages`, bit for bit."""
    ones = np.ones(len(rounds))
    totals = [total_score(list(trees), ones, ones, X) for trees in zip(*rounds, strict=True)]
    return learning_rate * centred(np.column_stack(totals))


MAX_RESPONSE = 4.0
MIN_WEIGHT = 2 * np.finfo(np.float64).eps


def working_response(codes: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Response and weight of the samples in a Newton step."""
    own = np.where(codes == 1, p, q)
    magnitude = 1 / np.maximum(own, 1 / MAX_RESPONSE)  # = min(1 / own, 4), without dividing by zero
    return np.where(codes == 1, magnitude, -magnitude), np.maximum(p * q, MIN_WEIGHT)
