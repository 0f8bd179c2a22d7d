"""One fit of each method of config/methods/arena.yaml; TabPFN and TabICL through stubs of their interfaces."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_limits

from ironbark.errors import InputError
from ironbark.noise import corrupt
from ironbark.pipeline.plan.config import estimators, packages
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
        state = np.random.get_state()[1].copy()
        with threadpool_limits(1):
            found = fit.run(method, ids, X[:120], noisy[:120], X[120:], y[120:], wanted=("probabilities",))
        assert np.array_equal(state, np.random.get_state()[1])
        return {key: value for key, value in found.items() if key not in MEASURED}

    first = record()
    assert first["status"] == "ok", first.get("message")
    assert first["train_accuracy"] > 0.75 and "probabilities" in first["outputs"]
    assert record() == first
    assert not list(tmp_path.iterdir())


STUB = '''
from pathlib import Path

from sklearn.naive_bayes import GaussianNB


class {name}(GaussianNB):
    """Takes the parameters of the entry, and refuses weights that are not there, as a download would have to follow."""

    def __init__(self, *, model_path="auto", device="auto", random_state=0{further}):
        super().__init__()
        self.model_path, self.device, self.random_state = model_path, device, random_state
        {keep}

    def fit(self, X, y):
        assert Path(self.model_path).read_text() == "weights" and self.device == "cpu"
        return super().fit(X, y)
'''
FURTHER = {
    "tabpfn": ("TabPFNClassifier", "", "pass"),
    "tabicl": ("TabICLClassifier", ", allow_auto_download=True", "self.allow_auto_download = allow_auto_download"),
}


@pytest.fixture(params=FURTHER)
def name(request):
    return request.param


@pytest.fixture
def stub(tmp_path, monkeypatch, name):
    """A stub of the package, on the path of this process and of those that it starts."""
    cls, further, keep = FURTHER[name]
    (tmp_path / f"{name}.py").write_text(STUB.format(name=cls, further=further, keep=keep))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop(name, None)
    importlib.invalidate_caches()


def weights(name):
    path = Path(ENTRIES[name]["params"]["model_path"])
    path.parent.mkdir(parents=True)
    path.write_text("weights")


def test_it_is_left_out_without_weights_or_package(stub, name, monkeypatch):
    file = ENTRIES[name]["params"]["model_path"]
    assert ENTRIES[name]["needs"] == [name, file]
    lacking = packages.lacking({name: ENTRIES[name]})
    assert lacking == {name: [file]}
    assert packages.command(lacking[name]) == f"put the file {file} there"
    with monkeypatch.context() as patch:
        patch.setattr(packages, "find_spec", lambda _: None)
        both = packages.command(packages.lacking({name: ENTRIES[name]})[name])
    assert both == f"`.venv/bin/pip install {name}`, and put the file {file} there"
    weights(name)
    assert packages.lacking({name: ENTRIES[name]}) == {}


def test_a_fit_reads_the_weights_and_downloads_nothing(stub, name):
    assert estimators.check(ENTRIES[name]) == {"binary", "multiclass"}
    X, y = make_blobs(90, 4, centers=3, random_state=0)
    method = scale_caps.method(ENTRIES[name], name, {})
    ids = ("toy", "multiclass", "protocol", 0, 0, "clean")
    failed = fit.run(method, ids, X[:60], y[:60], X[60:], y[60:])
    assert failed["status"] == "failed" and "No such file" in failed["message"]
    weights(name)
    done = fit.run(method, ids, X[:60], y[:60], X[60:], y[60:], wanted=["probabilities"])
    assert done["status"] == "ok" and "probabilities" in done["outputs"]
    if name == "tabicl":
        assert ENTRIES[name]["params"]["allow_auto_download"] is False


def test_a_misspelt_parameter_is_refused(stub, name):
    with pytest.raises(InputError, match="no parameter 'model_pth'; did you mean 'model_path'"):
        estimators.check(ENTRIES[name] | {"params": {"model_pth": "x"}})
