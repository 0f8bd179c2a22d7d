"""One fit: from an entry to a seeded estimator, its seeds, its scores, and what misbehaves."""

import json
import os
import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import scored_fits
from pipeline.protocols.toys import IDS, SK, entry, noisy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from ironbark.errors import InputError
from ironbark.pipeline.protocols import fit, methods
from ironbark.pipeline.protocols.methods import load, make
from ironbark.pipeline.protocols.model_outputs import probabilities
from ironbark.pipeline.results import records
from ironbark.seeding import integer_seed


class Odd(ClassifierMixin, BaseEstimator):
    """Misbehaves in the way that `how` says."""

    def __init__(self, how="raise"):
        self.how = how

    def fit(self, X, y):
        if self.how == "raise":
            raise RuntimeError("no\nway  out\udcff")
        return self

    def predict(self, X):
        odd = {"shape": np.zeros(len(X) + 1, int), "text": np.full(len(X), "a")}
        return odd.get(self.how, np.zeros(len(X), int))

    def get_depth(self):
        raise ArithmeticError("bottomless")


class Eager(ClassifierMixin, BaseEstimator):  # makes its model at once, and draws from global generators
    def __init__(self, max_depth=3):
        self.max_depth, self.model = max_depth, DecisionTreeClassifier(max_depth=max_depth)

    def fit(self, X, y):
        self.model.fit(X, np.random.permutation(y)[random.sample(range(len(y)), len(y))])  # noqa: NPY002
        return self

    def predict(self, X):
        return self.model.predict(X)


class Vague(DecisionTreeClassifier):
    """Has labels, but no probabilities."""

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), np.nan)


class Signs(Eager):
    """Needs labels in which -1 is a number."""

    def fit(self, X, y):
        y[:] = 2 * y - 1  # in place: no other fit sees it
        assert set(y) == {-1, 1}
        return super().fit(X, y > 0)


METHOD = entry(SK, max_features=1)


@pytest.fixture(scope="module")
def data():
    X, y = noisy(120)
    return X[:80], y[:80], X[80:], y[80:]


def test_scores_are_those_of_the_model(data):
    record = scored_fits.run(METHOD, IDS, *data)
    X, noisy, X_test, y_test = data
    twin = DecisionTreeClassifier(max_features=1, random_state=record["seed"]).fit(X, noisy)
    assert record["status"] == records.OK and record["accuracy"] == twin.score(X_test, y_test)
    assert record["train_accuracy"] == 1.0  # grown to the end on the noisy labels
    assert (record["n_leaves"], record["depth"]) == (twin.get_n_leaves(), twin.get_depth())
    assert (record["n_train"], record["n_test"], record["tuned"]) == (80, 40, "{}")
    assert record["fit_seconds"] >= 0 and record["score_seconds"] >= 0
    assert set(record) <= set(records.COLUMNS)
    json.dumps(record)


@pytest.mark.parametrize("tune", [{}, {"test_size": 0.2, "refit": True}, {"cv": 2}, {"cv": 2, "trials": 2}])
def test_a_class_gets_labels_of_its_own_that_do_not_wrap(data, importable, tune):
    values = {"max_depth": [1, 2]}
    tune = tune and tune | ({"space": values} if "trials" in tune else {"grid": values})
    X, y, *test = data
    record = fit.run(entry(importable(Signs), tune), IDS, X, y.astype(np.uint8), *test)
    assert record["status"] == records.OK, record


def test_seeds_come_from_the_ids_and_not_from_the_method(data):
    other = {**METHOD, "params": {"criterion": "entropy"}}
    seed = integer_seed(*IDS, "learner") % 2**31
    assert fit.run(METHOD, IDS, *data)["seed"] == fit.run(other, IDS, *data)["seed"] == seed
    assert fit.run(METHOD, (*IDS[:-1], "clean"), *data)["seed"] != seed


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
    assert len(seen) == 4 and all(rows == seen[0] for rows in seen) and len(seen[0]) == 64


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raise", r"RuntimeError: no way out\udcff"),
        ("shape", "ValueError: predict returned shape (41,) for 40 samples"),
        ("text", "ValueError: predict returned <U1 for integer classes"),
        ("depth", "ArithmeticError: bottomless"),
    ],
)
def test_a_method_that_misbehaves_becomes_a_row(data, importable, how, message):
    record = fit.run(entry(importable(Odd), how=how), IDS, *data)
    assert record["status"] == records.FAILED and record["message"] == message
    assert set(record) == {"seed", "n_train", "n_test", "status", "message"}  # no half of a result


