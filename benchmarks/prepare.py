"""What `prepare` costs: seconds, memory of a fresh process, sizes on disk, and seconds to open the result."""

import argparse
import multiprocessing
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import yaml

from ironbark.pipeline.data import bundle, mirrored
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.plan.config.reading import read

ROOT = Path(__file__).parents[1]
OPENINGS = 20


def catalogue():
    """Id -> entry of the project's configuration."""
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)["datasets"]


def in_a_fresh_process(function, *arguments):
    """Result of a call, and the MB that its process took at most, with the libraries."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measured, (function, *arguments))


def _measured(function, *arguments):
    result = function(*arguments)
    status = Path("/proc/self/status").read_text().splitlines()  # getrusage would count the parent before exec
    return result, next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def prepared(name, entry, raw, out):
    """Wall and CPU seconds of one run."""
    wall, cpu = time.perf_counter(), time.process_time()
    prepare(name, entry, raw, out)
    return time.perf_counter() - wall, time.process_time() - cpu


def opened(folder):
    """Milliseconds to open a prepared data set and take the labels, and to read one feature, as medians."""
    opening, reading = [], []
    for _ in range(OPENINGS):
        start = time.perf_counter()
        data = bundle.load(folder)
        data.y(next(iter(data.meta["tasks"])))
        opening.append(time.perf_counter() - start)
        start = time.perf_counter()
        np.bincount(data.features.codes[0])
        reading.append(time.perf_counter() - start)
    return [1000 * statistics.median(times) for times in (opening, reading)]


def size(folder, *patterns):
    """MB of the files of a folder."""
    return sum(path.stat().st_size for pattern in patterns for path in folder.glob(pattern)) / 1e6


def line(name, entry, mirror, repeats):
    """Cells of a row: sizes, seconds, memory, milliseconds."""
    with tempfile.TemporaryDirectory() as place:
        raw = fetch(name, entry, Path(place, "raw"), mirror if mirrored(entry) else None)
        out, runs = Path(place, "prepared"), []
        for _ in range(repeats):
            shutil.rmtree(out, ignore_errors=True)
            runs.append(in_a_fresh_process(prepared, name, entry, raw, out))
        (wall, cpu), memory = sorted(runs)[len(runs) // 2]
        meta = bundle.load(out).meta
        (opening, reading), _ = in_a_fresh_process(opened, out)
        yield from (f"{meta['n']:,} x {meta['d']:,}", f"{wall:.1f}", f"{cpu:.1f}", f"{memory:.0f}")
        yield from (f"{size(raw.parent, raw.name):.1f}", f"{size(out, '*'):.1f}")
        yield from (f"{8e-6 * meta['n'] * meta['d']:.1f}", f"{opening:.1f}", f"{reading:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mirror", help="folder of <name>.parquet, as --config mirror=DIR; else data are fetched")
    parser.add_argument("--sets", nargs="+", default=["digits"], help="ids of data sets")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each, of which the median by time is shown")
    options = parser.parse_args()
    entries = catalogue()
    heads = ["data", "rows x features", "s", "CPU s", "MB of memory", "raw MB", "prepared MB", "MB as float64"]
    heads += ["ms to open", "ms to read a feature"]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * 2}{' ---: |' * (len(heads) - 2)}")
    for name in options.sets:
        print(f"| {name} | {' | '.join(line(name, entries[name], options.mirror, options.repeats))} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
