"""Downloads: checksums, resumption, faults of servers and of the machine."""

import errno
import hashlib
import io
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest
import requests
import yaml
from server import BODY, SUM, Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import checksums
from ironbark.pipeline.data import download as web
from ironbark.pipeline.data.download import download

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src"), "no_proxy": "*"}
ONE = "1" * 64


def recorded():
    return yaml.safe_load(checksums.PLACE.read_text(encoding="utf-8"))


def test_the_first_sum_is_recorded_once_the_file_was_used_and_holds(site, capsys):
    url = site.put("a", BODY)
    facts = download("a", url, "a")
    assert facts == {"url": url, "sha256": SUM, "bytes": len(BODY), "verified": False}
    assert left() == [".a.origin", "a"] and download("a", url, "a") == facts and site.times("a") == 1
    checksums.record_new([facts])
    assert recorded() == {url: SUM} and "the catalogue has no checksum of" in capsys.readouterr().err
    assert download("a", url, "a") == facts, "the same facts, so that nothing is computed again"
    site.put("a", BODY[:-1])
    Path("a").unlink()
    with pytest.raises(InputError, match=f"data/checksums.yaml has, .* {SUM}; so a was not .* remove its line"):
        download("a", url, "a")
    assert left() == [".a.origin", "data/checksums.yaml"]


def test_a_file_that_changed_meanwhile_is_not_spliced(site):
    url = site.put("a", BODY, Answer(cut=1000), always=Answer(503))
    with pytest.raises(InputError, match="HTTP Error 503"):
        download("a", url, "a", SUM)
    site.put("a", BODY[::-1])
    with pytest.raises(InputError, match="has SHA-256"):
        download("a", url, "a", SUM)
    download("a", url, "a", hashlib.sha256(BODY[::-1]).hexdigest())
    assert Path("a").read_bytes() == BODY[::-1]


SILENT = threading.Event()
PAGES = b"\n <!DOCTYPE html>", b"\xef\xbb\xbf<HTML>", b"\n<Error><Code>NoSuchKey</Code></Error>"
FAULTS = [
    (Answer(cut=0, until=SILENT), 4, r"/a cannot be fetched in 4 tries \(.*timed out\.\)"),
    (Answer(404), 1, "data set 'a': http://.*/a answers 404 Not Found; check the network and the address"),
    (Answer(500), 4, r"cannot be fetched in 4 tries \(HTTP Error 500: .*\); check the network"),
    (Answer(cut=0), 4, r"in 4 tries \(the connection was cut after 0 bytes\)"),
    *((Answer(200, page), 1, "gives a web page instead of data") for page in PAGES),
    (Answer(200, b""), 1, "gives an empty file"),
    (Answer(200, b"rubbish"), 1, "has SHA-256 .*, but the catalogue expects .*; so a was not written; fetch again"),
]


@pytest.mark.parametrize(("answer", "tries", "words"), FAULTS)
def test_faults_are_named_and_keep_the_old_file(site, monkeypatch, answer, tries, words):
    monkeypatch.setattr(web, "TIMEOUT", 0.1)
    url = site.put("a", BODY, always=answer)
    Path("a").write_bytes(b"old")
    with pytest.raises(InputError, match=words):
        download("data set 'a'", url, "a", SUM)
    SILENT.set()
    assert site.times("a") == tries and left() == ["a"] and Path("a").read_bytes() == b"old"


@pytest.mark.parametrize("options", [{}, {"tag": False}, {"ranges": False}])
@pytest.mark.parametrize("expected", [SUM, None])
def test_a_chunked_answer_is_continued(site, options, expected):
    """It has no length; an ETag or the checksum shows that it is the same file."""
    url = site.put("a", BODY, Answer(cut=1000, chunked=True), always=Answer(chunked=True), **options)
    assert download("a", url, "a", expected)["bytes"] == len(BODY)
    known = expected or options.get("tag", True)
    assert site.asked[1][2] == ("bytes=1000-" if known else None) and Path("a").read_bytes() == BODY


def test_a_body_that_may_be_cut_needs_a_checksum(site):
    url = site.put("a", BODY, always=Answer(200, BODY, {"Content-Length": None}))
    with pytest.raises(InputError, match="/a does not say how long the file is, so it may be cut; state its `sha256`"):
        download("a", url, "a")
    assert left() == []
    download("a", url, "a", SUM)


def test_pauses_grow_and_the_server_may_ask_for_longer_ones(site, monkeypatch):
    slept = []
    monkeypatch.setattr(web, "PAUSES", (1, 5, 25))
    monkeypatch.setattr(web.time, "sleep", slept.append)
    busy, late = Answer(429, headers={"Retry-After": "7"}), Answer(503, headers={"Retry-After": "99999"})
    download("a", site.put("a", BODY, Answer(500), busy, late), "a", SUM)
    assert slept == [1, 7, 120]


