import hashlib
import importlib.util
import io
import json
import sys
from pathlib import Path

import makers
import pandas as pd
import pytest
from server import Answer

from ironbark.datasets import checksums
from ironbark.datasets.fetch import fetch
from ironbark.errors import InputError

ENTRY = {"title": "T", "source": "openml", "openml_id": 7, "target": "class"}
TABLE = {"x": [0.5, 2, None], "c": ["u", "v", "u"], "serial": [1, 2, 3], "class": ["7", "8", "8"]}


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openml", None)
    with pytest.raises(InputError, match="data set 'a' comes.*run `.venv/bin/pip install -r envs/run.lock`"):
        fetch("a", ENTRY, tmp_path)


@pytest.fixture
def openml(site, monkeypatch):
    """The server, which the package takes for openml.org."""
    if importlib.util.find_spec("openml") is None:
        pytest.skip("the package openml is not installed")
    import openml

    monkeypatch.setattr(openml.config, "server", f"{site.address}/api/v1/xml")
    monkeypatch.setattr(openml._api_calls.time, "sleep", lambda seconds: None)
    monkeypatch.setenv("no_proxy", "*")
    return site


def parquet():
    buffer = io.BytesIO()
    frame = pd.DataFrame(TABLE).astype({"c": "category", "class": "category"})
    frame.assign(x=[0.25, 2, None]).to_parquet(buffer, index=False)
    return buffer.getvalue()


def test_the_arff_file_of_old_data_sets(openml):
    openml.put_openml(7, makers.ARFF)
    table = pd.read_parquet(fetch("a", ENTRY, Path("raw/a")))
    assert table.astype(object).where(table.notna(), None).to_dict("list") == TABLE
    address, sum_ = f"{openml.address}/d/7#dataset.arff", hashlib.sha256(makers.ARFF).hexdigest()
    facts = json.loads(Path("raw/a/fetch.json").read_text(encoding="utf-8"))
    assert facts["files"] == [{"url": address, "sha256": sum_, "bytes": len(makers.ARFF)}]
    assert (facts["source"], facts["openml_id"]) == ("openml", 7)
    assert checksums.recorded(address) == sum_
    assert list(Path("raw/a/openml").rglob("dataset.arff")), "the cache is in the raw folder"


def test_the_parquet_file_goes_first(openml):
    openml.put_openml(7, makers.ARFF, parquet())
    assert pd.read_parquet(fetch("a", ENTRY, Path("raw/a")))["x"][0] == 0.25
    assert openml.times("data/v1/download/7/toy.arff") == 0
    assert checksums.recorded(f"{openml.address}/d/7#dataset_7.pq")


def test_the_arff_file_stands_in_for_a_parquet_file_that_is_gone(openml):
    openml.put_openml(7, makers.ARFF, parquet())
    del openml.files["dataset7/dataset_7.pq"]
    assert pd.read_parquet(fetch("a", ENTRY, Path("raw/a")))["x"][0] == 0.5


def test_ignored_columns_are_left_out(openml):
    openml.put_openml(7, makers.ARFF, ignored=["serial"])
    assert list(pd.read_parquet(fetch("a", ENTRY, Path("raw/a"))).columns) == ["x", "c", "class"]


def test_faults_that_pass(openml):
    openml.put_openml(7, makers.ARFF)
    openml.files["data/v1/download/7/toy.arff"].instead += [Answer(cut=50), Answer(200, b"other bytes")]
    assert len(pd.read_parquet(fetch("a", ENTRY, Path("raw/a")))) == 3


@pytest.mark.parametrize("path", ["api/v1/xml/data/7", "data/v1/download/7/toy.arff"])
@pytest.mark.parametrize(
    "answer", [Answer(404), Answer(500, b"<html>"), Answer(200, b"<html><body>log in"), Answer(cut=20)]
)
def test_faults_that_stay_are_one_sentence(openml, path, answer):
    openml.put_openml(7, makers.ARFF)
    openml.files[path].always = answer
    with pytest.raises(
        InputError, match="data set 'a': OpenML did not give data set 7 .*; check `openml_id` and"
    ) as error:
        fetch("a", ENTRY, Path("raw/a"))
    assert "\n" not in str(error.value)
    assert not Path("raw/a/table.parquet").exists()
    openml.files[path].always = None
    fetch("a", ENTRY, Path("raw/a"))


def test_an_unknown_number_is_named(openml):
    with pytest.raises(InputError, match="did not give data set 7 .*Unknown dataset"):
        fetch("a", ENTRY, Path("raw/a"))


def test_a_damaged_file_is_named_and_not_enforced(openml):
    openml.put_openml(7, makers.ARFF.replace(b"0.5,u,1,7", b"0.5,u,7"))
    with pytest.raises(InputError, match="'a': .*/d/7#dataset.arff is no table or is damaged .*; fetch again"):
        fetch("a", ENTRY, Path("raw/a"))
    openml.put_openml(7, makers.ARFF)
    fetch("a", ENTRY, Path("raw/a"))


def test_a_changed_file_is_refused(openml):
    openml.put_openml(7, makers.ARFF, parquet())
    fetch("a", ENTRY, Path("raw/a"))
    openml.put_openml(7, makers.ARFF, parquet() + b" ")
    with pytest.raises(InputError, match="7#dataset_7.pq has SHA-256 .*config/checksums.yaml has, since the first"):
        fetch("a", ENTRY, Path("raw/b"))
    assert not list(Path("raw/b").rglob("*.pq"))


def test_two_jobs_do_not_fight(openml):
    import threading

    openml.put_openml(7, makers.ARFF)
    threads = [threading.Thread(target=fetch, args=("a", ENTRY, Path("raw/a"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert openml.times("data/v1/download/7/toy.arff") == 1
