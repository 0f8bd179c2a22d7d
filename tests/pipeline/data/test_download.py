import hashlib
import io
import threading
from pathlib import Path
from unittest.mock import Mock

import pytest
import requests
import yaml
from server import BODY, SUM, Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import checksums, web
from ironbark.pipeline.data.download import download

HTML = b"\n <!DOCTYPE html><p>log in"


def recorded():
    return yaml.safe_load(checksums.PLACE.read_text(encoding="utf-8"))


def test_the_first_sum_is_recorded_once_the_file_was_used_and_holds(site, capsys):
    url = site.put("a", BODY)
    facts = download("a", url, "a")
    assert facts == {"url": url, "sha256": SUM, "bytes": len(BODY), "verified": False}
    assert left() == [".a.origin", "a"]
    assert download("a", url, "a") == facts
    assert site.times("a") == 1
    checksums.record_new(facts)
    assert recorded() == {url: SUM}
    assert "the catalogue has no checksum of" in capsys.readouterr().err
    assert download("a", url, "a") == facts, "the same facts, so that nothing is computed again"
    site.put("a", BODY[:-1])
    Path("a").unlink()
    found = hashlib.sha256(BODY[:-1]).hexdigest()
    sentence = f"/a has SHA-256 {found}, but data/checksums.yaml has, since the first download, {SUM}; so a was not"
    with pytest.raises(InputError, match=sentence + ".*before you remove its line from data/checksums.yaml"):
        download("a", url, "a")
    assert left() == [".a.origin", "data/checksums.yaml"]


def test_what_cannot_be_read_is_downloaded_again(site):
    url = site.put("a", BODY)
    with pytest.raises(InputError), checksums.provisional():
        download("a", url, "a")
        raise InputError("damaged")
    download("a", url, "a")
    assert site.times("a") == 2


def test_another_sum_says_where_the_old_file_is_and_keeps_it(site):
    url = site.put("a", BODY[1:])
    Path("a").write_bytes(b"old")
    with pytest.raises(InputError, match="catalogue expects .*; the file that was at a before is still there; fetch"):
        download("a", url, "a", SUM)
    assert Path("a").read_bytes() == b"old"
    assert left() == ["a"]


def test_the_next_run_continues(site):
    url = site.put("a", BODY, Answer(cut=1000), always=Answer(503))
    with pytest.raises(InputError, match=r"in 4 tries \(HTTP Error 503"):
        download("a", url, "a", SUM)
    assert left() == [".a.part", ".a.part.json"]
    assert Path(".a.part").read_bytes() == BODY[:1000]
    site.files["a"].always = None
    download("a", url, "a", SUM)
    assert site.asked[-1][2] == "bytes=1000-"
    assert Path("a").read_bytes() == BODY
    assert left() == ["a"]


@pytest.mark.parametrize("options", [{}, {"tag": False, "date": False}])
def test_a_file_that_changed_meanwhile_is_not_spliced(site, options):
    new = BODY[::-1] + b"more"
    url = site.put("a", BODY, Answer(cut=1000), always=Answer(503), **options)
    with pytest.raises(InputError):
        download("a", url, "a")
    site.put("a", new, **options)
    download("a", url, "a")
    assert Path("a").read_bytes() == new


@pytest.mark.parametrize(
    ("answer", "tries", "sentence"),
    [
        (Answer(404), 1, "data set 'a': http://.*/a answers 404 Not Found; check the network and the address"),
        (Answer(500), 4, r"cannot be fetched in 4 tries \(HTTP Error 500: .*\); check the network"),
        (Answer(cut=0), 4, r"in 4 tries \(the connection was cut after 0 bytes\)"),
        (Answer(200, HTML), 1, "gives a web page instead of data"),
        *(
            (Answer(200, page), 1, "gives a web page instead of data")
            for page in (b"<!-- saved -->\n<html>", b"\xef\xbb\xbf<HTML>", b"\n<Error><Code>NoSuchKey</Code></Error>")
        ),
        (Answer(200, b""), 1, "gives an empty file"),
        (Answer(200, b"", {"Content-Length": None}), 1, "gives an empty file"),
        (Answer(200, b"rubbish"), 1, "has SHA-256 .*, but the catalogue expects"),
    ],
)
def test_faults_are_named_and_leave_nothing(site, answer, tries, sentence):
    url = site.put("a", BODY, always=answer)
    with pytest.raises(InputError, match=sentence):
        download("data set 'a'", url, "a", SUM)
    assert site.times("a") == tries
    assert left() == []


