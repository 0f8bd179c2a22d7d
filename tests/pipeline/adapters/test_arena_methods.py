"""One fit of each method of config/methods/arena.yaml, as the pipeline makes them, and what those without lack."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_limits

from ironbark.noise import corrupt
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.study import scale_caps
from ironbark.pipeline.protocols import fit
from ironbark.pipeline.results.records import MEASURED

ENTRIES = yaml.safe_load((Path(__file__).parents[3] / "config/methods/arena.yaml").read_text("utf-8"))
METHODS = {name: entry for name, entry in ENTRIES.items() if "group" not in entry}


def parameter(name):
    absent = packages.missing(METHODS[name].get("needs", ()))
    reason = f"{' and '.join(absent)} not installed; envs/arena.lock has it"
    return pytest.param(name, marks=pytest.mark.skipif(bool(absent), reason=reason))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", [parameter(name) for name in METHODS])
def test_a_fit_is_good_reproducible_and_leaves_no_file(name, n_classes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = make_blobs(180, 5, centers=n_classes, random_state=1)
    noisy = corrupt("uniform", X, y, rate=0.1, random_state=0)
    method = scale_caps.method(METHODS[name], name, {"n_estimators": 5})
    ids = ("toy", "task", "protocol", 0, 0, "noise")

    def record():
        state = np.random.RandomState(fit.seed_of(ids)).get_state()[1]  # of which a method should draw nothing
        with threadpool_limits(1):
            found = fit.run(method, ids, X[:120], noisy[:120], X[120:], y[120:], wanted=("probabilities",))
        assert np.array_equal(state, np.random.get_state()[1])
        return {key: value for key, value in found.items() if key not in MEASURED}

    first = record()
    assert first["status"] == "ok", first.get("message")
    assert first["train_accuracy"] > 0.75 and "probabilities" in first["outputs"]
    assert record() == first and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["tabpfn", "tabicl"])
def test_foundation_models_are_left_out_without_weights_or_package_and_download_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = ENTRIES[name]["params"]["model_path"]
    assert ENTRIES[name]["needs"] == [name, file] and not ENTRIES[name]["params"].get("allow_auto_download")
    found = {"package": object()}
    monkeypatch.setattr(packages, "find_spec", lambda _: found.get("package"))
    assert packages.lacking({name: ENTRIES[name]}) == {name: [file]}
    assert packages.command([file]) == f"put the file {file} there"
    found.clear()
    both = packages.command(packages.lacking({name: ENTRIES[name]})[name])
    assert both == f"`.venv/bin/pip install {name}`, and put the file {file} there"
    found["package"] = object()
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("weights")
    assert packages.lacking({name: ENTRIES[name]}) == {}
