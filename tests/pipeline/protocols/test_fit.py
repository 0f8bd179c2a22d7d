"""One fit: its seeds, its scores, and what a method that misbehaves leaves behind."""

import json

import numpy as np
import pytest
import scored_fits
from pipeline.protocols.toys import IDS, SK, entry, noisy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from ironbark.pipeline.protocols import fit
from ironbark.pipeline.results import records
from ironbark.seeding import integer_seed


class Odd(ClassifierMixin, BaseEstimator):
    """Misbehaves in the way that `how` says."""

    def __init__(self, how="raise"):
        self.how = how

    def fit(self, X, y):
        if self.how == "raise":
            raise RuntimeError("no\nway  out")
        return self

    def predict(self, X):
        n = len(X)
        return {"shape": np.zeros(n + 1, int), "float": np.zeros(n), "text": np.full(n, "a")}.get(
            self.how, np.zeros(n, int)
        )

    def get_depth(self):
        raise ArithmeticError("bottomless")


class Vague(DecisionTreeClassifier):
    """Has labels, but no probabilities."""

    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)


METHOD = entry(SK, max_features=1)


@pytest.fixture(scope="module")
def data():
    X, y = noisy(120)
    return X[:80], y[:80], X[80:], y[80:]


def test_scores_are_those_of_the_model(data):
    record = scored_fits.run(METHOD, IDS, *data)
    X, noisy, X_test, y_test = data
    twin = DecisionTreeClassifier(max_features=1, random_state=record["seed"]).fit(X, noisy)
    assert record["status"] == records.OK
    assert record["accuracy"] == twin.score(X_test, y_test)
    assert record["train_accuracy"] == 1.0  # grown to the end on the noisy labels
    assert (record["n_leaves"], record["depth"]) == (twin.get_n_leaves(), twin.get_depth())
    assert (record["n_train"], record["n_test"], record["tuned"]) == (80, 40, "{}")
    assert record["fit_seconds"] >= 0 and record["score_seconds"] >= 0
    assert set(record) <= set(records.COLUMNS)
    json.dumps(record)


def test_seeds_come_from_the_ids_and_not_from_the_method(data):
    other = {**METHOD, "params": {"criterion": "entropy"}}
    assert (
        fit.run(METHOD, IDS, *data)["seed"]
        == fit.run(other, IDS, *data)["seed"]
        == integer_seed(*IDS, "learner") % 2**31
    )
    assert fit.run(METHOD, (*IDS[:-1], "clean"), *data)["seed"] != integer_seed(*IDS, "learner") % 2**31


def test_the_tuning_split_is_shared_by_methods(data, importable):
    tune = {"grid": {"max_depth": [1, 2]}, "test_size": 0.2, "refit": False}
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y):
            seen.append(X[:, 0].tolist())
            return super().fit(X, y)

    for criterion in ("gini", "entropy"):
        record = fit.run(entry(importable(Spy), tune, criterion=criterion), IDS, *data)
        assert json.loads(record["tuned"])["max_depth"] in (1, 2), record
    assert len(seen) == 4 and all(rows == seen[0] for rows in seen)
    assert len(seen[0]) == 64


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raise", "RuntimeError: no way out"),
        ("shape", "ValueError: predict returned shape (41,) for 40 samples"),
        ("text", "ValueError: predict returned <U1 for integer classes"),
        ("depth", "ArithmeticError: bottomless"),
    ],
)
def test_a_method_that_misbehaves_becomes_a_row(data, importable, how, message):
    record = fit.run(entry(importable(Odd), how=how), IDS, *data)
    assert record["status"] == records.FAILED
    assert record["message"] == message
    assert set(record) == {"seed", "n_train", "n_test", "status", "message"}  # no half of a result


@pytest.mark.parametrize("signal", [KeyboardInterrupt, SystemExit])
def test_the_user_can_stop_a_fit(data, importable, signal):
    class Stop(DecisionTreeClassifier):
        def fit(self, X, y):
            raise signal

    with pytest.raises(signal):
        fit.run(entry(importable(Stop)), IDS, *data)


def test_probabilities_that_are_no_numbers_fail(importable, data):
    X_train, y_train, X_test, y_test = data
    for n_classes in (2, 3):
        y_train = np.arange(len(y_train)) % n_classes
        record = fit.run(entry(importable(Vague)), IDS, X_train, y_train, X_test, y_test)
        assert record["status"] == records.FAILED
        assert f"NaN or infinite probabilities for {len(y_test)} of {len(y_test)} samples" in record["message"]
