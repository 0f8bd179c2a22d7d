"""What boosters that add a tree per round promise, and the loop that they share."""

import numpy as np
import pytest
from boosting.samples import problem as signs
from scipy.special import expit
from sklearn.base import clone

import ironbark

pytest.importorskip("xgboost", reason="the package xgboost is not installed")

HALF_LOG_ODDS = (ironbark.AdaBoostClassifier, ironbark.GentleBoostClassifier, ironbark.LogitBoostClassifier)
TREES = [
    ironbark.AdaBoostClassifier(10, random_state=0),
    ironbark.BrownBoostClassifier(c=2.0, n_estimators=30, random_state=0),
    ironbark.GentleBoostClassifier(10, random_state=0),
    ironbark.LogitBoostClassifier(10, random_state=0),
    ironbark.RobustBoostClassifier(n_estimators=10, random_state=0),
]
ALL = [*TREES, ironbark.QuadraticXGBClassifier(10, max_depth=6, learning_rate=0.3)]
every = pytest.mark.parametrize("booster", ALL, ids=lambda booster: type(booster).__name__)
of_trees = pytest.mark.parametrize("booster", TREES, ids=lambda booster: type(booster).__name__)


def problem(seed=0, n=200):
    X, y, _ = signs(seed, n, d=3)
    return X, np.where(y > 0, "yes", "no")


@every
def test_learns_and_agrees_with_itself(booster):
    X, y = problem(n=400)
    model = clone(booster).fit(X, y)
    score = model.decision_function(X)
    assert model.score(X, y) > 0.8 and model.stop_reason_
    assert np.array_equal(model.predict(X), np.where(score >= 0, "yes", "no"))
    stages = list(model.staged_decision_function(X))
    assert np.array_equal(stages[-1], score)
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(X)
        assert np.allclose(proba.sum(axis=1), 1, atol=1e-6) and proba.min() >= 0
        assert np.array_equal(proba[:, 1] > 0.5, score > 0)
        if isinstance(booster, HALF_LOG_ODDS):
            assert np.allclose(proba[:, 1], expit(2 * score), rtol=1e-14)
    if hasattr(model, "estimators_"):
        assert len(stages) == len(model.estimators_)
        outputs = np.array([tree.predict(X) for tree in model.estimators_])  # the public way
        assert np.allclose(model.estimator_weights_ @ outputs, score, rtol=1e-10, atol=1e-12)


@every
def test_only_the_ratios_of_weights_count(booster):
    X, y = problem(n=60)
    prior = np.random.default_rng(0).integers(0, 4, 60)
    one, tripled = (clone(booster).fit(X, y, sample_weight=w * prior).decision_function(X) for w in (1, 3))
    scale_counts = isinstance(booster, ironbark.QuadraticXGBClassifier)  # its penalty does not grow with the weights
    assert np.allclose(one, tripled, rtol=1e-7, atol=1e-9) != scale_counts


@of_trees
def test_recorded_weights_and_sizes_of_trees(booster):
    X, y = problem(n=300)
    prior = np.random.default_rng(0).integers(1, 4, len(y))
    model = clone(booster).set_params(record_weights=True).fit(X, y, sample_weight=prior)
    weights = model.sample_weights_
    assert weights.shape == (len(model.estimators_), len(y))
    assert np.allclose(weights.sum(axis=1), 1) and (weights > 0).all()
    assert np.allclose(weights[0], prior / prior.sum(), rtol=1e-12)
    plain = clone(booster).fit(X, y)
    assert not hasattr(plain, "sample_weights_")
    for tree in (fitted.tree_ for fitted in plain.estimators_):
        assert tree.n_leaves <= 11 and (tree.n_node_samples[tree.children_left >= 0] >= 10).all()


@of_trees
def test_nothing_to_learn_and_nothing_left_to_learn(booster):
    """Equal features and balanced classes: no endless loop. Separable classes: finite scores."""
    X, y = np.zeros((40, 1)), np.repeat(["no", "yes"], 20)
    model = clone(booster).fit(X, y)
    assert np.allclose(model.decision_function(X), 0, atol=1e-12) and len(set(model.predict(X))) == 1
    if not isinstance(booster, (ironbark.GentleBoostClassifier, ironbark.LogitBoostClassifier)):
        assert model.stop_reason_ == "no edge" and model.estimators_ == []
    X, _ = problem()
    score = clone(booster).set_params(n_estimators=150).fit(X, X[:, 0] > 0).decision_function(X)
    allowed = 0.1 if isinstance(booster, ironbark.RobustBoostClassifier) else 0
    assert np.isfinite(score).all() and np.mean((score > 0) != (X[:, 0] > 0)) <= allowed
