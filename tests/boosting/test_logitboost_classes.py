"""LogitBoost of K classes: a round by hand, a slow twin, and K = 2 against the algorithm for two."""

import naive_boosters
import numpy as np
import pytest

from ironbark.boosting import LogitBoostClassifier
from ironbark.boosting.stagewise.base import Grower
from ironbark.boosting.stagewise.logitboost import Rounds, boost, stages


def problem(seed=0, n=80, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, np.digitize(X[:, 0] + 0.4 * rng.normal(size=n), [-0.5, 0.5]), rng.uniform(0.5, 2, n)


def test_first_round_by_hand():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.array(list("aaaaaabbbc" + "bbcccccccc"))
    # p = 1/3, z = 3 or -3/2, so a leaf with share q has f = 4.5 q - 1.5, which sum to 0; F = 2/3 f = 3 q - 1
    model = LogitBoostClassifier(n_estimators=1, record_weights=True).fit(X, y)
    expected = 3 * np.array([[0.6, 0.3, 0.1], [0, 0.2, 0.8]]) - 1
    assert model.decision_function([[0.0], [1.0]]) == pytest.approx(expected, abs=1e-12)
    assert model.predict([[0.0], [1.0]]).tolist() == ["a", "c"]
    assert model.sample_weights_.shape == (1, 3, 20) and np.allclose(model.sample_weights_, 1 / 20)
    odds = np.exp(expected)
    assert model.predict_proba([[0.0], [1.0]]) == pytest.approx(odds / odds.sum(axis=1, keepdims=True), rel=1e-12)


@pytest.mark.parametrize(("seed", "max_leaf_nodes", "learning_rate"), [(0, 4, 1.0), (1, 11, 0.3)])
def test_scores_against_the_naive_twin(seed, max_leaf_nodes, learning_rate):
    X, y, prior = problem(seed)
    params = {"max_leaf_nodes": max_leaf_nodes, "min_samples_split": 10, "learning_rate": learning_rate}
    model = LogitBoostClassifier(n_estimators=3, random_state=0, **params).fit(X, y, sample_weight=prior)
    expected = naive_boosters.logitboost_classes(X, y, 3, prior, 3, **params)
    assert np.allclose(list(model.staged_decision_function(X)), expected, rtol=1e-7, atol=1e-9)


def test_two_classes_are_the_binary_algorithm():
    X, y, prior = problem()
    y = (y > 0).astype(int)
    binary = LogitBoostClassifier(n_estimators=5, random_state=0).fit(X, y, sample_weight=prior)
    rounds, _ = boost(Rounds(y, 2, prior, 1.0), Grower("regression", X, 11, 10, 0), 5)
    pairs = zip(binary.staged_decision_function(X), stages(rounds, X, 1.0), strict=True)
    for one, two in pairs:
        assert np.allclose(one, two[:, 1], rtol=1e-7, atol=1e-9) and np.allclose(two.sum(axis=1), 0, atol=1e-12)


def test_scores_sum_to_zero_and_prediction_is_the_largest():
    X, y, _ = problem(n=200)
    model = LogitBoostClassifier(n_estimators=20, random_state=0).fit(X, y)
    score = model.decision_function(X)
    assert np.allclose(score.sum(axis=1), 0, atol=1e-9) and np.isfinite(score).all()
    assert np.array_equal(model.predict(X), score.argmax(axis=1))
    assert np.array_equal(list(model.staged_decision_function(X))[-1], score)
    assert [len(trees) for trees in model.estimators_] == [3] * 20
    assert model.stop_reason_ == "all rounds run"
