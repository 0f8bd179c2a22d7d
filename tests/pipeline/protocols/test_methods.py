"""From an entry to a seeded estimator, also within lists and dicts, with a sentence for what it cannot be made of."""

import numpy as np
import pytest
import scored_fits
from pipeline.protocols.toys import IDS, SK
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from ironbark.errors import InputError
from ironbark.pipeline.protocols import methods
from ironbark.pipeline.protocols.methods import load, make
from ironbark.pipeline.results import records


def entry(path, **params):
    return {"estimator": f"sklearn.{path}", "params": params}


SCALE, SGD = entry("preprocessing.StandardScaler"), entry("linear_model.SGDClassifier", loss="log_loss")
FOREST = entry("ensemble.RandomForestClassifier", n_estimators=5)
LOGISTIC = entry("linear_model.LogisticRegression", C=0.5)
COLUMNS = entry(
    "compose.ColumnTransformer",
    transformers=[["a", SCALE, [0, 1]], ["b", entry("preprocessing.MinMaxScaler"), [2]], ["c", "passthrough", [3]]],
)
STEPS = [["columns", COLUMNS], ["off", "passthrough"], ["sgd", SGD]]


def columns():
    return ColumnTransformer([("a", StandardScaler(), [0, 1]), ("b", MinMaxScaler(), [2]), ("c", "passthrough", [3])])


CASES = {
    "ColumnTransformer": (
        entry("pipeline.Pipeline", steps=STEPS),
        lambda s: Pipeline([("columns", columns()), ("sgd", SGDClassifier(loss="log_loss", random_state=s))]),
    ),
    "StackingClassifier": (
        entry("ensemble.StackingClassifier", estimators=[["f", FOREST]], final_estimator=LOGISTIC, cv=3),
        lambda s: StackingClassifier(
            [("f", RandomForestClassifier(5, random_state=s))], LogisticRegression(C=0.5, random_state=s), cv=3
        ),
    ),
    "three deep": (
        entry(
            "pipeline.Pipeline", steps=[["bag", entry("ensemble.BaggingClassifier", estimator=FOREST, n_estimators=2)]]
        ),
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
    assert [one["estimator"] for one in methods.entries(params)] == [
        f"sklearn.{path}"
        for path in (
            "preprocessing.StandardScaler",
            "ensemble.RandomForestClassifier",
            "linear_model.LogisticRegression",
            "preprocessing.StandardScaler",
        )
    ]
    assert list(methods.named({"steps": STEPS, "final": FOREST})) == ["final", "columns", "sgd"]


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("nosuchpackage.Thing", ["cannot import 'nosuchpackage.Thing'", "install its package"]),
        ("sklearn.tree.NoSuchTree", ["'sklearn.tree' has no class 'NoSuchTree'", "correct the import path"]),
        ("json.dumps", ["'json.dumps' is no class", "scikit-learn-compatible classifier"]),
    ],
)
def test_load_refuses(path, parts):
    with pytest.raises(InputError) as caught:
        load(path)
    for part in parts:
        assert part in str(caught.value)


def test_make_sets_parameters_and_seed():
    method = {"estimator": SK, "params": {"max_depth": 3, "criterion": "entropy"}}
    tree = make(method, 7, max_depth=5)
    assert (tree.random_state, tree.max_depth, tree.criterion) == (7, 5, "entropy")
    assert method["params"] == {"max_depth": 3, "criterion": "entropy"}
    assert make({"estimator": SK, "params": {"random_state": 1}}, 7).random_state == 1
    make({"estimator": "sklearn.neighbors.KNeighborsClassifier", "params": {"n_neighbors": 2}}, 7)  # has no seed


def test_a_parameter_may_be_an_estimator():
    method = entry("ensemble.AdaBoostClassifier", n_estimators=7, estimator=entry("tree.DecisionTreeClassifier"))
    model = make(method, 5, estimator__max_depth=2)
    assert (model.estimator.max_depth, model.estimator.random_state, model.n_estimators) == (2, 5, 7)
    assert make(method, 5).estimator.max_depth is None
    with pytest.raises(InputError, match="no parameter 'estimator__max_dept'"):
        make(method, 5, estimator__max_dept=2)
