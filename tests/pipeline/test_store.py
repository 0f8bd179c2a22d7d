"""The store: what was added is found again, whatever happens to the process that adds."""

import json
import multiprocessing
import os
import signal

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.results.store import Store, key_of


def test_round_trip_with_every_kind_of_value(tmp_path):
    path = tmp_path / "deep" / "folder" / "a.jsonl"
    record = {"text": "ä\n\u2028", "float": 0.1 + 0.2, "int": 3, "none": None, "status": "failed"}
    store = Store(path)
    assert len(store) == 0 and store.get("k") is None and not path.exists()
    store.add("k", record)
    assert Store(path).get("k") == record == store.get("k")
    assert path.read_bytes().count(b"\n") == 1


def test_the_last_of_equal_keys_counts(tmp_path):
    store = Store(tmp_path / "a")
    store.add("k", {"status": "failed"})
    store.add("k", {"status": "ok"})
    assert store.get("k") == Store(tmp_path / "a").get("k") == {"status": "ok"}
    assert len(Store(tmp_path / "a")) == 1


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_torn_line_costs_one_fit(tmp_path, cut):
    path = tmp_path / "a"
    for i in range(3):
        Store(path).add(f"k{i}", {"i": i})
    path.write_bytes(path.read_bytes()[:-cut])
    torn = Store(path)
    assert torn.get("k0") == {"i": 0} and torn.get("k1") == {"i": 1}
    torn.add("k3", {"i": 3})  # starts on a line of its own
    assert Store(path).get("k3") == {"i": 3}
    if cut > 1:  # without its line end alone, the last line is whole
        assert torn.get("k2") is None
    torn.add("k2", {"i": 2})
    assert len(Store(path)) == 4


def _append(path, worker):
    store = Store(path)
    for i in range(25):
        store.add(f"{worker}-{i}", {"text": "x" * 5000})


def test_several_processes_append_at_once(tmp_path):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_append, args=(tmp_path / "a", w)) for w in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    lines = (tmp_path / "a").read_bytes().splitlines()
    assert len(lines) == 100
    assert {json.loads(line)["key"] for line in lines} == {f"{w}-{i}" for w in range(4) for i in range(25)}


def test_a_killed_process_loses_at_most_one_line(tmp_path):
    worker = multiprocessing.get_context("fork").Process(target=_append, args=(tmp_path / "a", 0))
    worker.start()
    while len(Store(tmp_path / "a")) < 5:
        pass
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    n = len(Store(tmp_path / "a"))
    assert (tmp_path / "a").read_bytes().count(b"\n") - n in (0, 1)
    Store(tmp_path / "a").add("after", {})
    assert len(Store(tmp_path / "a")) == n + 1


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write .*file/a.jsonl.*; free space or fix permissions"):
        Store(tmp_path / "file" / "a.jsonl").add("k", {})


def test_keys():
    one = key_of(a=1, b={"x": [1, 2], "y": None})
    assert one == key_of(b={"y": None, "x": [1, 2]}, a=1)
    assert len(one) == 32 and int(one, 16) >= 0
    different = [key_of(a=2, b=1), key_of(a="2", b=1), key_of(a=[2], b=1), key_of(a=2), key_of(a=1, b=2)]
    assert len({*different, one}) == 6
    with pytest.raises(ValueError, match="JSON"):
        key_of(a=float("nan"))
