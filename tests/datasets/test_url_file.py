import bz2
import hashlib
import http.server
import socket
import threading
import urllib.request

import pandas as pd
import pytest

from ironbark.datasets.fetch import fetch
from ironbark.datasets.sources import url_file
from ironbark.errors import InputError

SVM = b"1 1:2 2:0.5\n2 2:1\n"


class Server(http.server.ThreadingHTTPServer):
    """Answers each request with the next of `answers` = (status, body, promised length); the last one stays."""

    answers = ()
    asked = 0

    def next_answer(self):
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, body, length = self.server.next_answer()
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def answer(status, body=b""):
    return status, body, len(body)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(url_file, "PAUSES", (0, 0, 0))
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy of this machine
    monkeypatch.setattr(urllib.request, "urlopen", direct.open)
    with Server(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def entry(server, name="data", **fields):
    url = f"http://127.0.0.1:{server.server_address[1]}/{name}"
    return {"title": "T", "source": "url", "url": url, "format": "libsvm", **fields}


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_fetched_and_checked(server, tmp_path):
    server.answers = [answer(200, SVM)]
    sum_ = hashlib.sha256(SVM).hexdigest()
    table = pd.read_parquet(fetch("a", entry(server, sha256=sum_), tmp_path))
    assert table.to_numpy().tolist() == [[2, 0.5, 1], [0, 1, 2]]
    assert (tmp_path / "original.libsvm").read_bytes() == SVM
    assert left(tmp_path) == ["fetch.json", "original.libsvm", "table.parquet"]
    assert sum_ in (tmp_path / "fetch.json").read_text(encoding="utf-8")


def test_a_file_that_is_there_is_kept_if_its_sum_is_known(server, tmp_path):
    (tmp_path / "original.libsvm").write_bytes(SVM)
    fetch("a", entry(server, sha256=hashlib.sha256(SVM).hexdigest()), tmp_path)
    assert server.asked == 0
    server.answers = [answer(200, SVM + SVM)]
    assert len(pd.read_parquet(fetch("a", entry(server), tmp_path))) == 4
    assert server.asked == 1


def test_a_file_that_is_there_with_another_sum_is_fetched_again(server, tmp_path):
    (tmp_path / "original.libsvm").write_bytes(SVM[:9])
    server.answers = [answer(200, SVM)]
    assert len(pd.read_parquet(fetch("a", entry(server, sha256=hashlib.sha256(SVM).hexdigest()), tmp_path))) == 2


def test_compressed_files_are_read_and_kept_as_they_came(server, tmp_path):
    server.answers = [answer(200, bz2.compress(SVM))]
    table = pd.read_parquet(fetch("a", entry(server, "data.bz2?raw=1"), tmp_path))
    assert table["target"].tolist() == [1, 2]
    assert (tmp_path / "original.libsvm.bz2").read_bytes() == bz2.compress(SVM)


@pytest.mark.parametrize("fault", [answer(500), answer(503), answer(429), (200, SVM[:5], len(SVM))])
def test_faults_that_pass_are_tried_again(server, tmp_path, fault):
    server.answers = [fault, fault, answer(200, SVM)]
    assert len(pd.read_parquet(fetch("a", entry(server), tmp_path))) == 2
    assert server.asked == 3


@pytest.mark.parametrize(
    ("reply", "tries", "sentence"),
    [
        (
            answer(404),
            1,
            "data set 'a': http://.*/data answers 404 Not Found; mend the url, or give the folder of a mirror",
        ),
        (answer(403), 1, "answers 403 Forbidden"),
        (answer(500), 4, r"cannot be fetched in 4 tries \(HTTP Error 500: .*\); check the network"),
        ((200, SVM[:5], len(SVM)), 4, r"in 4 tries \(the connection was cut after 5 of 18 bytes\)"),
        (answer(200, b"\n <!DOCTYPE html><p>log in"), 1, "gives a web page instead of data"),
        (answer(200, b"<html>"), 1, "gives a web page instead of data"),
    ],
)
def test_faults_are_named_and_leave_nothing(server, tmp_path, reply, tries, sentence):
    server.answers = [reply]
    with pytest.raises(InputError, match=sentence):
        fetch("a", entry(server), tmp_path)
    assert server.asked == tries
    assert left(tmp_path) == []


def test_another_checksum_is_named_with_both_sums_and_the_place(server, tmp_path):
    server.answers = [answer(200, SVM)]
    found = hashlib.sha256(SVM).hexdigest()
    sentence = f"/data has SHA-256 {found}, but the catalogue expects {'1' * 64}, so .*original.libsvm was not written"
    with pytest.raises(InputError, match=sentence):
        fetch("a", entry(server, sha256="1" * 64), tmp_path)
    assert left(tmp_path) == []


def test_a_server_that_is_not_there_is_named(server, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/data"
    with pytest.raises(InputError, match="4 tries .*refused.*download it by hand to .*original.libsvm, or give"):
        fetch("a", entry(server, url=url, sha256="1" * 64), tmp_path)


def test_pauses_grow(monkeypatch):
    slept = []
    monkeypatch.setattr(url_file.time, "sleep", slept.append)
    monkeypatch.setattr(url_file, "_stream", lambda url, side: (_ for _ in ()).throw(TimeoutError("timed out")))
    with pytest.raises(InputError, match=r"\(timed out\)"):
        url_file._download("a", "http://a/b", None, "wait")
    assert slept == sorted(set(slept)) == list(url_file.PAUSES)
