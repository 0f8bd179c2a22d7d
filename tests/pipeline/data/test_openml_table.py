import hashlib
import importlib.util
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
from server import Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import download as web
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.download import download
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.sources import openml_table

ENTRY = {"title": "T", "source": "openml", "openml_id": 7, "target": "class"}
FILE, ABOUT = "data/v1/download/7/toy.arff", "api/v1/xml/data/7"
RAW = Path("raw/a")
TABLE = {"x": [0.5, 2, None], "c": ["u", "v", "u"], "serial": [1, 2, 3], "class": ["7", "8", "8"]}


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openml", None)
    with pytest.raises(InputError, match="data set 'a' comes from OpenML.*pip install -r envs/run.lock`"):
        fetch("a", ENTRY, tmp_path)


@pytest.fixture
def openml(site, monkeypatch):
    """The server, which the package takes for openml.org."""
    if importlib.util.find_spec("openml") is None:
        pytest.skip("the package openml is not installed")
    import openml

    monkeypatch.setattr(openml.config, "server", f"{site.address}/api/v1/xml")
    monkeypatch.setattr(openml._api_calls.time, "sleep", lambda seconds: None)
    return site


@pytest.fixture
def fetched(openml):
    """Function that offers a data set and reads its table."""

    def read(arff=makers.ARFF, *more, **options):
        openml.put_openml(7, arff, *more, **options)
        return pd.read_parquet(fetch("a", ENTRY, RAW))

    return read


def parquet():
    buffer = io.BytesIO()
    frame = pd.DataFrame(TABLE).astype({"c": "category", "class": "category"})
    frame.assign(x=[0.25, 2, None]).to_parquet(buffer, index=False)
    return buffer.getvalue()


@pytest.mark.parametrize("other", [None, parquet()], ids=["alone", "with Parquet"])
def test_the_arff_file_is_taken_whose_md5_openml_knows(openml, fetched, other):
    table = fetched(makers.ARFF, other)
    assert table.astype(object).where(table.notna(), None).to_dict("list") == TABLE
    facts = json.loads((RAW / "fetch.json").read_text(encoding="utf-8"))
    address, sum_ = f"{openml.address}/{FILE}", hashlib.sha256(makers.ARFF).hexdigest()
    assert facts["files"] == [{"url": address, "sha256": sum_, "bytes": len(makers.ARFF)}]
    assert (facts["source"], facts["openml_id"]) == ("openml", 7)
    assert openml.times("dataset7/dataset_7.pq") == 0, "it comes over plain HTTP without a checksum"
    assert not [path for path in left(RAW) if "pkl" in path]
    asked = len(openml.asked)
    fetch("a", ENTRY, RAW)
    assert len(openml.asked) == asked, "description and file are kept in the raw folder"


def test_ignored_columns_are_left_out_and_may_be_in_drop(fetched):
    assert list(fetched(ignored=["serial"]).columns) == ["x", "c", "class"]
    entry = ENTRY | {"drop": ["serial"], "missing": "keep"}
    assert load(prepare("a", entry, RAW / "table.parquet", Path("prepared/a"))).meta["features"] == ["x", "c"]
    with pytest.raises(InputError, match="there is no column 'serials' to drop"):
        prepare("a", entry | {"drop": ["serials"]}, RAW / "table.parquet", Path("prepared/b"))


@pytest.mark.parametrize("text", ["serial,c", "\"serial\",'c'"])
def test_names_to_ignore_may_be_one_text(fetched, text):
    assert list(fetched(ignored=[text]).columns) == ["x", "class"]


def test_true_and_false_are_booleans(fetched):
    arff = makers.ARFF.replace(b"{u,v}", b"{TRUE,false}").replace(b",u,", b",TRUE,").replace(b",v,", b",false,")
    assert fetched(arff)["c"].tolist() == [True, False, True]


@pytest.mark.parametrize("path", [ABOUT, FILE])
@pytest.mark.parametrize("answer", [Answer(404), Answer(500, b"<html>"), Answer(200, b"<html>log in"), Answer(cut=0)])
def test_faults_that_stay_are_one_sentence(openml, path, answer):
    openml.put_openml(7, makers.ARFF)
    openml.files[path].always = answer
    said = "toy.arff .*; check the network" if path == FILE else "OpenML did not give data set 7 .*; check `openml_id`"
    with pytest.raises(InputError, match=f"data set 'a': .*{said}") as error:
        fetch("a", ENTRY, RAW)
    assert "\n" not in str(error.value) and not (RAW / "table.parquet").exists()
    openml.files[path].always = None
    fetch("a", ENTRY, RAW)


@pytest.mark.parametrize(
    ("arff", "md5", "sentence"),
    [
        (makers.ARFF, "0" * 32, "'a': .*toy.arff has not the MD5 0{32}"),
        (makers.ARFF.replace(b"0.5,u,1,7", b"0.5,u,7"), None, "/7/toy.arff is no table or is damaged .*; fetch again"),
    ],
)
def test_a_bad_file_is_neither_kept_nor_replaced_by_the_parquet_file(openml, fetched, arff, md5, sentence):
    with pytest.raises(InputError, match=sentence):
        fetched(arff, parquet() if md5 else None, md5=md5)
    fetched()


