"""The search by trials, against a plain loop over the same draws, a known optimum, and itself after a kill."""

import json

import numpy as np
import optuna
import pytest
from pipeline.protocols.toys import IDS, SK, entry, noisy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from ironbark.pipeline.protocols import fit, tpe
from ironbark.pipeline.results import store
from ironbark.pipeline.results.records import MEASURED


class Peaked(ClassifierMixin, BaseEstimator):
    """Right on a share of the samples that is largest where `place` is 0.3; counts its fits."""

    fits = 0

    def __init__(self, place=0.0, random_state=None):
        self.place, self.random_state = place, random_state

    def fit(self, X, y):
        Peaked.fits += 1
        if Peaked.limit is not None and Peaked.fits > Peaked.limit:
            raise KeyboardInterrupt
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        right = np.arange(len(X)) >= abs(self.place - 0.3) * len(X)
        return np.where(right, X[:, 0], 1 - X[:, 0]).astype(int)


@pytest.fixture
def peaked(importable):
    Peaked.fits, Peaked.limit = 0, None
    return importable(Peaked)


def separable(n=400):
    y = np.arange(n) % 2
    return np.column_stack([y, np.arange(n)]).astype(float), y


def by_trials(estimator, space, trials=10, cv=5, **more):
    return entry(estimator, {"trials": trials, "cv": cv, "space": space, **more})


SPACE = {
    "max_depth": {"low": 1, "high": 9},
    "ccp_alpha": {"low": 1e-4, "high": 0.1, "log": True},
    "criterion": ["gini"],
}


@pytest.mark.parametrize("seed", range(2))
def test_is_a_plain_loop_over_optunas_draws(seed):
    X, y = noisy(seed=seed)
    found = tpe.search(by_trials(SK, SPACE), X, y, np.random.default_rng(seed), 7)
    split_seed, sampler_seed = np.random.default_rng(seed).integers(2**31, size=2).tolist()
    folds = StratifiedKFold(5, shuffle=True, random_state=split_seed)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=sampler_seed))
    means = []
    for _ in range(10):
        trial = study.ask()
        params = {"max_depth": trial.suggest_int("max_depth", 1, 9)}
        params["ccp_alpha"] = trial.suggest_float("ccp_alpha", 1e-4, 0.1, log=True)
        params["criterion"] = trial.suggest_categorical("criterion", ["gini"])
        value = cross_val_score(DecisionTreeClassifier(**params, random_state=7), X, y, cv=folds).mean()
        study.tell(trial, value)
        means.append((value, params))
    best = max(means, key=lambda mean: mean[0])
    assert found.tuned == best[1] and found.validation_accuracy == pytest.approx(best[0], abs=1e-12)
    whole = DecisionTreeClassifier(**best[1], random_state=7).fit(X, y)
    assert (found.model.predict(X) == whole.predict(X)).all()


def test_finds_a_known_optimum_and_pruned_trials_save_fits(peaked):
    X, y = separable()
    space = {"place": {"low": 0.0, "high": 1.0}}
    found = tpe.search(by_trials(peaked, space, trials=60, cv=2), X, y, np.random.default_rng(0), 0)
    assert found.tuned["place"] == pytest.approx(0.3, abs=0.01)
    drawn = np.random.default_rng(1).random((2000, 60))  # the nearest of 60 random draws is mostly further off
    assert abs(found.tuned["place"] - 0.3) < np.median(abs(drawn - 0.3).min(axis=1))
    found, fits = [], []
    for prune in (False, True):
        Peaked.fits = 0
        found.append(tpe.search(by_trials(peaked, space, trials=10, prune=prune), X, y, np.random.default_rng(3), 0))
        fits.append(Peaked.fits)
    assert fits[0] == 51
    assert 26 + 5 <= fits[1] < 51  # five whole trials, at least a fold of the others, the last fit
    assert found[0].tuned == found[1].tuned  # random draws, so the same trials, and the best is never below a median


@pytest.mark.parametrize("prune", [False, True])
def test_the_same_seed_gives_the_same_fit_and_another_seed_another(prune):
    X, y = noisy()
    records = []
    for ids in (IDS, IDS, (*IDS[:3], 1, 0, IDS[5])):
        record = fit.run(by_trials(SK, SPACE, 6, 3, prune=prune, score="roc_auc"), ids, X, y, X, y)
        assert record["status"] == "ok", record["message"]
        records.append({name: value for name, value in record.items() if name not in MEASURED})
    assert json.dumps(records[0]) == json.dumps(records[1])
    assert records[0]["tuned"] != records[2]["tuned"]


