"""Boosters that add a tree per round: what they promise, and their scores against slow twins and XGBoost."""

import naive_boosters as naive
import numpy as np
import pytest
from boosting.samples import STAGEWISE, problem, three_classes
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import ironbark
from ironbark.boosting.stagewise.base import Grower

xgboost = pytest.importorskip("xgboost", reason="the package xgboost is not installed")

SMALL = {"max_leaf_nodes": 4, "min_samples_split": 10}
LARGE = {"max_leaf_nodes": 11, "min_samples_split": 10}
FREE = {"max_leaf_nodes": 3, "min_samples_split": 2}
STUMP = {"max_leaf_nodes": 2, "min_samples_split": 10}
GOAL = {"max_margin": 0.2, "margin_sigma": 0.2, "error_goal": 0.2}
EXACT = {"rtol": 1e-7, "atol": 1e-9}
QUADRATIC = [{"max_depth": 2, "learning_rate": 0.3}, {"max_depth": 6, "reg_lambda": 3.0, "learning_rate": 1.0}]
QUADRATIC += [{"max_depth": 3, "gamma": 2.0, "learning_rate": 0.3}]

ADA, BROWN, GENTLE, LOGIT, ROBUST = STAGEWISE
CLOSE = {BROWN: {"rtol": 1e-6, "atol": 1e-8}, ROBUST: {"rtol": 1e-5, "atol": 1e-7}}

#: Booster, its twin, data (without ties between splits) and parameters.
TWINS = [
    (GENTLE, naive.gentleboost, problem(0), SMALL),
    (GENTLE, naive.gentleboost, problem(2), FREE | {"learning_rate": 0.3}),
    (LOGIT, naive.logitboost_of_two, problem(0), SMALL),
    (LOGIT, naive.logitboost_of_two, problem(2), FREE),
    (LOGIT, naive.logitboost, three_classes(0), SMALL),
    (LOGIT, naive.logitboost, three_classes(1), LARGE | {"learning_rate": 0.3}),
    (BROWN, naive.brownboost, problem(0, n=40), SMALL | {"c": 10.0}),
    (BROWN, naive.brownboost, problem(1, n=40), LARGE | {"c": 4.0}),
    (BROWN, naive.brownboost, problem(4, n=40), STUMP | {"c": 1.353}),
    (ROBUST, naive.robustboost, problem(0, n=40, noise=1.5), STUMP),
    (ROBUST, naive.robustboost, problem(3, n=40, noise=1.5), SMALL | {"max_leaf_nodes": 3}),
    (ROBUST, naive.robustboost, problem(5, n=40, noise=1.5), STUMP | GOAL),
]


@pytest.mark.parametrize(("kind", "twin", "data", "params"), TWINS)
def test_scores_of_every_round(kind, twin, data, params):
    X, y, prior = data
    model = kind(n_estimators=3, random_state=0, **params).fit(X, y, sample_weight=prior)
    expected = twin(X, y, prior, 3, **params)
    times = {BROWN: "remaining_", ROBUST: "times_"}.get(kind)
    if times:
        expected, passed = expected
        assert np.allclose(getattr(model, times)[1:], passed, rtol=1e-6, atol=1e-8)
    assert np.allclose(list(model.staged_decision_function(X)), expected, **CLOSE.get(kind, EXACT))


@pytest.mark.parametrize(("rate", "rounds", "dropped"), [(0.3, 60, 0.2), (1.5, 10, 0.2), (1.0, 150, 0.0)])
def test_adaboost_has_the_trees_of_scikit_learn_s_and_half_their_factors(rate, rounds, dropped):
    X, y, prior = problem(n=300, d=3, noise=0.1)  # real weights, so that no splits tie
    prior[np.random.default_rng(1).random(300) < dropped] = 0
    options = {"n_estimators": rounds, "learning_rate": rate, "random_state": 0}
    ours = ADA(record_weights=True, **options, **LARGE).fit(X, y, sample_weight=prior)
    with np.errstate(divide="ignore"):
        theirs = AdaBoostClassifier(DecisionTreeClassifier(**LARGE), **options).fit(X, y, sample_weight=prior)
    for one, other in zip(ours.estimators_, theirs.estimators_, strict=True):
        assert np.array_equal(one.predict(X), other.predict(X))
    for name, factor in {"estimator_weights_": 2, "estimator_errors_": 1, "feature_importances_": 1}.items():
        assert np.allclose(factor * getattr(ours, name), getattr(theirs, name), rtol=1e-7), name
    assert not ours.sample_weights_[:, prior == 0].any()
    assert (ours.sample_weights_[:, prior > 0].min() < 2.3e-16) == (rounds > 60)  # where both cut weights off


