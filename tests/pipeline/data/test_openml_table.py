"""Source openml: description by the package openml, files by our download, faults as one sentence."""

import hashlib
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from unittest.mock import Mock

import makers
import pandas as pd
import pytest
import requests
import urllib3
from server import Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import download as web
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.sources import openml_table

ENTRY = {"title": "T", "source": "openml", "openml_id": 7, "target": "class"}
FILE, ABOUT, PARQUET = "data/v1/download/7/toy.arff", "api/v1/xml/data/7", "dataset7/dataset_7.pq"
RAW = Path("raw/a")
TABLE = {"x": [0.5, 2, None], "c": ["u", "v", "u"], "serial": [1, 2, 3], "class": ["7", "8", "8"]}


def read():
    return pd.read_parquet(fetch("a", ENTRY, RAW))


def parquet():
    buffer = io.BytesIO()
    frame = pd.DataFrame(TABLE).astype({"c": "category", "class": "category"})
    frame.assign(x=[0.25, 2, None]).to_parquet(buffer, index=False)
    return buffer.getvalue()


@pytest.fixture
def openml(site, monkeypatch):
    """The server, which the package takes for openml.org."""
    package = pytest.importorskip("openml")
    monkeypatch.setattr(package.config, "server", f"{site.address}/api/v1/xml")
    monkeypatch.setattr(package._api_calls.time, "sleep", lambda seconds: None)
    site.put_openml(7, makers.ARFF)
    return site


def edit(openml, old, new):
    """Replace a part of the description of the data set."""
    file = openml.files[ABOUT]
    assert old in file.body
    file.body = file.body.replace(old, new)


@pytest.mark.parametrize("other", [None, parquet()], ids=["alone", "with Parquet"])
def test_the_arff_file_is_taken_whose_md5_openml_knows(openml, other):
    openml.put_openml(7, makers.ARFF, other)
    table = read()
    assert table.astype(object).where(table.notna(), None).to_dict("list") == TABLE
    facts = json.loads((RAW / "fetch.json").read_text(encoding="utf-8"))
    sum_ = hashlib.sha256(makers.ARFF).hexdigest()
    assert facts["files"] == [{"url": f"{openml.address}/{FILE}", "sha256": sum_, "bytes": len(makers.ARFF)}]
    assert (facts["source"], facts["openml_id"]) == ("openml", 7)
    assert openml.times(PARQUET) == 0, "it comes over plain HTTP without a checksum"
    asked = len(openml.asked)
    read()
    assert len(openml.asked) == asked, "description and file are kept in the raw folder"
    assert not [path for path in left(RAW) if "pkl" in path]


def test_ignored_columns_are_left_out_and_may_be_in_drop(openml):
    openml.put_openml(7, makers.ARFF, ignored=["serial"])
    assert list(read().columns) == ["x", "c", "class"]
    entry = ENTRY | {"drop": ["serial"], "missing": "keep"}
    assert load(prepare("a", entry, RAW / "table.parquet", Path("prepared/a"))).meta["features"] == ["x", "c"]
    with pytest.raises(InputError, match="there is no column 'serials' to drop"):
        prepare("a", entry | {"drop": ["serials"]}, RAW / "table.parquet", Path("prepared/b"))


def test_names_to_ignore_may_be_one_text_and_true_and_false_are_booleans(openml):
    arff = makers.ARFF.replace(b"{u,v}", b"{TRUE,false}").replace(b",u,", b",TRUE,").replace(b",v,", b",false,")
    openml.put_openml(7, arff, ignored=["\"serial\",'x'"])
    assert read().to_dict("list") == {"c": [True, False, True], "class": ["7", "8", "8"]}


SILENT = Answer(cut=0, until=threading.Event())
REMEDY = "; check `openml_id` and the network"


