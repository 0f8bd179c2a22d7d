"""Source openml; passwords and keys in addresses are used, and neither shown nor kept."""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from unittest.mock import Mock

import makers
import pandas as pd
import pytest
import urllib3
from server import BODY, SUM, Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import checksums
from ironbark.pipeline.data.addresses import local_name
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.download import download
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.sources import openml_table
from ironbark.pipeline.log import redacted

ENTRY = {"title": "T", "source": "openml", "openml_id": 7, "target": "class"}
FILE, ABOUT = "data/v1/download/7/toy.arff", "api/v1/xml/data/7"
RAW = Path("raw/a")
TABLE = {"x": [0.5, 2, None], "c": ["u", "v", "u"], "serial": [1, 2, 3], "class": ["7", "8", "8"]}


def read():
    return pd.read_parquet(fetch("a", ENTRY, RAW))


@pytest.fixture
def openml(site, monkeypatch):
    """The server, which the package takes for openml.org."""
    package = pytest.importorskip("openml")
    monkeypatch.setattr(package.config, "server", f"{site.address}/api/v1/xml")
    monkeypatch.setattr(package._api_calls.time, "sleep", lambda seconds: None)
    site.put_openml(7, makers.ARFF)
    return site


def test_the_arff_file_is_taken_whose_md5_openml_knows(openml):
    table = read()
    assert table.astype(object).where(table.notna(), None).to_dict("list") == TABLE
    facts = json.loads((RAW / "fetch.json").read_text(encoding="utf-8"))
    sum_ = hashlib.sha256(makers.ARFF).hexdigest()
    assert facts["files"] == [{"url": f"{openml.address}/{FILE}", "sha256": sum_, "bytes": len(makers.ARFF)}]
    assert (facts["source"], facts["openml_id"]) == ("openml", 7)
    asked = len(openml.asked)
    read()
    assert len(openml.asked) == asked, "description and file are kept in the raw folder"
    assert not [path for path in left(RAW) if "pkl" in path]


def test_ignored_columns_are_left_out_and_may_be_in_drop(openml):
    """Their names may be one text; TRUE and false are booleans."""
    arff = makers.ARFF.replace(b"{u,v}", b"{TRUE,false}").replace(b",u,", b",TRUE,").replace(b",v,", b",false,")
    openml.put_openml(7, arff, ignored=["\"serial\",'x'"])
    assert read().to_dict("list") == {"c": [True, False, True], "class": ["7", "8", "8"]}
    shutil.rmtree(RAW)
    openml.put_openml(7, makers.ARFF, ignored=["serial"])
    assert list(read().columns) == ["x", "c", "class"]
    entry = ENTRY | {"drop": ["serial"], "missing": "keep"}
    assert load(prepare("a", entry, RAW / "table.parquet", Path("prepared/a"))).meta["features"] == ["x", "c"]
    with pytest.raises(InputError, match="there is no column 'serials' to drop"):
        prepare("a", entry | {"drop": ["serials"]}, RAW / "table.parquet", Path("prepared/b"))


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


def test_a_file_that_cannot_be_read_is_not_kept(openml):
    openml.put_openml(7, makers.ARFF.replace(b"0.5,u,1,7", b"0.5,u,7"))
    with pytest.raises(InputError, match="/7/toy.arff cannot be read as arff"):
        read()
    openml.put_openml(7, makers.ARFF)
    read()


@pytest.mark.parametrize("fault", [urllib3.exceptions.ProtocolError("broken"), KeyError("oml:url")])
def test_exceptions_of_the_client_are_one_sentence(openml, monkeypatch, fault):
    monkeypatch.setattr("openml.datasets.get_dataset", Mock(side_effect=fault))
    with pytest.raises(InputError, match=f"give data set 7 .{type(fault).__name__}: .*{REMEDY}"):
        read()


def test_the_package_is_imported_without_a_home(tmp_path):
    code = "from ironbark.pipeline.data.sources import openml_table as t; from pathlib import Path; "
    code += f"print(t._package(Path({str(tmp_path)!r})).config.server)"
    variables = {name: value for name, value in os.environ.items() if not name.startswith("XDG")}
    variables |= {"HOME": "/dev/null", "PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "openml" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://me:hunter2@a.example/x is gone", "https://***@a.example/x is gone"),
        ("https://me:se@cr#et@a.example/x", "https://***@a.example/x"),
        ("with url: /data/7?api_key=hunter2 (Caused by", "with url: /data/7?api_key=*** (Caused by"),
        ("https://s3.example/x?X-Amz-Credential=hunter2&X-Amz-Signature=hunter2", None),
        ("'https://a.example/x?sig=hunter2'; check", "'https://a.example/x?sig=***'; check"),
        ("https://a.example/x?page=2 of me@a.example", "https://a.example/x?page=2 of me@a.example"),
    ],
)
def test_secrets_are_found(text, shown):
    assert "hunter2" not in redacted(text) and (shown is None or redacted(text) == shown)


def closed():
    """Address of a port of this machine where nobody listens, with a password."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://me:hunter2@127.0.0.1:{free.getsockname()[1]}/data?api_key=hunter2"


@pytest.mark.parametrize("fault", [None, Answer(404), Answer(cut=0), Answer(200, b"x")])
def test_no_error_of_a_download_shows_them(site, capsys, monkeypatch, fault):
    monkeypatch.setattr("ironbark.pipeline.data.download.BAR", {})
    url = site.put("a", BODY, always=fault).replace("//", "//me:hunter2@") + "?token=hunter2" if fault else closed()
    with pytest.raises(InputError) as error:
        download("a", url, "a", SUM)
    assert "hunter2" not in "".join(traceback.format_exception_only(error.value)) + capsys.readouterr().err
    assert b"hunter2" not in b"".join(Path(path).read_bytes() for path in left())


def test_a_password_is_sent_and_not_written_down(site, capsys):
    url = site.put("a.csv", b"x,target\n1,a\n2,b\n").replace("//", "//me:pass%20hunter2@") + "?token=hunter2"
    entry = {"title": "T", "source": "url", "url": url, "format": "csv"}
    fetch("a", entry, Path("raw/a"))
    assert site.allowed == ["Basic bWU6cGFzcyBodW50ZXIy"], "me:pass hunter2"
    checksums.record_new(json.loads(Path("raw/a/fetch.json").read_text("utf-8"))["files"])
    texts = [Path(path).read_bytes() for path in left()]
    assert b"hunter2" not in b"".join(texts) and "hunter2" not in "".join(left()) + capsys.readouterr().err
    fetch("a", entry, Path("raw/a"))
    assert len(site.asked) == 1, "the file is known again without the password"
    assert "hunter2" not in local_name(url)


def test_a_password_is_not_sent_to_another_server(site):
    target = site.put("b", BODY).replace("127.0.0.1", "localhost")
    url = site.put("a", b"", always=Answer(302, headers={"Location": target})).replace("//", "//me:hunter2@")
    download("a", url, "a", SUM)
    assert [bool(header) for header in site.allowed] == [True, False]


def test_no_error_of_openml_shows_the_users_key(openml, monkeypatch, capsys):
    monkeypatch.setattr("openml.config.server", closed().split("/data")[0] + "/api/v1/xml")
    monkeypatch.setattr("openml.config.apikey", "hunter2")
    with pytest.raises(InputError, match="OpenML did not give data set 7 ") as error:
        read()
    assert "hunter2" not in "".join(traceback.format_exception(error.value)) + capsys.readouterr().err
