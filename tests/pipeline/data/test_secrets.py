"""Passwords and keys in addresses are used, and neither shown nor kept."""

import json
import socket
import traceback
from pathlib import Path

import pytest
from server import BODY, SUM, Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import checksums
from ironbark.pipeline.data.addresses import local_name
from ironbark.pipeline.data.download import download
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.log import redacted, reporting

ENTRY = {"title": "T", "source": "openml", "openml_id": 7, "target": "class"}


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
    assert "hunter2" not in redacted(text)
    assert shown is None or redacted(text) == shown


def closed():
    """Address of a port of this machine where nobody listens, with a password."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://me:hunter2@127.0.0.1:{free.getsockname()[1]}/data?api_key=hunter2"


def secret(url):
    return url.replace("//", "//me:hunter2@") + "?token=hunter2"


@pytest.mark.parametrize("fault", [None, Answer(404), Answer(cut=0), Answer(200, b"x")])
def test_no_error_of_a_download_shows_them(site, capsys, monkeypatch, fault):
    monkeypatch.setattr("ironbark.pipeline.log.FIRST", 0)
    url = closed() if fault is None else secret(site.put("a", BODY, always=fault))
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


def test_no_error_of_openml_shows_the_users_key(site, monkeypatch, capsys):
    openml = pytest.importorskip("openml")
    monkeypatch.setattr(openml.config, "server", closed().split("/data")[0] + "/api/v1/xml")
    monkeypatch.setattr(openml.config, "apikey", "hunter2")
    monkeypatch.setattr(openml._api_calls.time, "sleep", lambda seconds: None)
    with pytest.raises(InputError, match="OpenML did not give data set 7 ") as error:
        fetch("a", ENTRY, Path("raw/a"))
    assert "hunter2" not in "".join(traceback.format_exception(error.value)) + capsys.readouterr().err


@pytest.mark.parametrize("fault", [InputError, ValueError])
def test_no_log_of_a_job_shows_them(tmp_path, fault):
    with pytest.raises(SystemExit), reporting(tmp_path / "log"):
        raise fault("https://me:hunter2@a.example/x?key=hunter2")
    text = (tmp_path / "log").read_text("utf-8")
    assert "https://***@a.example/x?key=***" in text and "hunter2" not in text
