"""LogitBoost of two classes against a slow twin with its own regression tree, and its invariants."""

import naive_boosters
import numpy as np
import pytest
from boosting.samples import X_HAND, Y_HAND, problem
from scipy.special import expit
from sklearn.metrics import log_loss

from ironbark.boosting import LogitBoostClassifier
from ironbark.boosting.stagewise.logitboost import MIN_WEIGHT, working_response


@pytest.mark.parametrize(
    ("seed", "max_leaf_nodes", "min_samples_split", "learning_rate"),
    [(0, 4, 10, 1.0), (5, 11, 10, 1.0), (2, 6, 2, 1.0), (3, 4, 25, 0.3)],  # without ties between splits
)
def test_scores_against_the_naive_twin(seed, max_leaf_nodes, min_samples_split, learning_rate):
    X, y, _ = problem(seed)
    params = {
        "max_leaf_nodes": max_leaf_nodes,
        "min_samples_split": min_samples_split,
        "learning_rate": learning_rate,
    }
    booster = LogitBoostClassifier(n_estimators=4, random_state=0, **params).fit(X, y)
    expected = naive_boosters.logitboost(X, y, np.ones(60), 4, **params)
    assert np.allclose(list(booster.staged_decision_function(X)), expected, rtol=1e-8, atol=1e-10)


def test_first_round_by_hand():
    # F = 0, so p = 1/2, z = 2 y, f is twice the mean of y = +-1 in the leaf, and F = f / 2
    score = LogitBoostClassifier(n_estimators=1).fit(X_HAND, Y_HAND).decision_function([[0.0], [1.0]])
    assert score == pytest.approx([-0.6, 0.8], abs=1e-15)


def test_working_response_bounds_and_extremes():
    score = np.array([0.0, 0.1, 0.5, 2, 400, -0.5, -2, -400])
    for code, sign in ((1, 1), (0, -1)):
        z, w = working_response(np.full(len(score), code), expit(2 * score), expit(-2 * score))
        assert (sign * z >= 1).all() and (sign * z <= 4).all() and (w >= MIN_WEIGHT).all() and (w <= 0.25).all()
    p = expit(np.array([0.0, -800, -800]))
    z, w = working_response(np.array([1, 1, 0]), p, 1 - p)
    assert z.tolist() == [2, 4, -1] and w.tolist() == [0.25, 2.0**-51, 2.0**-51]


@pytest.mark.parametrize("seed", range(3))
def test_log_loss_falls_but_for_small_rises(seed):
    X, y, _ = problem(seed, n=300, d=5)
    booster = LogitBoostClassifier(n_estimators=100, random_state=0).fit(X, y)
    losses = [log_loss(y, 1 / (1 + np.exp(-2 * F))) for F in booster.staged_decision_function(X)]
    assert np.diff(losses).max() < 1e-2 and losses[-1] < losses[0] / 2


def test_probability_score_and_prediction_agree():
    X, y, _ = problem(n=200)
    booster = LogitBoostClassifier(n_estimators=10, random_state=0).fit(X, np.where(y > 0, "yes", "no"))
    score, proba = booster.decision_function(X), booster.predict_proba(X)
    assert np.allclose(proba[:, 1], 1 / (1 + np.exp(-2 * score)), rtol=1e-14)
    assert np.allclose(proba.sum(axis=1), 1, atol=1e-15)
    assert np.array_equal(booster.predict(X), np.where(score >= 0, "yes", "no"))
    assert np.array_equal(list(booster.staged_decision_function(X))[-1], score)
