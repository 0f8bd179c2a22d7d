"""Imports of packs that are killed, and several at once."""

import json
import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from functools import partial

import pack_files
import pytest

from ironbark.pipeline.jobs import pack, requested_fits
from ironbark.pipeline.results import packs
from ironbark.pipeline.results.store import Store

MEMBER = "store/small/multiclass/uniform-0.2.jsonl"


def stored(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.jsonl"))}


@pytest.fixture
def many(tmp_path, monkeypatch):
    """Function that imports a pack of ten files with 100 fits each, which training gives as they are."""
    place, fits = ("small", "multiclass", "uniform-0.2"), {}
    for method in range(10):
        fits[(*place, f"m{method}")] = {
            f"{method:016x}{repeat:016x}": requested_fits.Fit(*place, f"m{method}", repeat, 0, 40, 20, 0)
            for repeat in range(100)
        }
    lines = [(fit.method, key, recorded(fit)) for found in fits.values() for key, fit in found.items()]
    packs.write(tmp_path / "many.pack", pack_files.ABOUT, [(MEMBER, lines)], pack_files.TEXTS)
    monkeypatch.setattr(requested_fits, "requested", lambda *_: iter(fits.items()))
    monkeypatch.setattr(requested_fits, "trained", lambda *given: ((fit, recorded(fit)) for fit, _ in given[-1]))
    spec = {"studies": {"s": {"batches": []}}, "scale": "full"}
    places = tmp_path / "many.pack", {}, {}, tmp_path / "new", tmp_path / "salts", tmp_path / "done.json"
    return partial(pack.import_fits, spec, *places)


def recorded(fit):
    return pack_files.RECORD | {"repeat": fit.repeat}


def forked(work):
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    return process


def test_kills_lose_double_and_change_nothing(tmp_path, many):
    start = time.monotonic()
    many()
    took, whole = time.monotonic() - start, whole_lines(tmp_path / "new")
    assert sum(map(len, whole.values())) == 1000
    rng, partly = random.Random(0), 0
    for _ in range(20):
        if whole_fits(tmp_path / "new") == 1000:  # begin again, with a torn file
            torn, *others = sorted((tmp_path / "new").rglob("*.jsonl"))
            torn.write_bytes(torn.read_bytes()[: rng.randrange(100, 5000)])
            for file in others:
                file.unlink()
        worker = forked(many)
        time.sleep(took * rng.uniform(0.3, 1.0))
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        partly += whole_fits(tmp_path / "new") < 1000
    assert partly > 2
    many()
    assert whole_lines(tmp_path / "new") == whole


def whole_fits(folder):
    return sum(len(Store(file)) for file in folder.rglob("*.jsonl"))


def whole_lines(folder):
    """Entries of the store, none of which is there twice; torn lines are left out."""
    result = {}
    for name, text in stored(folder).items():
        lines = [json.loads(line) for line in text.splitlines() if line.endswith(b"}}") and line.startswith(b'{"key')]
        assert max(Counter(line["key"] for line in lines).values()) == 1
        result[name] = {line["key"]: json.dumps(line["record"]) for line in lines}
    return result


def test_two_imports_at_once(tmp_path, many):
    for worker in [forked(many) for _ in range(3)]:
        worker.join()
        assert worker.exitcode == 0
    assert sum(map(len, whole_lines(tmp_path / "new").values())) == 1000
