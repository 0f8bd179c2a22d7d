"""Downloads and the machine: full disks, killed jobs, memory, the file of checksums."""

import errno
import multiprocessing
import os
import subprocess
import sys
import threading
import time
import types
from pathlib import Path
from unittest.mock import Mock

import pytest
import yaml
from server import BODY, SUM, Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import checksums, web
from ironbark.pipeline.data.download import download

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src"), "no_proxy": "*"}


def test_a_full_disk_is_named_and_what_came_stays(site, monkeypatch):
    monkeypatch.setattr(web, "PIECE", 1000)
    written = []

    def full(stream, piece):
        if len(written) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(stream.write(piece))

    url = site.put("a", BODY)
    with monkeypatch.context() as patch:
        patch.setattr(web, "write_all", full)
        with pytest.raises(InputError, match="cannot write a: the disk is full; free some space and start again"):
            download("a", url, "a", SUM)
    assert left() == [".a.part", ".a.part.json"]
    download("a", url, "a", SUM)
    assert site.asked[-1][2] == "bytes=3000-"


def test_a_file_larger_than_the_disk_is_not_begun(site, monkeypatch):
    monkeypatch.setattr(web.shutil, "disk_usage", lambda folder: types.SimpleNamespace(free=10))
    with pytest.raises(InputError, match="0 MB are to come and the disk has 0 MB left; free some space"):
        download("a", site.put("a", BODY), "a", SUM)


def test_a_folder_that_cannot_be_written_is_named(site, monkeypatch):
    monkeypatch.setattr("ironbark.files.open", Mock(side_effect=OSError(errno.EROFS, "no")), raising=False)
    with pytest.raises(InputError, match="cannot write a: the file system is read-only"):
        download("a", site.put("a", BODY), "a", SUM)


def test_a_killed_job_is_continued(site, monkeypatch):
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
    assert [path for path in left() if not path.startswith(".a.new/")] == [".a.lock", ".a.part", ".a.part.json"]
    download("a", url, "a", SUM)
    assert site.asked[-1][2] == "bytes=1000-"
    assert left() == ["a"]


FIREHOSE = """
import http.server, resource, sys, threading, tracemalloc
from ironbark.pipeline.data.download import download

class Hose(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(300 << 20))
        self.end_headers()
        for _ in range(300):
            self.wfile.write(bytes(1 << 20))
    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hose)
threading.Thread(target=server.serve_forever, daemon=True).start()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
facts = download("hose", f"http://127.0.0.1:{server.server_address[1]}/a", "hose.bin")
print(facts["bytes"], (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


def test_a_firehose_needs_no_memory(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FIREHOSE], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    size, megabytes = map(int, done.stdout.split())
    assert size == 300 << 20
    assert megabytes < 30


ONE, TWO = "1" * 64, "2" * 64


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_sums_are_kept_in_order_and_read_back():
    for address in ("https://b/x", "https://a/x#y: z"):
        assert checksums.recorded(address) is None
        checksums.record(address, ONE)
        assert checksums.recorded(address) == ONE
    text = checksums.PLACE.read_text(encoding="utf-8")
    assert text.startswith("# SHA-256") and list(yaml.safe_load(text)) == ["https://a/x#y: z", "https://b/x"]
    assert [path.name for path in Path("data").iterdir()] == ["checksums.yaml"]


def test_a_sum_is_never_overwritten():
    checksums.record("a", ONE)
    checksums.record("a", ONE)
    with pytest.raises(InputError, match="data/checksums.yaml got another checksum of a meanwhile"):
        checksums.record("a", TWO)
    assert checksums.recorded("a") == ONE
    assert [path.name for path in Path("data").iterdir()] == ["checksums.yaml"]


def test_files_that_nobody_vouches_for_are_recorded():
    files = [{"url": "a", "sha256": ONE, "verified": False}, {"url": "b", "sha256": ONE}, {"path": "c", "sha256": ONE}]
    checksums.record_new({"source": "libsvm", "files": files})
    checksums.record_new({"source": "url", "url": "d", "sha256": TWO, "verified": False})
    checksums.record_new({"source": "mirror", "sha256": TWO})
    assert yaml.safe_load(checksums.PLACE.read_text(encoding="utf-8")) == {"a": ONE, "d": TWO}


def test_processes_do_not_lose_each_others_sums():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.starmap(checksums.record, [(f"a{i}", ONE) for i in range(40)])
    assert len(yaml.safe_load(checksums.PLACE.read_text(encoding="utf-8"))) == 40


@pytest.mark.parametrize(
    ("text", "sentence"), [("a: [", "is no YAML"), ("a: 1", "must hold lines `address: SHA-256`; correct it")]
)
def test_a_damaged_file_is_named(text, sentence):
    Path("data").mkdir()
    checksums.PLACE.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"data/checksums.yaml {sentence}"):
        checksums.recorded("a")
