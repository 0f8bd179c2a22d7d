"""Downloads and the machine: full disks, killed jobs, memory."""

import errno
import os
import subprocess
import sys
import threading
import time
import types
from pathlib import Path
from unittest.mock import Mock

import pytest
from server import BODY, SUM, Answer, left

from ironbark.errors import InputError
from ironbark.pipeline.data import web
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