def test_the_next_address_is_asked_under_the_same_checksum(site):
    urls = [site.put("a", b"", always=Answer(403)), site.put("b", BODY[1:]), site.put("c", BODY), site.put("d", BODY)]
    facts = download("a", urls, "a", SUM)
    assert facts == {"url": urls[2], "sha256": SUM, "bytes": len(BODY)}
    assert [site.times(name) for name in "abcd"] == [1, 1, 1, 0]
    assert download("a", urls, "a", SUM) == facts, "the address that gave the file is noted"


def test_two_jobs_fetch_a_file_once(site):
    url = site.put("a", BODY, Answer(cut=1000), Answer(cut=1000), Answer(cut=1000))
    with ThreadPoolExecutor(4) as pool:
        assert len({facts["sha256"] for facts in pool.map(lambda _: download("a", url, "a"), range(4))}) == 1
    assert site.times("a") == 4, "three that were cut and the last one"
    assert left() == [".a.origin", "a"]


def redirecting(target):
    """An adapter that answers every https request with a redirect, as no test has a certificate."""

    def send(request, **options):
        response = requests.Response()
        response.status_code, response.url, response.request = 302, request.url, request
        response.headers["Location"], response.raw = target, io.BytesIO()
        return response

    return Mock(send=send)


def test_what_is_not_encrypted_is_refused(site, monkeypatch):
    with pytest.raises(InputError, match="http://a.example/x is plain http and has no checksum in the catalogue"):
        download("a", "http://a.example/x", "a")
    target = site.put("a", BODY)
    download("a", site.put("b", b"", always=Answer(302, headers={"Location": target})), "a", SUM)
    monkeypatch.setattr(web._Redirecting, "get_adapter", lambda self, url: redirecting(target))
    with pytest.raises(InputError, match="https://a.example/x redirects to http://.*/a, which is not encrypted"):
        download("a", "https://a.example/x", "b", SUM)
    asked = Mock(side_effect=requests.exceptions.SSLError("self-signed certificate"))
    monkeypatch.setattr(web, "ask", asked)
    with pytest.raises(InputError, match="certificate of https://a.example/x is not accepted .*REQUESTS_CA_BUNDLE"):
        download("a", "https://a.example/x", "b", SUM)
    assert asked.call_count == 1, "a wrong certificate is not tried again"


def test_a_full_disk_is_named_and_what_came_stays(site, monkeypatch):
    monkeypatch.setattr(web, "PIECE", 1000)
    full = Mock(side_effect=[None, None, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
    url = site.put("a", BODY)
    with monkeypatch.context() as patch, pytest.raises(InputError, match="cannot write a: the disk is full; free"):
        patch.setattr(web.tqdm, "update", full)
        download("a", url, "a", SUM)
    download("a", url, "a", SUM)
    assert left() == ["a"] and site.asked[-1][2] == "bytes=3000-"


def test_a_killed_job_is_continued(site):
    never = threading.Event()
    url = site.put("a", BODY, Answer(cut=1000, until=never))
    code = "import sys; from ironbark.pipeline.data.download import download; "
    code += "download('a', sys.argv[1], 'a', sys.argv[2])"
    job = subprocess.Popen([sys.executable, "-c", code, url, SUM], env=ENVIRONMENT)
    while not (Path(".a.part").exists() and Path(".a.part").stat().st_size):
        assert job.poll() is None
        time.sleep(0.02)
    job.kill()
    job.wait()
    never.set()
    assert left() == [".a.lock", ".a.part"]
    download("a", url, "a", SUM)
    assert left() == ["a"] and site.asked[-1][2] == "bytes=1000-"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_sums_that_nobody_vouches_for_are_kept_in_order_and_never_overwritten(folder):
    files = [{"url": url, "sha256": ONE, "verified": False} for url in ("https://b/x", "https://a/x#y: z")]
    for _ in range(2):
        checksums.record_new([*files, {"url": "b", "sha256": ONE}, {"path": "c", "sha256": ONE}])
    with pytest.raises(InputError, match="data/checksums.yaml got another checksum of https://b/x meanwhile"):
        checksums.record("https://b/x", "2" * 64)
    assert list(recorded().items()) == [("https://a/x#y: z", ONE), ("https://b/x", ONE)]
    assert left() == ["data/checksums.yaml"]


def test_processes_do_not_lose_each_others_sums(folder):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.starmap(checksums.record, [(f"a{i}", ONE) for i in range(40)])
    assert len(recorded()) == 40


@pytest.mark.parametrize(("text", "words"), [("a: [", "is no YAML"), ("a: 1", "must hold lines `address: SHA-256`")])
def test_a_damaged_file_of_sums_is_named(folder, text, words):
    Path("data").mkdir()
    checksums.PLACE.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"data/checksums.yaml {words}"):
        checksums.recorded("a")