@pytest.mark.parametrize("limit", [1, 23])
def test_goes_on_after_a_kill_with_the_same_result(peaked, tmp_path, limit):
    X, y = separable()
    method = by_trials(peaked, {"place": {"low": 0.0, "high": 1.0}}, trials=14, cv=4, prune=True)
    whole = tpe.search(method, X, y, np.random.default_rng(0), 0)
    total, Peaked.fits, Peaked.limit = Peaked.fits, 0, limit
    with pytest.raises(KeyboardInterrupt):
        tpe.search(method, X, y, np.random.default_rng(0), 0, store.Store(tmp_path / "journal"))
    assert len(store.Store(tmp_path / "journal")) == limit
    Peaked.fits, Peaked.limit = 0, None
    again = tpe.search(method, X, y, np.random.default_rng(0), 0, store.Store(tmp_path / "journal"))
    assert Peaked.fits == total - limit
    assert (again.tuned, again.validation_accuracy) == (whole.tuned, whole.validation_accuracy)


def test_scores_by_definition():
    X, y = noisy(n=90, seed=1)
    y[:50] = 0
    model = LogisticRegression().fit(X, y)
    p = model.predict_proba(X)[:, 1]
    assert tpe.SCORES["accuracy"](model, X, y) == pytest.approx(model.score(X, y))
    assert tpe.SCORES["roc_auc"](model, X, y) == pytest.approx(roc_auc_score(y, p))
    assert tpe.SCORES["average_precision"](model, X, y) == pytest.approx(average_precision_score(y, p))
    assert tpe.SCORES["label_probability"](model, X, y) == pytest.approx(np.mean(np.where(y == 1, p, 1 - p)))
    recalls = [np.mean(model.predict(X)[y == k] == k) for k in (0, 1)]
    assert tpe.SCORES["balanced_accuracy"](model, X, y) == pytest.approx(np.mean(recalls))
    turned = LogisticRegression().fit(X, 1 - y), X, 1 - y
    assert tpe.SCORES["average_precision"](*turned) == pytest.approx(average_precision_score(y, p), abs=1e-6)
    even = np.concatenate([np.flatnonzero(y == k)[:10] for k in (0, 1)])  # class 1 if both are as frequent
    found = tpe.SCORES["average_precision"](model, X[even], y[even])
    assert found == pytest.approx(average_precision_score(y[even], p[even]))
    assert found != pytest.approx(average_precision_score(1 - y[even], -p[even]))
    X, y = noisy(n=60, n_classes=3)
    model = DecisionTreeClassifier(max_depth=2).fit(X[y != 1], y[y != 1])
    p = {label: model.predict_proba(X)[:, i] for i, label in enumerate(model.classes_)}
    expected = np.mean([p[label][i] if label in p else 0.0 for i, label in enumerate(y)])
    assert tpe.label_probability(model, X, y) == pytest.approx(expected)


def test_more_than_two_classes_are_scored_by_accuracy():
    X, y = noisy(n_classes=4)
    method = by_trials(SK, {"max_depth": {"low": 1, "high": 6}})
    plain = tpe.search(method, X, y, np.random.default_rng(0), 0)
    method["tune"]["score"] = "roc_auc"
    found = tpe.search(method, X, y, np.random.default_rng(0), 0)
    assert (found.tuned, found.validation_accuracy) == (plain.tuned, plain.validation_accuracy)


def test_trials_on_some_samples_are_a_search_on_these_alone():
    X, y = noisy(n=600)
    y[:12] = 0
    few = tpe.search(by_trials(SK, SPACE, max_samples=90), X, y, np.random.default_rng(5), 7)
    rng = np.random.default_rng(5)
    rng.integers(2**31, size=2)
    rows = tpe.tried(y, 90, rng)
    assert len(rows) == 90 and (np.diff(rows) > 0).all()
    np.testing.assert_allclose(np.bincount(y[rows]), 90 * np.bincount(y) / 600, atol=1)
    alone = tpe.search(by_trials(SK, SPACE), X[rows], y[rows], np.random.default_rng(5), 7)
    assert few.tuned == alone.tuned and few.validation_accuracy == alone.validation_accuracy
    whole = DecisionTreeClassifier(**few.tuned, random_state=7).fit(X, y)
    assert (few.model.predict(X) == whole.predict(X)).all()
