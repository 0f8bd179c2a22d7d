"""Overhead of a fit within a job: `python benchmarks/overhead.py 300`."""

import argparse
import contextlib
import io
import tempfile
import time
from pathlib import Path

from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.jobs.fits import corrupt, shard
from ironbark.pipeline.results import batch_fits, records

SPLIT = {"train_size": 0.8, "random_state": 0, "stratify": True}
ENTRY = {"title": "Digits", "source": "sklearn", "loader": "digits", "split": SPLIT}
METHOD = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": 1}, "tune": {}, "code": "c"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fits", type=int)
    number = parser.parse_args().fits
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        place = Path(folder)
        data = prepare("digits", ENTRY, fetch("digits", ENTRY, place / "raw", None), place / "digits")
        protocol = {"kind": "fixed-split", "repeats": number, "options": {"max_train": None}}
        about = {"dataset": "digits", "task": "multiclass", "noise_id": "u", "protocol": protocol}
        corrupt.run(about | {"noise": {"model": "uniform", "rate": 0.2, "params": {}}}, data, place / "u.npz")
        part = {"dataset": "digits", "task": "multiclass", "noises": {"u": {"noise": "uniform", "rate": "0.2"}}}
        spec = {"study": "s", "scale": "full", "protocol": "fixed-split", "repeats": number, "versions": {}}
        spec |= {"parts": [part | {"methods": ["m"]}], "methods": {"m": METHOD}, "retry_failed": False}
        for what in ("new fits", "the same from the store"):
            print(f"{what}: {once(spec, data, place, number)}")


def once(spec, data, place, number):
    """Run the batch, and print the overhead per fit."""
    stores = place / "store"
    known = stores.exists()
    wall, cpu = time.perf_counter(), time.process_time()
    shard.run(spec, {"digits": data}, {("digits", "multiclass", "u"): place / "u.npz"}, stores, place / "out.jsonl.gz")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    fits = batch_fits.read(place / "out.jsonl.gz")[1]
    own = 0.0 if known else sum(one["record"][name] for one in fits for name in records.TIMINGS)
    return f"{1e3 * (wall - own) / number:.1f} ms wall, {1e3 * (cpu - own) / number:.1f} ms CPU each"


if __name__ == "__main__":
    main()
