"""The inner cross-validation, against separate fits, against scikit-learn, and the path of pruned models."""

import sys

import numpy as np
import pytest
from pipeline.protocols.toys import FOREST, IDS, SK, TREE, entry, noisy
from sklearn.model_selection import ParameterGrid, StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from ironbark.encoding import encode
from ironbark.pipeline.protocols import fit, inner_cv
from ironbark.pipeline.protocols.methods import make

SIZES = [2, 10, 40, 150]


def by_grid(estimator, grid, cv=5, **params):
    price = {} if estimator == SK else {"ccp_alpha": 0.0}
    return entry(estimator, {"cv": cv, "grid": grid}, **price | params)


def folds_of(y, seed, cv=5):
    drawn = int(np.random.default_rng(seed).integers(2**31))
    return list(StratifiedKFold(cv, shuffle=True, random_state=drawn).split(np.zeros(len(y)), y))


def separate(method, X, y, seed, learner):
    """Hits of each value, each from fits of its own on plain arrays."""
    hits = []
    for params in ParameterGrid(method["tune"]["grid"]):
        right = 0
        for kept, held in folds_of(y, seed, method["tune"]["cv"]):
            right += (make(method, learner, **params).fit(X[kept], y[kept]).predict(X[held]) == y[held]).sum()
        hits.append(right)
    return hits


METHODS = {
    "tree": (TREE, {"criterion": "gini", "max_depth": 50}),
    "pairwise tree": (TREE, {"criterion": "pairwise_gain"}),
    "forest with bootstrap": (FOREST, {"n_estimators": 4, "bootstrap": True, "criterion": "entropy"}),
    "forest without bootstrap": (FOREST, {"n_estimators": 4, "bootstrap": False, "criterion": "pairwise_gain"}),
}


@pytest.mark.parametrize(("seed", "name"), [*enumerate(METHODS)])
def test_the_path_is_separate_fits(name, seed, monkeypatch):
    estimator, params = METHODS[name]
    method = by_grid(estimator, {"min_samples_split": SIZES}, cv=3, **params)
    X, y = noisy(seed=seed)
    grown = []
    monkeypatch.setattr(inner_cv, "make", lambda *a, **k: grown.append(k) or make(*a, **k))
    hits = inner_cv.correct(method, encode(X), y, np.random.default_rng(seed), 9)
    assert grown.count({"min_samples_split": 2}) == len([k for k in grown if k]) == 3  # one fit a fold
    expected = separate(method, X, y, seed, 9)
    assert hits.tolist() == expected
    assert len(set(expected)) > 2  # else the values would not matter
    model, tuned, _, accuracy = inner_cv.search(method, encode(X), y, np.random.default_rng(seed), 9)
    assert tuned == {"min_samples_split": SIZES[int(np.argmax(expected))]}
    assert accuracy == max(expected) / len(y)
    twin = make(method, 9, **tuned).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), twin.predict_proba(X))
    assert model.get_n_leaves() == twin.get_n_leaves()


@pytest.mark.parametrize(
    ("grid", "params", "path"),
    [
        ({"min_samples_split": [40, 2, 10]}, {}, "min_samples_split"),
        ({"max_depth": [3, None, 1]}, {}, "max_depth"),
        ({"max_depth": [3, 5, 1]}, {}, "max_depth"),
        ({"ccp_alpha": [0.01, 0.001, 0.1]}, {}, "ccp_alpha"),
        ({"min_samples_split": [2, 40]}, {"ccp_alpha": 0.001}, None),
        ({"min_samples_split": [2, 40]}, {"ccp_alpha": "auto"}, None),
        ({"max_depth": [1, 2]}, {"ccp_alpha": [0, 0.01]}, None),
        ({"min_samples_split": [2, 40]}, {"max_leaf_nodes": 9}, None),
        ({"min_samples_split": [2, 40], "max_depth": [2, 3]}, {}, None),
        ({"min_samples_leaf": [1, 5]}, {}, None),
    ],
)
def test_every_grid_gives_the_hits_of_separate_fits(grid, params, path):
    X, y = noisy(seed=4, n_classes=3)
    method = by_grid(TREE, grid, cv=3, **params)
    assert inner_cv.prunable(method, grid) == path
    hits = inner_cv.correct(method, encode(X), y, np.random.default_rng(1), 2)
    assert hits.tolist() == separate(method, X, y, 1, 2)


def test_as_scikit_learn():
    X, y = noisy(seed=5)
    method = by_grid(SK, {"max_depth": [1, 2, 4, None]})
    hits = inner_cv.correct(method, X, y, np.random.default_rng(5), 3)
    for depth, found in zip((1, 2, 4, None), hits, strict=True):
        tree = DecisionTreeClassifier(max_depth=depth, random_state=3)
        assert found == (cross_val_predict(tree, X, y, cv=folds_of(y, 5)) == y).sum()


@pytest.mark.parametrize(("hits", "chosen"), [([3, 5, 5], 10), ([4, 4, 4], 2), ([1, 2, 3], 40)])
def test_ties_go_to_the_first(hits, chosen, monkeypatch):
    X, y = noisy()
    monkeypatch.setattr(inner_cv, "correct", lambda *arguments: np.array(hits))
    method = by_grid(TREE, {"min_samples_split": [2, 10, 40]})
    assert inner_cv.search(method, X, y, np.random.default_rng(0), 0)[1] == {"min_samples_split": chosen}


def test_the_row_tells_the_choice_and_times_only_the_last_fit(importable, monkeypatch):
    class Clock:
        """Every fit takes a second, so does every prediction."""

        now = 0.0

    class Slow(DecisionTreeClassifier):
        def fit(self, X, y):
            Clock.now += 1
            return super().fit(X, y)

        def predict(self, X):
            Clock.now += 1
            return super().predict(X)

    path = importable(Slow)
    for part in (fit, sys.modules["ironbark.pipeline.protocols.holdout"]):
        monkeypatch.setattr(part, "cpu_seconds", lambda: Clock.now)
    X, y = noisy()

    def times(tune):
        record = fit.run(entry(path, tune), IDS, X[:250], y[:250], X[250:], y[250:])
        assert record["status"] == "ok", record
        return tuple(record[name] for name in ("fit_seconds", "tune_seconds", "score_seconds")), record["tuned"]

    grid = {"max_depth": [1, 3]}
    found, tuned = times({"cv": 5, "grid": grid})
    assert found == (1, 20, 1) and tuned in ('{"max_depth": 1}', '{"max_depth": 3}')  # 5 folds, 2 fits and predictions
    assert times({"test_size": 0.2, "refit": True, "grid": grid})[0] == (1, 4, 1)
    assert times({"test_size": 0.2, "refit": False, "grid": grid})[0] == (1, 3, 1)
    assert times({}) == ((1, 0, 1), "{}")
