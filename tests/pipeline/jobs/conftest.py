"""A small prepared data set, its noisy labels, and a spec of fits on them."""

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt

ENTRY = {
    "title": "Small",
    "source": "file",
    "path": "set per test",
    "split": {"train_size": 0.8, "random_state": 0, "stratify": True},
}
SK = "sklearn.tree.DecisionTreeClassifier"


@pytest.fixture(scope="session")
def small_table():
    """Sixty rows of three classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).round(2)
    return pd.DataFrame(X, columns=list("abc")).assign(target=np.repeat([0, 1, 2], 20))


@pytest.fixture
def prepared(tmp_path, small_table):
    """Folder of the prepared table."""
    small_table.to_parquet(tmp_path / "small.parquet", index=False)
    entry = {**ENTRY, "path": str(tmp_path / "small.parquet"), "positive": [2]}
    return prepare("small", entry, fetch("small", entry, tmp_path / "raw"), tmp_path / "prepared" / "small")


@pytest.fixture
def labels(tmp_path, prepared):
    """Function that corrupts: (noise id, repeats) -> labels file."""

    def make(noise_id="uniform-0.2", repeats=2, renamed=None, noise=None, **changes):
        model = {"uniform-0.2": ("uniform", 0.2), "clean": ("clean", None), "mahalanobis": ("mahalanobis", None)}
        ids = [noise_id] if isinstance(noise_id, str) else noise_id
        made = {one: {"model": model[one][0], "rate": model[one][1], "params": {}} for one in ids}
        noises = {renamed or one: noise or about for one, about in made.items()}
        spec = {
            "dataset": "small",
            "task": "multiclass",
            "noises": noises,
            "protocol": {"kind": "fixed-split", "repeats": repeats, "options": {"max_train": None}},
        }
        out = tmp_path / "labels/multiclass.npz"
        corrupt.run(Labels(**spec | changes), prepared, out)
        return out

    return make


@pytest.fixture
def spec():
    """Spec of a shard: one noise, two methods."""
    methods = {
        name: {"estimator": SK, "params": {"criterion": name}, "tune": {}, "label": name, "code": "1"}
        for name in ("gini", "entropy")
    }
    return {
        "study": "s",
        "scale": "full",
        "protocol": "fixed-split",
        "repeats": 2,
        "parts": [
            {
                "dataset": "small",
                "task": "multiclass",
                "noises": {"uniform-0.2": {"noise": "uniform", "rate": "0.2"}},
                "methods": ["gini", "entropy"],
            }
        ],
        "methods": methods,
        "versions": {"python": "3.11"},
        "retry_failed": False,
    }