@pytest.mark.parametrize("options", [{}, {"tag": False}, {"tag": False, "date": False}, {"ranges": False}])
@pytest.mark.parametrize("cut", [1000, len(BODY)])
def test_a_chunked_answer_is_continued(site, options, cut):
    """It has no length; only with an ETag or a date is it known to be the same file."""
    url = site.put("a", BODY, Answer(cut=cut, chunked=True), always=Answer(chunked=True), **options)
    assert download("a", url, "a", SUM)["bytes"] == len(BODY)
    known = options.get("tag", True) or options.get("date", True)
    assert site.asked[1][2] == (f"bytes={cut}-" if known else None)
    assert left() == ["a"]


def test_a_body_that_may_be_cut_needs_a_checksum(site):
    endless = Answer(200, BODY[:5000], {"Content-Length": None})
    url = site.put("a", BODY, always=endless)
    with pytest.raises(InputError, match="/a does not say how long the file is, so it may be cut; state its `sha256`"):
        download("a", url, "a")
    assert left() == []
    with pytest.raises(InputError, match="has SHA-256 .*, but the catalogue expects"):
        download("a", url, "a", SUM)
    site.files["a"].always = Answer(200, BODY, {"Content-Length": None})
    download("a", url, "a", SUM)
    download("a", url, "b", copy=SUM)
    assert left() == ["a", "b"] or left() == [".b.origin", "a", "b"]


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


def test_a_copys_checksum_verifies_but_does_not_refuse(site, capsys):
    url = site.put("a", BODY)
    assert "verified" not in download("a", url, "a", copy=SUM)
    assert download("a", url, "b", copy="0" * 64)["verified"] is False
    assert f"has SHA-256 {SUM}, but a copy from elsewhere has 0000" in capsys.readouterr().err


def test_a_server_that_is_silent_is_given_up(site, monkeypatch):
    monkeypatch.setattr(web, "TIMEOUT", 0.1)
    silent = threading.Event()
    url = site.put("a", BODY, always=Answer(cut=0, until=silent))
    with pytest.raises(InputError, match=r"/a cannot be fetched in 4 tries \(.*timed out\.\)"):
        download("a", url, "a", SUM)
    silent.set()


def test_plain_http_needs_a_checksum(site):
    with pytest.raises(InputError, match="http://a.example/x is plain http and has no checksum in the catalogue"):
        download("a", "http://a.example/x", "a")


def test_two_jobs_fetch_a_file_once(site, capsys):
    url = site.put("a", BODY, Answer(cut=1000), Answer(cut=1000), Answer(cut=1000))
    threads = [threading.Thread(target=download, args=("a", url, "a")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert site.times("a") == 4, "three that were cut and the last one"
    assert left() == [".a.origin", "a"]


def test_a_wrong_certificate_is_not_tried_again(site, monkeypatch):
    asked = Mock(side_effect=requests.exceptions.SSLError("self-signed certificate"))
    monkeypatch.setattr(web, "ask", asked)
    with pytest.raises(InputError, match="certificate of https://a.example/x is not accepted .*; set REQUESTS_CA_BUND"):
        download("a", "https://a.example/x", "a", SUM)
    assert asked.call_count == 1 and left() == []


class Redirecting(requests.adapters.BaseAdapter):
    """Answers every https request with a redirect, as no test has a certificate."""

    def __init__(self, target):
        self.target = target

    def send(self, request, **options):
        response = requests.Response()
        response.status_code, response.url, response.request = 302, request.url, request
        response.headers["Location"], response.raw = self.target, io.BytesIO()
        return response

    def close(self):
        """Nothing is open."""


def test_redirects_from_https_to_http_are_refused_and_others_followed(site, monkeypatch):
    target = site.put("a", BODY)
    with (
        monkeypatch.context() as patch,
        pytest.raises(InputError, match="https://a.example/x redirects to http://.*/a, which is not encrypted; check"),
    ):
        patch.setattr(web._Session, "get_adapter", lambda self, url: Redirecting(target))
        download("a", "https://a.example/x", "a", SUM)
    download("a", site.put("b", b"", always=Answer(302, headers={"Location": target})), "a", SUM)
