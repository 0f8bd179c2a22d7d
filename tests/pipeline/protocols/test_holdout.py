"""Choosing parameters on a hold-out part, against a plain loop and against scikit-learn's grid search."""

import numpy as np
import pytest
from pipeline.protocols.toys import SK, entry, noisy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from ironbark.pipeline.protocols.holdout import search


class Recorder(ClassifierMixin, BaseEstimator):
    """Predicts `value` for each sample and keeps what it was trained on."""

    def __init__(self, value=0, other=0, random_state=None):
        self.value, self.other, self.random_state = value, other, random_state

    def fit(self, X, y):
        self.n_ = len(y)
        self.rows_ = np.asarray(X)[:, 0].astype(int)
        return self

    def predict(self, X):
        return np.full(len(X), self.value)


@pytest.fixture
def recorder(importable):
    """Function that makes the entry of a tuned `Recorder`."""
    path = importable(Recorder)
    return lambda grid, test_size=0.2: entry(path, {"grid": grid, "test_size": test_size, "refit": False})


def parts(n, seed, test_size=0.2):
    order = np.random.default_rng(seed).permutation(n)
    n_held = round(test_size * n)
    return np.sort(order[n_held:]), np.sort(order[:n_held])


@pytest.mark.parametrize("seed", range(5))
def test_as_grid_search_of_scikit_learn(seed):
    X, y = noisy(seed=seed)
    grid = {"max_depth": [1, 2, 4, 8, None], "min_samples_leaf": [1, 10]}
    method = entry(SK, {"grid": grid, "test_size": 0.2, "refit": False})
    model, tuned, _, accuracy = search(method, X, y, np.random.default_rng(seed), seed=3)
    kept, held = parts(len(y), seed)
    other = GridSearchCV(DecisionTreeClassifier(random_state=3), grid, cv=[(kept, held)], refit=False).fit(X, y)
    assert tuned == other.best_params_
    assert model.score(X[held], y[held]) == accuracy == other.best_score_
    twin = DecisionTreeClassifier(random_state=3, **tuned).fit(X[kept], y[kept])
    np.testing.assert_array_equal(model.tree_.threshold, twin.tree_.threshold)


def test_refit_is_on_the_whole_training_set():
    X, y = noisy()
    method = entry(SK, {"grid": {"max_depth": [1, 3, 9]}, "test_size": 0.2})
    models = {}
    for refit in (True, False):
        method["tune"]["refit"] = refit
        models[refit], tuned, *_ = search(method, X, y, np.random.default_rng(1), seed=0)
    whole = DecisionTreeClassifier(random_state=0, **tuned).fit(X, y)
    np.testing.assert_array_equal(models[True].tree_.threshold, whole.tree_.threshold)
    assert models[True].tree_.n_node_samples[0] == 300
    assert models[False].tree_.n_node_samples[0] == 240


@pytest.mark.parametrize("values", [[1, 0, 1, 0], [0, 1], [1, 1]])
def test_ties_go_to_the_first(recorder, values):
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    grid = {"other": values, "value": [1]}  # the same prediction and score for each
    _, tuned, *_ = search(recorder(grid), X, y, np.random.default_rng(0), seed=0)
    assert tuned == {"other": values[0], "value": 1}


@pytest.mark.parametrize(("n", "test_size", "n_held"), [(3, 0.1, 1), (100, 0.333, 33)])
def test_sizes_and_seed(recorder, n, test_size, n_held):
    X, y = np.arange(float(n))[:, None], np.zeros(n, int)
    model, *_ = search(recorder({"value": [0]}, test_size=test_size), X, y, np.random.default_rng(0), seed=11)
    assert model.n_ == n - n_held
    assert model.random_state == 11
    assert (np.diff(model.rows_) > 0).all()  # rows keep their order
