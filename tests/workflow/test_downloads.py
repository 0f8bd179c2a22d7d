"""Downloads in a run: from a server on loopback, which counts how many it serves at once."""

import threading
import time

from server import Site

ENTRY = "\nd{i}: {{title: D, source: url, url: '{url}', format: csv}}\n"


class Busy(Site):
    """Takes its time for each connection."""

    def __init__(self):
        super().__init__()
        self.lock, self.now, self.most, self.seconds = threading.Lock(), 0, 0, 3

    def process_request_thread(self, *request):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.seconds)
        super().process_request_thread(*request)
        with self.lock:
            self.now -= 1


def test_a_server_gets_two_connections_at_most_and_the_target_addresses_asks_it(checkout):
    for path in [*(checkout / "config/studies").glob("*.yaml"), *(checkout / "config/datasets").glob("*.yaml")]:
        if path.stem not in ("quickstart", "tiny"):
            path.unlink()
    with Busy() as server:
        for i in range(3):
            url = server.put(f"{i}.csv", b"x,target\n1,0\n2,1\n")
            checkout.append("config/datasets.yaml", ENTRY.format(i=i, url=url))
        done = checkout.run("--cores", "3", *(f"data/raw/d{i}/table.parquet" for i in range(3)), no_proxy="*")
        assert server.most == 2, done.stdout + done.stderr
        server.seconds = 0
        done = checkout.run("addresses", no_proxy="*")
    assert "results/datasets/addresses.md: 3 addresses, 0 with a remark" in done.stdout
    assert "/2.csv | d2 | 206 |" in (checkout / "results/datasets/addresses.md").read_text("utf-8")