def test_the_user_can_stop_a_fit_but_a_class_can_neither_stop_others_nor_change_their_data(data, importable):
    here = Path.cwd()

    class Stop(DecisionTreeClassifier):
        def fit(self, X, y):
            os.chdir("/")
            if self.max_depth == 2:
                X[:] = 0
            raise KeyboardInterrupt if self.max_depth is None else SystemExit

    with pytest.raises(KeyboardInterrupt):
        fit.run(entry(importable(Stop)), IDS, *map(np.copy, data))
    for depth, words in ((1, "SystemExit"), (2, "read-only")):
        assert words in fit.run(entry(importable(Stop), max_depth=depth), IDS, *map(np.copy, data))["message"]
        assert Path.cwd() == here


def test_probabilities_that_are_no_numbers_fail(importable, data):
    X_train, y_train, X_test, y_test = data
    for n_classes in (2, 3):
        y_train = np.arange(len(y_train)) % n_classes
        record = fit.run(entry(importable(Vague)), IDS, X_train, y_train, X_test, y_test)
        assert record["status"] == records.FAILED
        assert f"NaN or infinite probabilities for {len(y_test)} of {len(y_test)} samples" in record["message"]


@pytest.mark.parametrize("row", [[0.5, 0.6], [-0.1, 1.1]])
def test_probabilities_must_sum_to_one(row):
    model = SimpleNamespace(classes_=[0, 1], predict_proba=lambda X: np.array([row]))
    with pytest.raises(ValueError, match="predict_proba gave .* for sample 0, no probabilities"):
        probabilities(model, np.zeros((1, 1)))
    model.predict_proba = lambda X: np.array([[-1e-7, 1.0000001]])
    assert probabilities(model, np.zeros((1, 1))).tolist() == [[0, 1]]


def made_of(path, **params):
    return {"estimator": f"sklearn.{path}", "params": params}


SCALE, SGD = made_of("preprocessing.StandardScaler"), made_of("linear_model.SGDClassifier", loss="log_loss")
FOREST = made_of("ensemble.RandomForestClassifier", n_estimators=5)
LOGISTIC = made_of("linear_model.LogisticRegression", C=0.5)
PARTS = [["a", SCALE, [0, 1]], ["b", made_of("preprocessing.MinMaxScaler"), [2]], ["c", "passthrough", [3]]]
COLUMNS = made_of("compose.ColumnTransformer", transformers=PARTS)
BAG = made_of("ensemble.BaggingClassifier", estimator=FOREST, n_estimators=2)
STEPS = [["columns", COLUMNS], ["off", "passthrough"], ["sgd", SGD]]


def columns():
    return ColumnTransformer([("a", StandardScaler(), [0, 1]), ("b", MinMaxScaler(), [2]), ("c", "passthrough", [3])])


