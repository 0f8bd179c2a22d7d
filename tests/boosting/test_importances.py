"""Importances of features against scikit-learn's ensembles, and against sums over the samples of each node."""

import warnings

import numpy as np
import pytest
from scipy.special import expit
from sklearn import ensemble
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from ironbark import RobustDecisionTreeClassifier
from ironbark.boosting import (
    AdaBoostClassifier,
    BrownBoostClassifier,
    GentleBoostClassifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    QuadraticXGBClassifier,
    RMBoostClassifier,
    RobustBoostClassifier,
)

OURS = [
    AdaBoostClassifier, BrownBoostClassifier, GentleBoostClassifier, LogitBoostClassifier, LPBoostClassifier,
    QuadraticXGBClassifier, RMBoostClassifier, RobustBoostClassifier,
]  # fmt: skip
SMALL = {"max_leaf_nodes": 5, "min_samples_split": 10, "random_state": 0}


def problem(n_classes=2, n=200, d=4):
    """Features of which the last one says nothing, labels and weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32)
    scores = X[:, :-1] @ rng.normal(size=(d - 1, n_classes)) + 0.5 * rng.normal(size=(n, n_classes))
    return X, scores.argmax(axis=1), rng.uniform(0.5, 2, n)


def test_adaboost_has_those_of_scikit_learn():
    X, y, prior = problem()
    tree = DecisionTreeClassifier(max_leaf_nodes=11, min_samples_split=10)
    theirs = ensemble.AdaBoostClassifier(tree, n_estimators=20, random_state=0).fit(X, y, sample_weight=prior)
    ours = AdaBoostClassifier(n_estimators=20, random_state=0).fit(X, y, sample_weight=prior)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-9)


@pytest.mark.parametrize(
    ("kind", "n_classes"), [(GentleBoostClassifier, 2), (LogitBoostClassifier, 2), (LogitBoostClassifier, 3)]
)
def test_the_first_round_has_those_of_gradient_boosting(kind, n_classes):
    """Its samples weigh alike there, and the targets are those of the log loss up to a factor."""
    X, y, prior = problem(n_classes)
    theirs = ensemble.GradientBoostingClassifier(n_estimators=1, init="zero", max_depth=None, **SMALL)
    expected = theirs.fit(X, y, sample_weight=prior).feature_importances_
    found = kind(n_estimators=1, **SMALL).fit(X, y, sample_weight=prior).feature_importances_
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_quadratic_xgboost_s_first_round_has_those_of_gradient_boosting():
    X, y, _ = problem()
    theirs = ensemble.GradientBoostingRegressor(n_estimators=1, init="zero", max_depth=2)
    ours = QuadraticXGBClassifier(n_estimators=1, max_depth=2, reg_lambda=0, min_child_weight=0).fit(X, y)
    np.testing.assert_allclose(
        ours.feature_importances_, theirs.fit(X, 2.0 * y - 1).feature_importances_, rtol=0.02, atol=1e-3
    )  # XGBoost's histograms may cut a little beside the best value


def decreases(tree, X, target, weight):
    """Decrease of the weighted squared error by each feature, sample by sample, with nothing but the splits."""
    total = [0.0] * X.shape[1]

    def error(rows):
        mass = sum(weight[i] for i in rows)
        mean = sum(weight[i] * target[i] for i in rows) / mass
        return sum(weight[i] * (target[i] - mean) ** 2 for i in rows)

    def visit(node, rows):
        if tree.children_left[node] < 0:
            return
        j, cut = tree.feature[node], tree.threshold[node]
        left, right = [i for i in rows if X[i, j] <= cut], [i for i in rows if X[i, j] > cut]
        total[j] += error(rows) - error(left) - error(right)
        visit(tree.children_left[node], left)
        visit(tree.children_right[node], right)

    visit(0, range(len(X)))
    return np.array(total)


@pytest.mark.parametrize(
    "kind", [BrownBoostClassifier, RobustBoostClassifier, AdaBoostClassifier, GentleBoostClassifier]
)
def test_votes_against_sums_over_the_samples(kind):
    X, y, prior = problem()
    goal = {"error_goal": 0.02} if kind is RobustBoostClassifier else {}  # a larger one takes one tree
    model = kind(n_estimators=6, record_weights=True, **SMALL, **goal).fit(X, y, sample_weight=prior)
    assert len(model.estimators_) > 1
    expected = np.zeros(X.shape[1])
    for tree, weight, factor in zip(model.estimators_, model.sample_weights_, model.estimator_weights_, strict=True):
        own = decreases(tree.tree_, X, 2.0 * y - 1, weight)
        expected += own if kind is GentleBoostClassifier else abs(factor) * own / own.sum()
    np.testing.assert_allclose(model.feature_importances_, expected / expected.sum(), rtol=1e-6)


def test_logitboost_counts_a_round_by_the_weights_that_are_left():
    X, y, prior = problem()
    model = LogitBoostClassifier(n_estimators=6, **SMALL).fit(X, y, sample_weight=prior)
    stages = [np.zeros(len(X)), *model.staged_decision_function(X)]
    expected = np.zeros(X.shape[1])
    for tree, score in zip(model.estimators_, stages[:-1], strict=True):
        p = expit(2 * score)
        response = np.where(y == 1, np.minimum(1 / p, 4), -np.minimum(1 / (1 - p), 4))
        expected += decreases(tree, X, response, prior * p * (1 - p))
    np.testing.assert_allclose(model.feature_importances_, expected / expected.sum(), rtol=1e-6)


@pytest.mark.parametrize("kind", [RMBoostClassifier, LPBoostClassifier])
@pytest.mark.parametrize("estimator", [None, RobustDecisionTreeClassifier(max_leaf_nodes=4, ccp_alpha=0.0)])
def test_rules_count_by_their_coefficients(kind, estimator):
    X, y, _ = problem()
    model = kind(estimator, n_estimators=8, random_state=0).fit(X, y)
    expected = np.zeros(X.shape[1])
    for rule, mu in zip(model.estimators_, model.mu_, strict=True):
        own = rule.feature_importances_ if hasattr(rule, "feature_importances_") else rule.decreases()
        expected += abs(mu) * own / own.sum()
    np.testing.assert_allclose(model.feature_importances_, expected / expected.sum(), rtol=1e-9)


@pytest.mark.parametrize("kind", OURS)
def test_they_sum_to_one_and_the_feature_without_meaning_has_the_least(kind):
    X, y, _ = problem(n=400)
    seed = {"random_state": 0} if "random_state" in kind().get_params() else {}
    found = kind(n_estimators=10, **seed).fit(X, y).feature_importances_
    assert found.shape == (4,) and (found >= 0).all() and found.sum() == pytest.approx(1)
    assert found.argmin() == 3


@pytest.mark.parametrize("kind", OURS)
def test_nothing_splits_on_features_that_do_not_vary(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(n_estimators=3).fit(np.ones((40, 2)), np.arange(40) < 10)
    assert model.feature_importances_.tolist() == [0.0, 0.0]


def test_rules_without_importances_and_unfitted_boosters():
    X, y, _ = problem()
    model = RMBoostClassifier(LogisticRegression(), n_estimators=3, random_state=0).fit(X, y)
    with pytest.raises(AttributeError, match="LogisticRegression has no feature_importances_"):
        _ = model.feature_importances_
    assert not hasattr(model, "feature_importances_")
    with pytest.raises(NotFittedError):
        _ = AdaBoostClassifier().feature_importances_
