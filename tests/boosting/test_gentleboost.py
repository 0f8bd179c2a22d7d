"""GentleBoost against a slow twin, a round worked out by hand, and its invariants."""

import math

import naive_boosters
import numpy as np
import pytest
from boosting.samples import X_HAND, Y_HAND, problem

from ironbark.boosting import GentleBoostClassifier


def test_two_rounds_by_hand():
    model = GentleBoostClassifier(n_estimators=2).fit(X_HAND, Y_HAND)
    first, second = model.staged_decision_function([[0.0], [1.0]])
    assert first == pytest.approx([-0.6, 0.8], abs=1e-12)  # the mean of y = +-1 in the leaf
    a, b = math.exp(0.6), math.exp(0.8)  # weights of the wrong ones left and right; the right ones have 1/a and 1/b
    left, right = (2 * a - 8 / a) / (2 * a + 8 / a), (9 / b - b) / (9 / b + b)
    assert second - first == pytest.approx([left, right], abs=1e-5)  # but for the floor of a millionth


@pytest.mark.parametrize(
    ("seed", "max_leaf_nodes", "min_samples_split", "learning_rate"),
    [(0, 4, 10, 1.0), (1, 11, 10, 1.0), (2, 6, 2, 0.3)],
)
def test_scores_against_the_naive_twin(seed, max_leaf_nodes, min_samples_split, learning_rate):
    X, y, prior = problem(seed)
    params = {"max_leaf_nodes": max_leaf_nodes, "min_samples_split": min_samples_split}
    params["learning_rate"] = learning_rate
    model = GentleBoostClassifier(n_estimators=4, random_state=0, **params).fit(X, y, sample_weight=prior)
    expected = naive_boosters.gentleboost(X, y, prior, 4, **params)
    assert np.allclose(list(model.staged_decision_function(X)), expected, rtol=1e-8, atol=1e-10)


def test_steps_are_at_most_one_and_weights_change_by_at_most_e():
    X, y, _ = problem(n=300)
    model = GentleBoostClassifier(n_estimators=50, random_state=0, record_weights=True).fit(X, y)
    stages = np.array(list(model.staged_decision_function(X)))
    steps = np.diff(stages, axis=0, prepend=0)
    assert np.abs(steps).max() <= 1 + 1e-12 and np.abs(stages[-1]).max() <= 50
    ratio = model.sample_weights_[1:] / model.sample_weights_[:-1]
    assert (ratio.max(axis=1) / ratio.min(axis=1) <= math.e**2 * (1 + 1e-9)).all()  # each in [1/e, e] before scaling


def test_recorded_weights_follow_the_margins():
    X, y, _ = problem(n=100)
    model = GentleBoostClassifier(n_estimators=5, random_state=0, record_weights=True).fit(X, y)
    stages = list(model.staged_decision_function(X))
    for score, weights in zip(stages, model.sample_weights_[1:], strict=False):
        expected = np.exp(-y * score)
        assert np.allclose(weights, expected / expected.sum(), rtol=1e-4)


def test_probability():
    model = GentleBoostClassifier(n_estimators=1).fit(X_HAND, Y_HAND)
    p = 1 / (1 + math.exp(1.2))
    assert model.predict_proba([[0.0]]) == pytest.approx(np.array([[1 - p, p]]), abs=1e-12)
