"""Preprocessing and imputation within a split: by definition, and never from test samples."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scored_fits
from scipy.stats import zscore

from ironbark.encoding import encode
from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt, shard
from ironbark.pipeline.protocols import preprocessing
from ironbark.pipeline.protocols.imputation import imputed, of_split
from ironbark.pipeline.results import noisy_labels
from ironbark.pipeline.results.noisy_labels import Split


def test_rows_are_scaled_as_by_scipy():
    X = np.random.default_rng(0).normal(3, 5, size=(7, 4))
    np.testing.assert_allclose(preprocessing.apply("zscore-rows", X), zscore(X, axis=1), atol=1e-14)
    assert preprocessing.apply("zscore-rows", [[2.0, 2.0], [1.0, 3.0]]).tolist() == [[0, 0], [-1, 1]]
    X = np.eye(2)
    assert preprocessing.apply(None, X) is X
    preprocessing.check(None)
    with pytest.raises(InputError, match="unknown preprocessing 'zscore'; choose one of zscore-rows"):
        preprocessing.check("zscore")


def test_training_and_test_features_are_scaled():
    """The class is the sign of the difference to the other feature, which scaled rows show in one split."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 1)) * 50 + rng.normal(size=(400, 2))
    y = (X[:, 0] > X[:, 1]).astype(int)
    method = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": 1}, "tune": {}}
    parts = X[:200], y[:200], X[200:], y[200:]
    ids = ("d", "binary", "p", 0, 0, "clean")
    plain, scaled = (scored_fits.run(method | {"preprocess": name}, ids, *parts) for name in (None, "zscore-rows"))
    assert scaled["accuracy"] == 1 and plain["accuracy"] < 0.7


N = np.nan
TRAIN = np.array([[1.0, 0.0, N], [2.0, N, N], [N, 2.0, N], [6.0, 2.0, N]])
TEST = np.array([[N, N, 5.0], [100.0, 1.0, N]])


@pytest.mark.parametrize(("strategy", "first"), [("mean", 3.0), ("median", 2.0), ("most_frequent", 1.0)])
def test_by_definition(strategy, first):
    train, test = imputed(TRAIN, TEST, strategy, categorical=[1])
    assert train.tolist() == [[1, 0, 0], [2, 2, 0], [first, 2, 0], [6, 2, 0]]
    assert test.tolist() == [[first, 2, 5], [100, 1, 0]]


TABLE = pd.DataFrame({"a": [1.0, None, 3.0, 4.0, 5.0, None] * 5, "b": ["x", "y", None, "x", "x", "y"] * 5})


@pytest.fixture
def prepared(tmp_path):
    """Function of a strategy: the prepared data set."""
    TABLE.assign(target=[0, 1, 2] * 10).to_csv(tmp_path / "own.csv", index=False)

    def prepared_(strategy):
        entry = {"title": "Own", "source": "file", "path": str(tmp_path / "own.csv"), "missing": strategy}
        raw = fetch("own", entry, tmp_path / strategy / "raw", None)
        return prepare("own", entry, raw, tmp_path / strategy / "prepared")

    return prepared_


def test_what_test_samples_hold_changes_nothing_in_training(prepared):
    data = bundle.load(prepared("mean"), verify=True)
    split = Split(0, 0, np.arange(12), np.arange(12, 30))
    train, test = of_split(data.features, split, data.meta)
    a = TABLE["a"][:12]
    assert np.array_equal(train.decode()[:, 0], a.fillna(a.mean()))
    assert np.array_equal(test[:, 0], TABLE["a"][12:].fillna(a.mean()))
    assert np.array_equal(train.decode()[:, 1], (TABLE["b"][:12].fillna("x") == "y").astype(float))
    other = of_split(data.features, split._replace(test=np.arange(20, 25)), data.meta)[0]
    assert np.array_equal(other.decode(), train.decode())


def test_strategies_do_not_share_fits_and_noise_sees_no_missing_value(prepared, tmp_path):
    """The prepared arrays are the same, so the key has to tell them apart."""
    keys = []
    for strategy in ("mean", "median"):
        folder, labels = prepared(strategy), tmp_path / f"{strategy}.npz"
        noises = {"mahalanobis": {"model": "mahalanobis", "rate": None, "params": {}}}
        protocol = {"kind": "repeated-cv", "repeats": 1, "options": {"folds": 3}}
        corrupt.run(Labels("own", "multiclass", noises, protocol), folder, labels)
        found = noisy_labels.read(labels, "mahalanobis")
        depends = shard.depends_on(bundle.load(folder), ("own", "multiclass"), found.splits[0], found.noisy[0])
        keys.append(depends | {"labels": ""})
    assert keys[0] != keys[1] and keys[0] == keys[1] | {"imputed": "mean"}


def test_trees_part_the_categories_of_a_prepared_table():
    words = np.tile(["ash", "elm", "fir", "oak"], 20)
    y, ranks = np.tile([1, 0, 1, 0], 20), np.tile([0.0, 1.0, 2.0, 3.0], 20)
    X = encode(np.column_stack([np.arange(80.0), ranks]))
    meta = {"features": ["x", "tree"], "categories": {"tree": sorted(set(words))}, "digest": "d"}
    data = SimpleNamespace(features=X, meta=meta, y=lambda task: y)
    split = SimpleNamespace(train=np.arange(60), test=np.arange(60, 80), repeat=0, fold=0)
    method = {"estimator": "ironbark.RobustDecisionTreeClassifier", "params": {"max_depth": 1}, "tune": {}}
    for preprocess, accuracy in ((None, 0.75), ("categories", 1.0)):
        parts = shard.Parts(data, "binary")
        record = shard.trained(parts, {**method, "preprocess": preprocess}, ("t", "binary"), split, y[:60])
        assert record["status"] == "ok" and record["train_accuracy"] == pytest.approx(accuracy, abs=0.02)
