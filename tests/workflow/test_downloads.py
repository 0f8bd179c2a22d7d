"""Downloads in a run: from a server on loopback, which counts how many it serves at once."""

import http.server
import threading
import time

import pytest

ENTRY = "\nd{i}: {{title: D, source: url, url: 'http://127.0.0.1:{port}/{i}.csv', format: csv}}\n"


class Slow(http.server.BaseHTTPRequestHandler):
    """Serves a small table after a while."""

    def do_GET(self):
        with self.server.lock:
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
        time.sleep(self.server.seconds)
        with self.server.lock:
            self.server.now -= 1
        self.send_response(200)
        content = b"x,target\n1,0\n2,1\n"
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        """Be silent."""


@pytest.fixture
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as running:
        running.lock, running.now, running.most, running.seconds = threading.Lock(), 0, 0, 0
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def three(checkout, server):
    """A checkout whose only downloads are three tables of that server."""
    for path in [*(checkout / "config/studies").glob("*.yaml"), *(checkout / "config/datasets").glob("*.yaml")]:
        if path.stem not in ("quickstart", "tiny"):
            path.unlink()
    for i in range(3):
        checkout.append("config/datasets.yaml", ENTRY.format(i=i, port=server.server_address[1]))
    return checkout


def test_a_server_gets_two_connections_at_most(three, server):
    server.seconds = 3
    done = three.run("--cores", "3", *(f"data/raw/d{i}/table.parquet" for i in range(3)), no_proxy="*")
    assert server.most == 2, done.stdout + done.stderr


def test_the_target_addresses(three):
    assert three.planned("addresses") == {"addresses": 1}
    done = three.run("addresses", no_proxy="*")
    assert "results/datasets/addresses.md: 3 addresses, 0 with a remark" in done.stdout
    assert "/2.csv | d2 | 200 |" in (three / "results/datasets/addresses.md").read_text("utf-8")
