"""Imputation within a split: by definition, and never from test samples."""

import numpy as np
import pandas as pd
import pytest
from pipeline.jobs import batches

from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs import corrupt
from ironbark.pipeline.protocols.imputation import imputed, of_split
from ironbark.pipeline.results.noisy_labels import Split

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
    from ironbark.pipeline.data.fetch import fetch
    from ironbark.pipeline.data.prepare import prepare

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
    rows = {}
    for strategy in ("mean", "median"):
        folder, noise_id = prepared(strategy), "mahalanobis"
        about = {"model": "mahalanobis", "rate": None, "params": {}}
        protocol = {"kind": "repeated-cv", "repeats": 1, "options": {"folds": 3}}
        spec = {"dataset": "own", "task": "multiclass", "noises": {noise_id: about}, "protocol": protocol}
        labels = tmp_path / f"{strategy}.npz"
        corrupt.run(spec, folder, labels)
        tree = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {}, "tune": {}, "code": "1"}
        part = {
            "dataset": "own",
            "task": "multiclass",
            "methods": ["t"],
            "noises": {noise_id: {"noise": "m", "rate": ""}},
        }
        batch = {"study": "s", "scale": "full", "protocol": "repeated-cv", "parts": [part], "methods": {"t": tree}}
        batch |= {"versions": {}, "retry_failed": False}
        files = {("own", "multiclass"): labels}
        rows[strategy] = batches.rows(batch, {"own": folder}, files, tmp_path / "store", tmp_path / "fits.jsonl.gz")
        assert set(rows[strategy]["status"]) == {"ok"}, set(rows[strategy]["message"])
    assert not set(rows["mean"]["key"]) & set(rows["median"]["key"])
