"""Importances of features against scikit-learn's ensembles, and against sums over the samples of each node."""

import warnings

import numpy as np
import pytest
from boosting.samples import STAGEWISE
from sklearn import ensemble
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

import ironbark

OURS = [*STAGEWISE, ironbark.LPBoostClassifier, ironbark.QuadraticXGBClassifier, ironbark.RMBoostClassifier]
SMALL = {"max_leaf_nodes": 5, "min_samples_split": 10, "random_state": 0}


def problem(n_classes=2, n=200, d=4):
    """Features of which the last one says nothing, labels and weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32)
    scores = X[:, :-1] @ rng.normal(size=(d - 1, n_classes)) + 0.5 * rng.normal(size=(n, n_classes))
    return X, scores.argmax(axis=1), rng.uniform(0.5, 2, n)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_first_round_of_logitboost_has_those_of_gradient_boosting(n_classes):
    """Its samples weigh alike there, and the targets are those of the log loss up to a factor."""
    X, y, prior = problem(n_classes)
    theirs = ensemble.GradientBoostingClassifier(n_estimators=1, init="zero", max_depth=None, **SMALL)
    expected = theirs.fit(X, y, sample_weight=prior).feature_importances_
    found = ironbark.LogitBoostClassifier(n_estimators=1, **SMALL).fit(X, y, sample_weight=prior).feature_importances_
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_quadratic_xgboost_s_first_round_has_those_of_gradient_boosting():
    X, y, _ = problem()
    theirs = ensemble.GradientBoostingRegressor(n_estimators=1, init="zero", max_depth=2).fit(X, 2.0 * y - 1)
    ours = ironbark.QuadraticXGBClassifier(n_estimators=1, max_depth=2, reg_lambda=0, min_child_weight=0).fit(X, y)
    close = {"rtol": 0.02, "atol": 1e-3}  # XGBoost's histograms may cut next to the best value
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, **close)


def decreases(tree, X, target, weight):
    """Decrease of the weighted squared error by each feature, sample by sample, with nothing but the splits."""
    total = np.zeros(X.shape[1])

    def error(rows):
        mean = np.average(target[rows], weights=weight[rows])
        return (weight[rows] * (target[rows] - mean) ** 2).sum()

    def visit(node, rows):
        if tree.children_left[node] >= 0:
            left = X[rows, tree.feature[node]] <= tree.threshold[node]
            total[tree.feature[node]] += error(rows) - error(rows[left]) - error(rows[~left])
            visit(tree.children_left[node], rows[left])
            visit(tree.children_right[node], rows[~left])

    visit(0, np.arange(len(X)))
    return total


@pytest.mark.parametrize("kind", STAGEWISE)
def test_trees_against_sums_over_the_samples(kind):
    """A vote counts by its factor; a regression tree by what it gains with the weights that are left."""
    X, y, prior = problem()
    goal = {"error_goal": 0.02} if kind is ironbark.RobustBoostClassifier else {}  # a larger one takes one tree
    model = kind(n_estimators=6, record_weights=True, **SMALL, **goal).fit(X, y, sample_weight=prior)
    assert len(model.estimators_) > 1
    expected = np.zeros(X.shape[1])
    scores = [np.zeros(len(X)), *model.staged_decision_function(X)][:-1]
    rounds = model.estimators_, model.sample_weights_, model.estimator_weights_, scores
    for tree, weight, factor, F in zip(*rounds, strict=True):
        if kind is ironbark.LogitBoostClassifier:
            p = 1 / (1 + np.exp(-2 * F))
            response = np.where(y == 1, np.minimum(1 / p, 4), -np.minimum(1 / (1 - p), 4))
            expected += decreases(tree.tree_, X, response, prior * p * (1 - p))
        else:
            own = decreases(tree.tree_, X, 2.0 * y - 1, weight)
            expected += own if kind is ironbark.GentleBoostClassifier else abs(factor) * own / own.sum()
    np.testing.assert_allclose(model.feature_importances_, expected / expected.sum(), rtol=1e-6)


@pytest.mark.parametrize("kind", [ironbark.RMBoostClassifier, ironbark.LPBoostClassifier])
@pytest.mark.parametrize("estimator", [None, ironbark.RobustDecisionTreeClassifier(max_leaf_nodes=4, ccp_alpha=0.0)])
def test_rules_count_by_their_coefficients(kind, estimator):
    X, y, _ = problem()
    model = kind(estimator, n_estimators=8, random_state=0).fit(X, y)
    model.mu_ = model.mu_ * np.resize([1, -1], len(model.mu_))  # a rule may count against its class
    expected = np.zeros(X.shape[1])
    for rule, mu in zip(model.estimators_, model.mu_, strict=True):
        own = rule.feature_importances_ if hasattr(rule, "feature_importances_") else rule.decreases()
        expected += abs(mu) * own / own.sum()
    np.testing.assert_allclose(model.feature_importances_, expected / expected.sum(), rtol=1e-9)


@pytest.mark.parametrize("kind", OURS)
def test_they_sum_to_one_and_what_does_not_split_has_none(kind):
    X, y, _ = problem(n=400)
    model = kind(n_estimators=10, random_state=0).fit(X, y)
    found = model.feature_importances_
    assert found.shape == (4,) and (found >= 0).all() and found.sum() == pytest.approx(1)
    assert found.argmin() == 3
    with warnings.catch_warnings(action="ignore"):
        model.fit(np.ones((40, 2)), np.arange(40) < 10)
    assert model.feature_importances_.tolist() == [0.0, 0.0]


def test_rules_without_importances_and_unfitted_boosters():
    X, y, _ = problem()
    model = ironbark.RMBoostClassifier(LogisticRegression(), n_estimators=3, random_state=0).fit(X, y)
    with pytest.raises(AttributeError, match="LogisticRegression has no feature_importances_"):
        _ = model.feature_importances_
    assert not hasattr(model, "feature_importances_")
    with pytest.raises(NotFittedError):
        _ = ironbark.AdaBoostClassifier().feature_importances_
