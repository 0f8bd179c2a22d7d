"""Hold-out parts and inner cross-validation, against scikit-learn and separate fits, and the memory that they take."""

import errno
import io
import math
import sys
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from pipeline.protocols.toys import FOREST, IDS, SK, TREE, entry, noisy
from sklearn.model_selection import GridSearchCV, ParameterGrid, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from ironbark.encoding import encode
from ironbark.errors import InputError
from ironbark.pipeline.protocols import fit, holdout, inner_cv
from ironbark.pipeline.protocols.costs import PeakMemory
from ironbark.pipeline.protocols.holdout import search
from ironbark.pipeline.protocols.methods import make


def parts(n, seed, test_size=0.2):
    order = np.random.default_rng(seed).permutation(n)
    n_held = round(test_size * n)
    return np.sort(order[n_held:]), np.sort(order[:n_held])


@pytest.mark.parametrize("seed", range(5))
def test_as_grid_search_of_scikit_learn_and_a_refit_is_on_the_whole_training_set(seed):
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
    method["tune"]["refit"] = True
    model, again, *_ = search(method, X, y, np.random.default_rng(seed), seed=3)
    np.testing.assert_array_equal(model.tree_.threshold, twin.fit(X, y).tree_.threshold)
    assert again == tuned


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


class Full(io.BytesIO):
    """A file on a full disk."""

    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_temporary_folder_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(holdout.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(holdout.tempfile, "TemporaryFile", Full)
    monkeypatch.setattr(holdout, "LARGE", 1)
    method = entry(SK, {"grid": {"max_depth": [1]}, "test_size": 0.2, "refit": False})
    with pytest.raises(InputError, match=f"temporary folder {tmp_path}, which TMPDIR names: the disk is full"):
        holdout.search(method, *noisy(), np.random.default_rng(1), seed=0)


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
    method = entry(SK, {"grid": {"max_depth": [1, 2, 3, None]}, "test_size": 0.2, "refit": False})
    assert not holdout.rows_of(X, np.arange(3)).flags.writeable  # all candidates share them
    found = holdout.search(method, X, y, np.random.default_rng(1), seed=0)
    assert max(most) == (0 if large == 1 else 1)  # beside the one that is made: none, or the best so far
    twin = true_make(method, 0, **found.tuned)
    kept, _ = parts(300, seed=1)
    np.testing.assert_array_equal(found.model.predict_proba(X), twin.fit(X[kept], y[kept]).predict_proba(X))


SIZES = [2, 10, 40, 150]


def by_grid(estimator, grid, cv=5, **params):
    price = {} if estimator == SK else {"ccp_alpha": 0.0}
    return entry(estimator, {"cv": cv, "grid": grid}, **price | params)


def separate(method, X, y, seed, learner):
    """Hits of each value, each from fits of its own on plain arrays."""
    hits, drawn = [], int(np.random.default_rng(seed).integers(2**31))
    for params in ParameterGrid(method["tune"]["grid"]):
        right = 0
        for kept, held in StratifiedKFold(method["tune"]["cv"], shuffle=True, random_state=drawn).split(X, y):
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
        ({"max_depth": [1, 2, 4, None]}, {"estimator": SK}, None),
    ],
)
def test_every_grid_gives_the_hits_of_separate_fits(grid, params, path):
    X, y = noisy(seed=4, n_classes=3)
    method = by_grid(**{"estimator": TREE, "grid": grid, "cv": 3} | params)
    assert inner_cv.prunable(method, grid) == path
    hits = inner_cv.correct(method, encode(X), y, np.random.default_rng(1), 2)
    assert hits.tolist() == separate(method, X, y, 1, 2)


@pytest.mark.parametrize(("hits", "chosen"), [([3, 5, 5], 10), ([4, 4, 4], 2), ([1, 2, 3], 40)])
def test_ties_of_folds_go_to_the_first(hits, chosen, monkeypatch):
    X, y = noisy()
    monkeypatch.setattr(inner_cv, "correct", lambda *arguments: np.array(hits))
    method = by_grid(TREE, {"min_samples_split": [2, 10, 40]})
    assert inner_cv.search(method, X, y, np.random.default_rng(0), 0)[1] == {"min_samples_split": chosen}


def test_the_row_tells_the_choice_and_times_only_the_last_fit(monkeypatch):
    """Every fit takes a second, so does every prediction."""
    seconds = []

    def ticking(method):
        def ticked(*arguments):
            seconds.append(1)
            return method(*arguments)

        return ticked

    for name in ("fit", "predict"):
        monkeypatch.setattr(DecisionTreeClassifier, name, ticking(getattr(DecisionTreeClassifier, name)))
    for part in (fit, sys.modules["ironbark.pipeline.protocols.holdout"]):
        monkeypatch.setattr(part, "cpu_seconds", lambda: len(seconds))
    X, y = noisy()

    def times(tune):
        record = fit.run(entry(SK, tune), IDS, X[:250], y[:250], X[250:], y[250:])
        assert record["status"] == "ok", record
        return tuple(record[name] for name in ("fit_seconds", "tune_seconds", "score_seconds")), record["tuned"]

    grid = {"max_depth": [1, 3]}
    found, tuned = times({"cv": 5, "grid": grid})
    assert found == (1, 20, 1) and tuned in ('{"max_depth": 1}', '{"max_depth": 3}')  # 5 folds, 2 fits and predictions
    assert times({"test_size": 0.2, "refit": True, "grid": grid})[0] == (1, 4, 1)
    assert times({"test_size": 0.2, "refit": False, "grid": grid})[0] == (1, 3, 1)
    assert times({}) == ((1, 0, 1), "{}")
