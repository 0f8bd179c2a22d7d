"""The forest with small boosters: against LightGBM and the forest used directly, and in the forms of users' data."""

import lightgbm
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError

from ironbark import RobustEnsembleClassifier, RobustRandomForestClassifier
from ironbark.boosting.gbdt import ensemble_lgbm
from ironbark.noise import corrupt

SMALL = {"n_estimators": 20, "random_state": 0}
QUIET = {"verbose": -1, "num_threads": 1, "deterministic": True, "force_col_wise": True}


def problem(n_classes=2, n=300):
    X, y = make_classification(n, 8, n_informative=5, n_classes=n_classes, random_state=1)
    return X.astype(np.float32), corrupt("uniform", X, y, rate=0.2, random_state=0)


@pytest.fixture(scope="module", params=[2, 3])
def fitted(request):
    X, y = problem(request.param)
    return X, y, RobustEnsembleClassifier(**SMALL).fit(X, y)


def test_equals_the_forest_and_lightgbm_used_directly(fitted):
    X, y, model = fitted
    n, K = len(X), len(model.classes_)
    seeds = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=6)
    forest = RobustRandomForestClassifier(20, random_state=int(seeds[0])).fit(X, y)
    params = {"objective": "binary"} if K == 2 else {"objective": "multiclass", "num_class": K}
    params |= {"num_leaves": 7, "learning_rate": 0.2, "min_data_in_leaf": 20, **QUIET}
    drawn = [np.isin(np.arange(n), np.random.default_rng(int(seed)).integers(0, n, n)) for seed in seeds[1:]]
    whole = lightgbm.Dataset(X, y, params=params).construct()
    boosters = [lightgbm.train(params, whole.subset(np.flatnonzero(part)), 100) for part in drawn]

    def probabilities(booster, rounds):
        found = booster.predict(X, num_iteration=rounds)
        return found if K > 2 else np.column_stack([1 - found, found])

    scores = []
    for rounds in model.rounds_path_["rounds"]:
        votes = np.array([probabilities(booster, rounds) for booster in boosters])
        outside = ~np.array(drawn)
        some = outside.any(axis=0)
        mean = (votes * outside[:, :, None]).sum(axis=0)[some] / outside.sum(axis=0)[some, None]
        scores.append(((mean - np.eye(K)[y[some]]) ** 2).sum(axis=1).mean())
    assert model.rounds_path_["brier_score"] == pytest.approx(scores)
    assert model.n_rounds_ == model.rounds_path_["rounds"][np.argmin(scores)]
    boosted = np.mean([probabilities(booster, model.n_rounds_) for booster in boosters], axis=0)
    expected = (forest.predict_proba(X) + boosted) / 2
    assert model.predict_proba(X) == pytest.approx(expected)
    assert np.array_equal(model.predict(X), model.classes_[expected.argmax(axis=1)])


def test_threads_and_equal_weights_do_not_change_the_model(fitted, capfd):
    X, y, model = fitted
    for options, weights in [({"n_jobs": 2}, None), ({}, 2.0), ({}, np.ones((len(y), 1)))]:
        again = RobustEnsembleClassifier(**SMALL, **options).fit(X, y, weights)
        assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert not capfd.readouterr().out


def test_stops_once_the_score_rises():
    X, y = problem(n=1000)
    y = corrupt("uniform", X, y, rate=0.4, random_state=0)
    model = RobustEnsembleClassifier(**SMALL).fit(X, y)
    scores = model.rounds_path_["brier_score"]
    assert len(scores) < len(ensemble_lgbm.ROUNDS) and scores.argmin() == len(scores) - 1 - ensemble_lgbm.PATIENCE


def test_boosters_that_are_far_behind_the_forest_are_left_out():
    rng, y = np.random.default_rng(0), np.arange(2000) % 100
    X = rng.normal(size=(100, 4))[y] * 5 + rng.normal(size=(2000, 4))
    model = RobustEnsembleClassifier(**SMALL).fit(X, y)
    behind = model.rounds_path_["brier_score"].min() - model.forest_.ccp_path_["brier_score"].min()
    assert behind > ensemble_lgbm.BEHIND and model.boosters_ == []
    assert max(model.rounds_path_["rounds"]) * 100 <= ensemble_lgbm.MAX_TREES
    assert np.array_equal(model.predict_proba(X), model.forest_.predict_proba(X))


def test_frames_gaps_text_and_sparse_matrices():
    X, y = problem()
    X[:, 0] = np.round(X[:, 0])
    frame = pd.DataFrame(X, columns=list("abcdefgh")).assign(a=[f"level {value + 9}" for value in X[:, 0]])
    frame.loc[::7, "b"] = np.nan
    names = np.array(["no", "yes"])[y]
    model = RobustEnsembleClassifier(**SMALL).fit(frame, names)
    assert np.array_equal(model.feature_importances_, model.forest_.feature_importances_)
    assert list(model.feature_names_in_) == list("abcdefgh") and set(model.predict(frame)) == {"no", "yes"}
    for new, alone in (({"a": "unknown"}, True), ({"c": np.nan}, True), ({"b": np.nan}, False)):  # b had gaps in fit
        pair = (one.predict_proba(frame.assign(**new)) for one in (model, model.forest_))
        assert np.array_equal(*pair) == alone
    zeros = np.where(np.abs(X) < 1, 0, X)
    plain, sparse = (RobustEnsembleClassifier(**SMALL).fit(form, y) for form in (zeros, csr_matrix(zeros)))
    assert np.array_equal(plain.predict_proba(zeros), sparse.predict_proba(csr_matrix(zeros)))


def test_weights():
    """Samples of weight 0 do not move the boosters, and scaled weights change nothing."""
    X, y = problem()
    weights = np.repeat([2.0, 0.0], 150)
    model = RobustEnsembleClassifier(**SMALL).fit(X, y, weights)
    half = RobustEnsembleClassifier(**SMALL).fit(X[:150], y[:150])
    assert model.rounds_path_["brier_score"] == pytest.approx(half.rounds_path_["brier_score"])
    X, y = np.repeat([[0.0], [1.0]], 200, axis=0), np.resize([0, 1], 400)  # says nothing of y without weights
    model = RobustEnsembleClassifier(**SMALL).fit(X, y, np.where(X[:, 0] == y, 9.0, 1.0))
    assert model.rounds_path_["brier_score"].min() == pytest.approx(2 * 0.9 * 0.1, abs=0.02)


def test_one_class_and_few_samples():
    with pytest.raises(NotFittedError):
        RobustEnsembleClassifier().predict([[0.0]])
    X = np.arange(12.0)[:, None]
    one = RobustEnsembleClassifier(**SMALL).fit(X, ["only"] * 12)
    assert one.boosters_ == [] and set(one.predict(X)) == {"only"}
    few = RobustEnsembleClassifier(**SMALL).fit(X, X[:, 0] > 5)
    assert few.boosters_ == [] and np.array_equal(few.predict_proba(X), few.forest_.predict_proba(X))