@pytest.mark.parametrize(
    ("path", "answer", "words"),
    [
        *((ABOUT, answer, REMEDY) for answer in (Answer(404), Answer(500), Answer(200, b"<html>"), SILENT)),
        (FILE, Answer(404), "toy.arff .*; check the network"),
        (FILE, Answer(200, b"another file"), "toy.arff has SHA-256 .* the catalogue expects md5:"),
    ],
)
def test_faults_are_one_sentence_and_forgotten(openml, monkeypatch, path, answer, words):
    monkeypatch.setattr(openml_table, "TIMEOUT", 0.5)
    openml.files[path].always = answer
    with pytest.raises(InputError, match=f"data set 'a': .*{words}") as error:
        read()
    SILENT.until.set()
    assert "\n" not in str(error.value) and not (RAW / "table.parquet").exists()
    openml.files[path].always = None
    read()


@pytest.mark.parametrize(
    ("arff", "md5", "words"),
    [
        (makers.ARFF, "0" * 32, "'a': .*toy.arff .* the catalogue expects md5:0{32}"),
        (makers.ARFF.replace(b"0.5,u,1,7", b"0.5,u,7"), None, "/7/toy.arff is no table or is damaged .*; fetch again"),
    ],
)
def test_a_bad_file_is_neither_kept_nor_replaced_by_the_parquet_file(openml, arff, md5, words):
    openml.put_openml(7, arff, parquet(), md5=md5)
    with pytest.raises(InputError, match=words):
        read()
    openml.put_openml(7, makers.ARFF)
    read()


URL = b"<oml:url>%s</oml:url>"
GONE = {
    "api": lambda openml: edit(openml, URL % f"{openml.address}/{FILE}".encode(), b""),
    "file": lambda openml: setattr(openml.files[FILE], "always", Answer(404)),
    "page": lambda openml: setattr(openml.files[FILE], "always", Answer(200, b"<oml:error>gone</oml:error>")),
}


@pytest.mark.parametrize("name", GONE)
def test_the_parquet_file_is_taken_where_the_arff_file_is_gone(openml, monkeypatch, name):
    openml.put_openml(7, makers.ARFF, parquet(), ignored=["serial"])
    GONE[name](openml)
    table = read()
    assert list(table.columns) == ["x", "c", "class"] and table["x"].tolist()[:2] == [0.25, 2]
    (facts,) = json.loads((RAW / "fetch.json").read_text(encoding="utf-8"))["files"]
    assert facts["url"].endswith("dataset_7.pq") and facts["verified"] is False
    edit(openml, f"{openml.address}/dataset7".encode(), b"http://a.example/dataset7")
    asked = Mock(side_effect=web.Refused("no"))
    monkeypatch.setattr(web, "ask", asked)
    with pytest.raises(InputError, match="no"):
        fetch("b", ENTRY, Path("raw/b"))
    assert asked.call_args.args == ("https://a.example/dataset7/dataset_7.pq",), "of another host it comes encrypted"


def test_exceptions_of_the_client_are_one_sentence_and_a_wrong_certificate_is_not_tried_again(openml, monkeypatch):
    import openml as package

    asked = Mock(side_effect=requests.exceptions.SSLError("certificate verify failed"))
    with monkeypatch.context() as patch, pytest.raises(InputError, match=f"certificate is not accepted.*{REMEDY}"):
        patch.setattr(requests.Session, "request", asked)
        read()
    assert asked.call_count == 1
    for fault in (urllib3.exceptions.ProtocolError("broken"), KeyError("oml:data_set_description")):
        monkeypatch.setattr(package.datasets, "get_dataset", Mock(side_effect=fault))
        with pytest.raises(InputError, match=f"give data set 7 .{type(fault).__name__}: .*{REMEDY}"):
            read()


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openml", None)
    with pytest.raises(InputError, match="data set 'a' comes from OpenML.*pip install -r envs/run.lock`"):
        fetch("a", ENTRY, tmp_path)


def test_the_package_is_imported_without_a_home(tmp_path):
    code = "from ironbark.pipeline.data.sources import openml_table as t; from pathlib import Path; "
    code += f"print(t._package('a', Path({str(tmp_path)!r})).config.server)"
    variables = {name: value for name, value in os.environ.items() if not name.startswith("XDG")}
    variables |= {"HOME": "/dev/null", "PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "openml" in done.stdout, done.stderr
