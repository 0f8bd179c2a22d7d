"""LogitBoost against a slow twin with its own regression tree, and its invariants."""

import math
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark.boosting import LogitBoostClassifier
from ironbark.boosting.logitboost import MIN_WEIGHT, working_response
from ironbark.errors import InputError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    scikit_learn_checks = parametrize_with_checks([LogitBoostClassifier(n_estimators=5)])


@scikit_learn_checks
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def problem(seed=0, n=60, d=2, noise=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, np.where(X[:, 0] * X[:, 1] + noise * rng.normal(size=n) > 0, 1, -1)


def naive_leaf(rows, z, w):
    weight = sum(w[i] for i in rows)
    mean = sum(w[i] * z[i] for i in rows) / weight
    return mean, sum(w[i] * (z[i] - mean) ** 2 for i in rows)


def naive_best_split(rows, X, z, w, min_samples_split):
    """(decrease of the weighted squared error, left rows, right rows), or None."""
    best = None
    if len(rows) < min_samples_split:
        return best
    _, error = naive_leaf(rows, z, w)
    for j in range(X.shape[1]):
        for value in sorted({X[i, j] for i in rows})[:-1]:
            left = [i for i in rows if X[i, j] <= value]
            right = [i for i in rows if X[i, j] > value]
            gain = error - naive_leaf(left, z, w)[1] - naive_leaf(right, z, w)[1]
            if best is None or gain > best[0]:
                best = gain, left, right
    return best


def naive_tree(X, z, w, max_leaf_nodes, min_samples_split):
    """Fitted values of a tree that always splits the leaf with the largest decrease of the weighted squared error."""
    leaves = [list(range(len(z)))]
    while len(leaves) < max_leaf_nodes:
        splits = [naive_best_split(rows, X, z, w, min_samples_split) for rows in leaves]
        open_leaves = [k for k, split in enumerate(splits) if split is not None and split[0] > 1e-12]
        if not open_leaves:
            break
        k = max(open_leaves, key=lambda k: splits[k][0])
        leaves[k : k + 1] = splits[k][1:]
    fitted = [0.0] * len(z)
    for rows in leaves:
        for i in rows:
            fitted[i] = naive_leaf(rows, z, w)[0]
    return fitted


def naive_logitboost(X, y, rounds, *, max_leaf_nodes, min_samples_split, learning_rate):
    """F on the training samples after each round."""
    F, stages = [0.0] * len(y), []
    for _ in range(rounds):
        z, w = [], []
        for label, score in zip(y, F, strict=True):
            p = 1 / (1 + math.exp(-2 * score))
            z.append(min(1 / p, 4) if label == 1 else -min(1 / (1 - p), 4))
            w.append(max(p * (1 - p), 2 * 2.0**-52))
        f = naive_tree(X, z, w, max_leaf_nodes, min_samples_split)
        F = [score + learning_rate * step / 2 for score, step in zip(F, f, strict=True)]
        stages.append(F)
    return stages


@pytest.mark.parametrize(
    ("seed", "max_leaf_nodes", "min_samples_split", "learning_rate"),
    [(0, 4, 10, 1.0), (1, 11, 10, 1.0), (2, 6, 2, 1.0), (3, 4, 25, 0.3)],
)
def test_scores_against_the_naive_twin(seed, max_leaf_nodes, min_samples_split, learning_rate):
    X, y = problem(seed)
    params = {
        "max_leaf_nodes": max_leaf_nodes,
        "min_samples_split": min_samples_split,
        "learning_rate": learning_rate,
    }
    booster = LogitBoostClassifier(n_estimators=4, random_state=0, **params).fit(X, y)
    expected = naive_logitboost(X, y, 4, **params)
    assert np.allclose(list(booster.staged_decision_function(X)), expected, rtol=1e-8, atol=1e-10)


def test_first_round_by_hand():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.array([0] * 8 + [1] * 2 + [1] * 9 + [0])
    # F = 0, so p = 1/2, z = 2 y, f is twice the mean of y = +-1 in the leaf, and F = f / 2
    score = LogitBoostClassifier(n_estimators=1).fit(X, y).decision_function([[0.0], [1.0]])
    assert score == pytest.approx([-0.6, 0.8], abs=1e-15)


def test_defaults_are_those_of_the_published_experiments():
    assert LogitBoostClassifier().get_params() == {
        "n_estimators": 100,
        "max_leaf_nodes": 11,
        "min_samples_split": 10,
        "learning_rate": 1.0,
        "random_state": None,
    }


def test_trees_have_at_most_eleven_leaves_and_split_no_node_below_ten():
    X, y = problem(n=300)
    for fitted in LogitBoostClassifier(n_estimators=20, random_state=0).fit(X, y).estimators_:
        tree = fitted.tree_
        inner = tree.children_left >= 0
        assert tree.n_leaves <= 11 and (tree.n_node_samples[inner] >= 10).all()


def test_working_response_bounds_and_extremes():
    score = np.array([0.0, 0.1, 0.5, 2, 400, -0.5, -2, -400])
    for code, sign in ((1, 1), (0, -1)):
        z, w = working_response(np.full(len(score), code), score)
        assert (sign * z >= 1).all() and (sign * z <= 4).all() and (w >= MIN_WEIGHT).all() and (w <= 0.25).all()
    z, w = working_response(np.array([1, 1, 0]), np.array([0.0, -400, -400]))
    assert z.tolist() == [2, 4, -1] and w.tolist() == [0.25, 2.0**-51, 2.0**-51]


@pytest.mark.parametrize("seed", range(3))
def test_log_loss_falls_but_for_small_rises(seed):
    X, y = problem(seed, n=300, d=5)
    booster = LogitBoostClassifier(n_estimators=100, random_state=0).fit(X, y)
    losses = [log_loss(y, 1 / (1 + np.exp(-2 * F))) for F in booster.staged_decision_function(X)]
    assert np.diff(losses).max() < 1e-2 and losses[-1] < losses[0] / 2


def test_separable_data_stay_finite():
    X, _ = problem(n=200)
    booster = LogitBoostClassifier(n_estimators=150, random_state=0).fit(X, X[:, 0] > 0)
    score = booster.decision_function(X)
    assert np.isfinite(score).all() and ((score > 0) == (X[:, 0] > 0)).all()
    assert np.abs(score).max() <= 4 / 2 * 150
    assert np.isfinite(booster.predict_proba(X)).all()


def test_probability_score_and_prediction_agree():
    X, y = problem(n=200)
    booster = LogitBoostClassifier(n_estimators=10, random_state=0).fit(X, np.where(y > 0, "yes", "no"))
    score, proba = booster.decision_function(X), booster.predict_proba(X)
    assert np.allclose(proba[:, 1], 1 / (1 + np.exp(-2 * score)), rtol=1e-14)
    assert np.allclose(proba.sum(axis=1), 1, atol=1e-15)
    assert np.array_equal(booster.predict(X), np.where(score > 0, "yes", "no"))
    assert np.array_equal(list(booster.staged_decision_function(X))[-1], score)


@pytest.mark.parametrize(("n_first", "predicted"), [(19, True), (20, False), (21, False)])
def test_prediction_changes_at_a_score_of_zero(n_first, predicted):
    X, y = np.zeros((40, 1)), np.arange(40) >= n_first
    booster = LogitBoostClassifier(n_estimators=1).fit(X, y)
    assert booster.decision_function(X[:1]) == pytest.approx([1 - n_first / 20], abs=1e-15)
    assert booster.predict(X[:1]).tolist() == [predicted]


def test_mirrored_labels_mirror_the_score():
    X, y = problem(n=100)
    one, two = (
        LogitBoostClassifier(n_estimators=8, random_state=0).fit(X, s * y).decision_function(X) for s in (1, -1)
    )
    assert np.allclose(one, -two, rtol=1e-9)


def test_determinism_clone_and_pickle():
    X, y = np.round(problem(n=200)[0]), problem(n=200)[1]  # many ties
    booster = LogitBoostClassifier(n_estimators=10, random_state=3).fit(X, y)
    score = booster.decision_function(X)
    assert np.array_equal(clone(booster).fit(X, y).decision_function(X), score)
    assert np.array_equal(pickle.loads(pickle.dumps(booster)).decision_function(X), score)


@pytest.mark.parametrize(
    ("params", "y", "sentence"),
    [
        ({"n_estimators": 0}, [0, 1] * 10, "n_estimators=0 must be an integer >= 1"),
        ({"n_estimators": 2.5}, [0, 1] * 10, "n_estimators=2.5 must be an integer"),
        ({"learning_rate": 0}, [0, 1] * 10, "learning_rate=0 must be a finite number > 0"),
        ({"learning_rate": float("nan")}, [0, 1] * 10, "learning_rate=nan must be a finite number > 0"),
        ({}, [0, 1, 2, 0] * 5, "Only binary classification is supported. The type of the target is multiclass"),
        ({}, [1] * 20, "needs samples of two classes, but y holds only one class"),
    ],
)
def test_refused(params, y, sentence):
    with pytest.raises(InputError, match=sentence):
        LogitBoostClassifier(**params).fit(np.arange(20.0)[:, None], y)
