"""What boosters that add a tree per round promise, and the loop that they share."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark.boosting import (
    AdaBoostClassifier,
    BrownBoostClassifier,
    GentleBoostClassifier,
    LogitBoostClassifier,
    QuadraticXGBClassifier,
    RobustBoostClassifier,
)
from ironbark.boosting.stagewise.base import FLOOR, floored

pytest.importorskip("xgboost", reason="the package xgboost is not installed")

TREES = [
    AdaBoostClassifier(10, random_state=0),
    BrownBoostClassifier(c=2.0, n_estimators=30, random_state=0),
    GentleBoostClassifier(10, random_state=0),
    LogitBoostClassifier(10, random_state=0),
    RobustBoostClassifier(n_estimators=10, random_state=0),
]
ALL = [*TREES, QuadraticXGBClassifier(10, max_depth=6, learning_rate=0.3)]
COUNTS = {
    "check_sample_weight_equivalence_on_dense_data": "min_samples_split counts samples, not weights, as in scikit-learn"
}
ROUNDED = dict.fromkeys(COUNTS, "XGBoost rounds weighted gradients to float32: probabilities differ by 3e-8")
TIES = {check: "15 samples of 30 features have ties between splits, which rounding decides" for check in COUNTS}


def named(booster):
    return type(booster).__name__


def known_failures(booster):
    if getattr(booster, "min_samples_split", 2) > 2:
        return COUNTS
    return {LogitBoostClassifier: TIES, QuadraticXGBClassifier: ROUNDED}.get(type(booster), {})


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    small = [clone(booster).set_params(n_estimators=4) for booster in ALL]
    fine = [clone(booster).set_params(min_samples_split=2) for booster in small[:-1]]
    scikit_learn_checks = parametrize_with_checks([*small, *fine], expected_failed_checks=known_failures)


@scikit_learn_checks
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def problem(seed=0, n=200, d=3, noise=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, np.where(X[:, 0] * X[:, 1] + noise * rng.normal(size=n) > 0, "yes", "no")


@pytest.mark.parametrize("booster", ALL, ids=named)
def test_learns_and_agrees_with_itself(booster):
    X, y = problem(n=400)
    model = clone(booster).fit(X, y)
    score = model.decision_function(X)
    assert model.score(X, y) > 0.8
    assert np.array_equal(model.predict(X), np.where(score >= 0, "yes", "no"))
    stages = list(model.staged_decision_function(X))
    assert np.array_equal(stages[-1], score)
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(X)
        assert np.allclose(proba.sum(axis=1), 1, atol=1e-6) and proba.min() >= 0
        assert np.array_equal(proba[:, 1] > 0.5, score > 0)
    if hasattr(model, "estimators_"):
        assert len(stages) == len(model.estimators_)
    assert model.stop_reason_


@pytest.mark.parametrize("booster", ALL, ids=named)
def test_same_seed_same_bits(booster):
    X, y = problem()
    X = np.round(X)  # many ties
    model = clone(booster).fit(X, y)
    score = model.decision_function(X)
    assert np.array_equal(clone(booster).fit(X, y).decision_function(X), score)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).decision_function(X), score)
    assert np.array_equal(clone(booster).fit(X.astype(float).copy("F"), y).decision_function(X), score)


@pytest.mark.parametrize("booster", TREES, ids=named)
def test_estimator_weights_sum_to_the_score(booster):
    X, y = problem()
    model = clone(booster).fit(X, y)
    outputs = np.array([tree.predict(X) for tree in model.estimators_])  # the public way
    assert np.allclose(model.estimator_weights_ @ outputs, model.decision_function(X), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("booster", ALL, ids=named)
@pytest.mark.parametrize("seed", [0, 2])  # without ties between splits, which rounding would decide
def test_weights_are_copies(booster, seed):
    X, y = problem(seed, n=60)
    counts = np.random.default_rng(seed).integers(0, 4, 60)
    rows = np.repeat(np.arange(60), counts)
    model = clone(booster).set_params(n_estimators=4)
    if "min_samples_split" in model.get_params():
        model.set_params(min_samples_split=2, max_leaf_nodes=4)
    weighted = clone(model).fit(X, y, sample_weight=counts).decision_function(X)
    copied = clone(model).fit(X[rows], y[rows]).decision_function(X)
    assert np.allclose(weighted, copied, rtol=1e-5, atol=1e-6)
    if not isinstance(booster, QuadraticXGBClassifier):  # whose penalty does not grow with the weights
        tripled = clone(model).fit(X, y, sample_weight=3.0 * counts).decision_function(X)
        assert np.allclose(weighted, tripled, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("booster", [TREES[2], TREES[3]], ids=named)
def test_mirrored_labels_mirror_the_score(booster):
    X, y = problem(n=100)
    one, two = (clone(booster).fit(X, (y == label).astype(int)).decision_function(X) for label in ("yes", "no"))
    assert np.allclose(one, -two, rtol=1e-9)


@pytest.mark.parametrize("booster", TREES, ids=named)
def test_recorded_weights(booster):
    X, y = problem()
    prior = np.random.default_rng(0).integers(1, 4, len(y))
    model = clone(booster).set_params(record_weights=True).fit(X, y, sample_weight=prior)
    weights = model.sample_weights_
    assert weights.shape == (len(model.estimators_), len(y))
    assert np.allclose(weights.sum(axis=1), 1) and (weights > 0).all()
    assert np.allclose(weights[0], prior / prior.sum(), rtol=1e-12)
    assert not hasattr(clone(booster).fit(X, y), "sample_weights_")


@pytest.mark.parametrize("booster", TREES, ids=named)
def test_size_of_trees(booster):
    X, y = problem(n=300)
    for fitted in clone(booster).fit(X, y).estimators_:
        tree = fitted.tree_
        assert tree.n_leaves <= 11 and (tree.n_node_samples[tree.children_left >= 0] >= 10).all()


@pytest.mark.parametrize("booster", TREES, ids=named)
def test_no_edge_at_all(booster):
    """Equal features and balanced classes: nothing to learn, and no endless loop."""
    X, y = np.zeros((40, 1)), np.repeat(["no", "yes"], 20)
    model = clone(booster).fit(X, y)
    assert np.allclose(model.decision_function(X), 0, atol=1e-12) and len(set(model.predict(X))) == 1
    if named(booster) in ("AdaBoostClassifier", "BrownBoostClassifier", "RobustBoostClassifier"):
        assert model.stop_reason_ == "no edge" and model.estimators_ == []


@pytest.mark.parametrize("booster", TREES, ids=named)
def test_separable_data_stay_finite(booster):
    X, _ = problem(n=200)
    model = clone(booster).set_params(n_estimators=150).fit(X, X[:, 0] > 0)
    score = model.decision_function(X)
    assert np.isfinite(score).all()
    if named(booster) == "RobustBoostClassifier":
        assert np.mean((score > 0) != (X[:, 0] > 0)) <= 0.1
    else:
        assert ((score > 0) == (X[:, 0] > 0)).all()


def test_floor():
    weight = floored(np.array([0.0, 2.0, 6.0]), np.array([1.0, 0.0, 1.0]))
    assert weight.tolist() == pytest.approx([FLOOR, 0, 2 * (1 - FLOOR) + FLOOR], rel=1e-12)
    assert floored(np.zeros(2), np.array([1.0, 3.0])).tolist() == [1, 3]
