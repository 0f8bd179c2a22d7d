"""A small prepared data set, its noisy labels, and a spec of fits on them."""

import shutil

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.job_specs import Labels, Shard
from ironbark.pipeline.jobs import corrupt, score, shard
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.metrics import outputs
from ironbark.pipeline.protocols import fit
from ironbark.pipeline.results import parquet, records
from ironbark.pipeline.results.store import read_batch

SPLIT = {"train_size": 0.8, "random_state": 0, "stratify": True}
SK = "sklearn.tree.DecisionTreeClassifier"


@pytest.fixture(scope="session")
def small_table():
    """Sixty rows of three classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).round(2)
    return pd.DataFrame(X, columns=list("abc")).assign(target=np.repeat([0, 1, 2], 20))


@pytest.fixture(scope="session")
def prepared_once(tmp_path_factory, small_table):
    """Folder of the prepared table, only to be copied."""
    place = tmp_path_factory.mktemp("small")
    small_table.to_parquet(place / "small.parquet", index=False)
    entry = {"title": "Small", "source": "file", "path": str(place / "small.parquet"), "split": SPLIT, "positive": [2]}
    return prepare("small", entry, fetch("small", entry, place / "raw"), place / "prepared")


@pytest.fixture
def prepared(tmp_path, prepared_once):
    """A private copy of that folder."""
    return shutil.copytree(prepared_once, tmp_path / "prepared" / "small")


@pytest.fixture
def labels(tmp_path, prepared):
    """Function that corrupts: (noise id, repeats) -> labels file."""

    def make(noise_id="uniform-0.2", repeats=2, renamed=None, noise=None, **changes):
        model = {"uniform-0.2": ("uniform", 0.2), "clean": ("clean", None)}
        ids = [noise_id] if isinstance(noise_id, str) else noise_id
        made = {one: {"model": model[one][0], "rate": model[one][1], "params": {}} for one in ids}
        noises = {renamed or one: noise or about for one, about in made.items()}
        spec = {
            "dataset": "small",
            "task": "multiclass",
            "noises": noises,
            "protocol": {"kind": "fixed-split", "repeats": repeats, "options": {"max_train": None}},
        }
        out = tmp_path / "labels/small/multiclass.npz"
        corrupt.run(Labels(**spec | changes), prepared, out)
        return out

    return make


@pytest.fixture
def spec():
    """Spec of a shard: one noise, two methods."""
    plain = {"estimator": SK, "tune": {}, "code": "1"}
    methods = {name: plain | {"params": {"criterion": name}, "label": name} for name in ("gini", "entropy")}
    part = {"dataset": "small", "task": "multiclass", "methods": ["gini", "entropy"]}
    part["noises"] = {"uniform-0.2": {"noise": "uniform", "rate": "0.2"}}
    about = {"study": "s", "scale": "full", "protocol": "fixed-split", "repeats": 2, "versions": {"python": "3.11"}}
    return about | {"parts": [part], "methods": methods, "retry_failed": False}


@pytest.fixture
def run(tmp_path, prepared, labels, monkeypatch):
    """Function that runs a spec and scores it with further metrics: (rows, number of fits that were new)."""
    calls, true_run = [], fit.run
    monkeypatch.setattr(fit, "run", lambda *arguments: calls.append(arguments) or true_run(*arguments))

    def run_(spec, store="store", names=()):
        calls.clear()
        samples = Samples([prepared], [labels([*part["noises"]], spec["repeats"]) for part in spec["parts"]])
        spec = {"wanted": {"multiclass": outputs(names, "multiclass")}} | spec
        shard.run(Shard.of(spec), samples, tmp_path / store, tmp_path / "out.jsonl.gz")
        table = score.Scorer(samples, names).table(*read_batch(tmp_path / "out.jsonl.gz"))
        records.write(table, tmp_path / "out.jsonl.parquet")
        return parquet.read(tmp_path / "out.jsonl.parquet"), len(calls)

    return run_