CASES = {
    "ColumnTransformer": (
        made_of("pipeline.Pipeline", steps=STEPS),
        lambda s: Pipeline([("columns", columns()), ("sgd", SGDClassifier(loss="log_loss", random_state=s))]),
    ),
    "StackingClassifier": (
        made_of("ensemble.StackingClassifier", estimators=[["f", FOREST]], final_estimator=LOGISTIC, cv=3),
        lambda s: StackingClassifier(
            [("f", RandomForestClassifier(5, random_state=s))], LogisticRegression(C=0.5, random_state=s), cv=3
        ),
    ),
    "three deep": (
        made_of("pipeline.Pipeline", steps=[["bag", BAG]]),
        lambda s: BaggingClassifier(RandomForestClassifier(5, random_state=s), n_estimators=2, random_state=s),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_as_built_by_hand(name):
    method, by_hand = CASES[name]
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(150) % 3 != 0, np.arange(150) % 3 == 0
    record = scored_fits.run({**method, "tune": {}}, IDS, X[train], y[train], X[test], y[test])
    assert record["status"] == records.OK, record
    twin = by_hand(record["seed"]).fit(X[train], y[train])
    made = make(method, record["seed"]).fit(X[train], y[train])
    assert np.array_equal(twin.predict_proba(X[test]), made.predict_proba(X[test]))
    assert record["accuracy"] == twin.score(X[test], y[test])


def test_estimators_in_dicts_and_plain_lists():
    params = {"a": {"x": SCALE, "y": 1}, "b": [FOREST, LOGISTIC], "c": [1, 2], "d": {"k": 1}, "e": SCALE}
    made = methods.made(params, 3)
    assert set(made) == {"a", "b", "e"} and isinstance(made["a"]["x"], StandardScaler) and made["a"]["y"] == 1
    assert [type(one) for one in made["b"]] == [RandomForestClassifier, LogisticRegression]
    assert made["b"][0].random_state == 3
    assert list(methods.entries(params)) == [SCALE, FOREST, LOGISTIC, SCALE]
    assert list(methods.named({"steps": STEPS, "final": FOREST})) == ["final", "columns", "sgd"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nosuchpackage.Thing", "cannot import 'nosuchpackage.Thing'.*install its package"),
        ("sklearn.tree.NoSuchTree", "'sklearn.tree' has no class 'NoSuchTree'.*correct the import path"),
        ("json.dumps", "'json.dumps' is no class.*scikit-learn-compatible classifier"),
    ],
)
def test_load_refuses(path, words):
    with pytest.raises(InputError, match=words):
        load(path)


def test_explainable_boosting_is_kept_to_kernels_that_have_the_same_bits_everywhere():
    load(pytest.importorskip("interpret.glassbox").__name__ + ".ExplainableBoostingClassifier")
    from interpret import develop

    assert develop.get_option("acceleration") == 2  # AVX2 alone


def test_classes_that_know_no_conventions(importable, data):
    method = entry(importable(Eager), max_depth=1)
    assert make(method, 7).model.max_depth == 1 and make(method, 7, max_depth=2).model.max_depth == 2
    first, again = (fit.run(method, IDS, *data)["outputs"] for _ in range(2))
    assert first == again

    class Seeded(BaseEstimator):
        def __init__(self, random_seed, seed=None):
            self.random_seed, self.seed = random_seed, seed

    class Fixed(BaseEstimator):
        def __init__(self, seed=0):
            self.seed = seed

    assert make(entry(importable(Seeded)), 7).get_params() == {"random_seed": 7, "seed": 7}
    assert make(entry(importable(Fixed)), 7).seed == 0


def test_make_sets_parameters_seeds_and_inner_estimators():
    method = {"estimator": SK, "params": {"max_depth": 3, "criterion": "entropy"}}
    tree = make(method, 7, max_depth=5)
    assert (tree.random_state, tree.max_depth, tree.criterion) == (7, 5, "entropy")
    assert method["params"] == {"max_depth": 3, "criterion": "entropy"}
    assert make({"estimator": SK, "params": {"random_state": 1}}, 7).random_state == 1
    make({"estimator": "sklearn.neighbors.KNeighborsClassifier", "params": {"n_neighbors": 2}}, 7)  # has no seed
    coder = {"estimator": "sklearn.decomposition.SparseCoder", "params": {"dictionary": [[1.0]], "split_sign": True}}
    assert (make(coder, 7).dictionary, make(coder, 7).split_sign) == ([[1.0]], True), "one has no default"
    method = made_of("ensemble.AdaBoostClassifier", n_estimators=7, estimator=made_of("tree.DecisionTreeClassifier"))
    model = make(method, 5, estimator__max_depth=2)
    assert (model.estimator.max_depth, model.estimator.random_state, model.n_estimators) == (2, 5, 7)
    assert make(method, 5).estimator.max_depth is None
    with pytest.raises(InputError, match="no parameter 'estimator__max_dept'"):
        make(method, 5, estimator__max_dept=2)