def test_no_learning_rate_makes_adaboost_overflow():
    X, y, _ = problem()
    model = ADA(learning_rate=1e200, random_state=0).fit(X, y)
    assert len(model.estimators_) == 100 and np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize("params", QUADRATIC)
def test_quadratic_xgboost_with_its_derivatives_as_an_objective(params):
    X, y, prior = problem(n=200, d=3)  # fewer than bins, whose places depend on weights

    def derivatives(score, data):
        return prior * 2 * (score - data.get_label()), prior * 2.0

    ours = ironbark.QuadraticXGBClassifier(n_estimators=20, min_child_weight=5, **params).fit(X, y, sample_weight=prior)
    options = {"base_score": 0.0, "min_child_weight": 5.0, "nthread": 1} | params
    theirs = xgboost.train(options, xgboost.DMatrix(X, y), 20, obj=derivatives)
    expected = theirs.predict(xgboost.DMatrix(X), output_margin=True)
    assert np.allclose(ours.decision_function(X), expected, rtol=1e-4, atol=1e-4)


def test_the_default_of_quadratic_xgboost_loses_at_most_one_point_to_xgboost():
    """On clean labels; with XGBoost's own defaults it loses two."""
    tasks = [(load_breast_cancer, 0), (load_wine, 0), (load_wine, 1), (load_wine, 2)]
    differences = []
    for load, label in tasks:
        X, y = load(return_X_y=True)
        y = y == label
        for train, test in StratifiedShuffleSplit(8, test_size=0.3, random_state=0).split(X, y):
            theirs = xgboost.XGBClassifier(n_jobs=1).fit(X[train], y[train])
            ours = ironbark.QuadraticXGBClassifier().fit(X[train], y[train])
            differences.append(ours.score(X[test], y[test]) - theirs.score(X[test], y[test]))
    assert np.mean(differences) > -0.01


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 7.0])
def test_a_tie_in_a_leaf_is_the_first_class(weight):
    X = np.zeros((12, 1), np.float32)
    for order in range(10):
        y = np.random.default_rng(order).permutation([-1.0] * 6 + [1.0] * 6)
        _, votes = Grower("classification", X, *SMALL.values(), 0).grow(y, np.full(12, weight))
        assert (votes == -1).all()


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


def named(n):
    """Features and labels with names."""
    X, y, _ = problem(n=n, d=3)
    return X, np.where(y > 0, "yes", "no")


@every
def test_learns_and_agrees_with_itself(booster):
    X, y = named(400)
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
        if "c" in booster.get_params():
            assert np.array_equal(model.set_params(c=1.0).predict_proba(X), proba), "of the fit, not of the parameters"
    if hasattr(model, "estimators_"):
        assert len(stages) == len(model.estimators_)
        outputs = np.array([tree.predict(X) for tree in model.estimators_])  # the public way
        assert np.allclose(model.estimator_weights_ @ outputs, score, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("booster", [*TREES, ironbark.RMBoostClassifier(n_estimators=30, random_state=0)], ids=type)
def test_threads_of_blas_change_no_bit(booster):
    data, stages = problem(n=25_001), []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            stages.append(list(clone(booster).fit(*data).staged_decision_function(data[0])))
    assert np.array_equal(*stages)


@every
def test_only_the_ratios_of_weights_count(booster):
    X, y = named(60)
    prior = np.random.default_rng(0).integers(0, 4, 60)
    scale_counts = isinstance(booster, ironbark.QuadraticXGBClassifier)  # its penalty does not grow with the weights
    scales = (1, 3 if scale_counts else 3e-200)
    one, other = (clone(booster).fit(X, y, sample_weight=scale * prior).decision_function(X) for scale in scales)
    assert np.allclose(one, other, rtol=1e-7, atol=1e-9) != scale_counts


@of_trees
def test_recorded_weights_and_sizes_of_trees(booster):
    X, y = named(300)
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
    X, _ = named(200)
    score = clone(booster).set_params(n_estimators=150).fit(X, X[:, 0] > 0).decision_function(X)
    allowed = 0.1 if isinstance(booster, ironbark.RobustBoostClassifier) else 0
    assert np.isfinite(score).all() and np.mean((score > 0) != (X[:, 0] > 0)) <= allowed


def test_samples_without_weight_do_not_matter_after_many_rounds():
    """The margins of their labels, which are wrong, sink without end."""
    X = np.linspace(-1, 1, 60)[:, None]
    y, kept = (X[:, 0] > 0).astype(int), np.arange(60) % 3 > 0
    y[~kept] = 1 - y[~kept]
    whole, part = (ironbark.GentleBoostClassifier(n_estimators=900) for _ in range(2))
    whole.fit(X, y, kept.astype(float))
    part.fit(X[kept], y[kept])
    np.testing.assert_allclose(whole.decision_function(X), part.decision_function(X))
