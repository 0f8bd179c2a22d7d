"""Choosing parameters on a hold-out part as scikit-learn does, and the memory that fits and searches take."""

import errno
import io
import math
import sys
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from pipeline.protocols.toys import IDS, SK, entry, noisy
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from ironbark.errors import InputError
from ironbark.pipeline.protocols import fit, holdout
from ironbark.pipeline.protocols.costs import PeakMemory
from ironbark.pipeline.protocols.holdout import Shelf, search


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


@pytest.mark.parametrize("values", [[0.0, 1e-12, 0.0], [1e-12, 0.0]])
def test_ties_go_to_the_first(values):
    X, y = noisy()  # neither value prunes anything
    method = entry(SK, {"grid": {"ccp_alpha": values}, "test_size": 0.2, "refit": False})
    assert search(method, X, y, np.random.default_rng(0), seed=0)[1] == {"ccp_alpha": values[0]}


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


MEGABYTES = 40
SLACK = 10  # pages of the heap that are partly in use stay resident
HERE = pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell the peak of a process")


def take(megabytes):
    return np.ones(megabytes * 125_000)  # float64, touched


@HERE
def test_memory_taken_again_counts_again_and_earlier_peaks_do_not():
    kept = take(MEGABYTES)
    take(3 * MEGABYTES)
    for _ in range(3):
        memory = PeakMemory()
        again = take(MEGABYTES)
        assert abs(memory.megabytes() - MEGABYTES) < SLACK
        del again
    assert len(kept)


@HERE
def test_a_fit_records_its_peak(monkeypatch):
    def train(*given):
        take(MEGABYTES)
        return SimpleNamespace(predict=lambda X: np.zeros(len(X), int)), {}, 0.0, math.nan

    monkeypatch.setattr(fit, "train", train)
    X, y = np.zeros((6, 2)), np.zeros(6, int)
    record = fit.run({}, IDS, X, y, X, y)
    assert record["status"] == "ok", record
    assert abs(record["fit_memory"] - MEGABYTES) < SLACK


@pytest.mark.parametrize("n_train", [10, holdout.LARGE])
def test_the_last_model_comes_back(n_train):
    room = Shelf(n_train)
    for model in ([1] * 1000, {"a": 2}):  # the second is shorter in the file
        room.put(model)
    assert room.take() == {"a": 2}


class Full(io.BytesIO):
    """A file on a full disk."""

    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_temporary_folder_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(holdout.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(holdout.tempfile, "TemporaryFile", Full)
    with pytest.raises(InputError, match=f"temporary folder {tmp_path}, which TMPDIR names: the disk is full"):
        Shelf(holdout.LARGE).put([1])


@pytest.mark.parametrize("large", [1, 10**9])
def test_a_search_gives_the_same_model_and_trains_with_one_alive(monkeypatch, large):
    monkeypatch.setattr(holdout, "LARGE", large)
    alive, most = weakref.WeakSet(), []
    true_make = holdout.make

    def make(*args, **params):
        most.append(len(alive))
        model = true_make(*args, **params)
        alive.add(model)
        return model

    monkeypatch.setattr(holdout, "make", make)
    X, y = noisy()
    tune = {"grid": {"max_depth": [1, 2, 3, None]}, "test_size": 0.2, "refit": False}
    method = entry(SK, tune)
    found = holdout.search(method, X, y, np.random.default_rng(1), seed=0)
    assert max(most) == (0 if large == 1 else 1)  # beside the one that is made: none, or the best so far
    twin = true_make(method, 0, **found.tuned)
    order = np.random.default_rng(1).permutation(300)
    kept = np.sort(order[60:])
    np.testing.assert_array_equal(found.model.predict_proba(X), twin.fit(X[kept], y[kept]).predict_proba(X))