def test_two_jobs_do_not_fight(openml):
    openml.put_openml(7, makers.ARFF)
    threads = [threading.Thread(target=fetch, args=("a", ENTRY, Path("raw/a"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert openml.times("data/v1/download/7/toy.arff") == 1


GONE = [
    ("api", None, lambda openml: without(openml, "<oml:url>", "</oml:url>")),
    ("file", None, lambda openml: setattr(openml.files[FILE], "always", Answer(404))),
    ("page", None, lambda openml: setattr(openml.files[FILE], "always", Answer(200, b"<oml:error>gone</oml:error>"))),
]


def without(openml, start, end):
    """Take an element out of the description of the data set."""
    file = openml.files["api/v1/xml/data/7"]
    text = file.body.decode()
    file.body = (text[: text.index(start)] + text[text.index(end) + len(end) :]).encode()


@pytest.mark.parametrize("loses", [each[2] for each in GONE], ids=[each[0] for each in GONE])
def test_the_parquet_file_is_taken_where_the_arff_file_is_gone(openml, loses):
    openml.put_openml(7, makers.ARFF, parquet(), ignored=["serial"])
    loses(openml)
    table = pd.read_parquet(fetch("a", ENTRY, Path("raw/a")))
    assert list(table.columns) == ["x", "c", "class"] and table["x"].tolist()[:2] == [0.25, 2]
    (facts,) = json.loads(Path("raw/a/fetch.json").read_text(encoding="utf-8"))["files"]
    assert facts["url"].endswith("dataset_7.pq") and facts["verified"] is False
    without(openml, "<oml:parquet_url>", "</oml:parquet_url>")
    with pytest.raises(InputError, match="data set 'b': (OpenML names no file|.*toy.arff .*; check the network)"):
        fetch("b", ENTRY, Path("raw/b"))


def test_the_parquet_file_of_another_host_comes_encrypted(openml, monkeypatch):
    openml.put_openml(7, makers.ARFF, parquet())
    file = openml.files["api/v1/xml/data/7"]
    file.body = file.body.replace(f"{openml.address}/dataset7".encode(), b"http://a.example/dataset7")
    openml.files[FILE].always = Answer(404)
    asked = []
    monkeypatch.setattr(
        openml_table, "download", lambda who, url, *rest: asked.append(url) or download(who, url, *rest)
    )
    monkeypatch.setattr(web, "ask", Mock(side_effect=web.Refused("no")))
    with pytest.raises(InputError, match="no"):
        fetch("a", ENTRY, Path("raw/a"))
    assert asked[1] == "https://a.example/dataset7/dataset_7.pq"


def test_a_wrong_certificate_is_not_tried_again(openml, monkeypatch):
    import requests

    asked = Mock(side_effect=requests.exceptions.SSLError("certificate verify failed"))
    monkeypatch.setattr(requests.Session, "request", asked)
    with pytest.raises(InputError, match="OpenML did not give data set 7 .*certificate is not accepted"):
        fetch("a", ENTRY, Path("raw/a"))
    assert asked.call_count == 1


@pytest.mark.parametrize("home", ["/dev/null"])
def test_the_package_is_imported_without_a_home(tmp_path, home):
    code = "from ironbark.pipeline.data.sources import openml_table as t; from pathlib import Path; "
    code += f"print(t._package('a', Path({str(tmp_path)!r})).config.server)"
    variables = {name: value for name, value in os.environ.items() if not name.startswith("XDG")} | {"HOME": home}
    variables["PYTHONPATH"] = str(Path(__file__).parents[3] / "src")
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "openml" in done.stdout


def test_a_server_that_is_silent_is_given_up(openml, fetched, monkeypatch):
    monkeypatch.setattr(openml_table, "TIMEOUT", 0.2)
    openml.put_openml(7, makers.ARFF)
    silent = threading.Event()
    openml.files[ABOUT].always = Answer(cut=0, until=silent)
    with pytest.raises(InputError, match="OpenML did not give data set 7 .*timed out"):
        fetch("a", ENTRY, RAW)
    silent.set()
    fetched()


def test_every_exception_of_the_client_is_one_sentence(openml, monkeypatch):
    import minio.error
    import openml as package
    import urllib3

    broken = urllib3.exceptions.ProtocolError("broken")
    for fault in (minio.error.ServerError("server failed", 502), broken, KeyError("oml:data_set_description")):
        monkeypatch.setattr(package.datasets, "get_dataset", Mock(side_effect=fault))
        with pytest.raises(InputError, match=f"did not give data set 7 .{type(fault).__name__}: .*; check `openml_id`"):
            fetch("a", ENTRY, RAW)
