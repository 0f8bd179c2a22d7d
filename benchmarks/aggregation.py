"""Time and memory of gathering many result rows, and of a table of them: `python benchmarks/aggregation.py 1000000`."""

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from ironbark.pipeline.jobs import collect, table
from ironbark.pipeline.results import records

NOISES, METHODS, REPEATS, FOLDS = 10, 20, 10, 5
VERSIONS = json.dumps({name: "1.2.3" for name in ("numba", "numpy", "pandas", "python", "scikit-learn", "scipy")})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int)
    parser.add_argument("--folder", help="where the shards are written, and kept; a temporary folder without it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options.rows, Path(options.folder or folder))


def measure(rows, folder):
    """Write shards of one data set and method each, then gather them and make a table."""
    datasets = [f"set-{i}" for i in range(max(1, rows // (NOISES * METHODS * REPEATS * FOLDS)))]
    noises, methods = [f"uniform-0.{i:02}" for i in range(NOISES)], [f"dt-{i}" for i in range(METHODS)]
    shards = [folder / f"{name}-{method}.parquet" for name in datasets for method in methods]
    for path, (name, method) in zip(shards, ((d, m) for d in datasets for m in methods), strict=True):
        if not path.exists():
            records.write(shard(name, method, noises), path)
    spec = {"cells": [[name, "binary", noises, methods] for name in datasets], "repeats": REPEATS, "folds": FOLDS}
    spec |= {"allow_holes": False}
    began = time.perf_counter(), time.process_time()
    told("nothing but imports and the shards", *began)
    collect.run(spec, shards, folder / "rows.parquet")
    told(f"gathering {len(shards) * NOISES * REPEATS * FOLDS} rows of {len(shards)} files", *began)
    began = time.perf_counter(), time.process_time()
    about = {"id": "accuracy", "kind": "accuracy", "caption": "Accuracy.", "task": "binary"}
    names = {"labels": {}, "noise_labels": {}, "dataset_labels": {}}
    table.run(spec | {"table": about, "names": names, "note": ""}, {"rows": folder / "rows.parquet"}, folder / "table")
    told("a table of them", *began)


def shard(dataset, method, noises):
    """Rows of one data set and method, as a study has them."""
    n = len(noises) * REPEATS * FOLDS
    rng = np.random.default_rng(len(dataset) + len(method))
    text = {"study": "s", "scale": "full", "dataset": dataset, "task": "binary", "protocol": "repeated-cv"}
    text |= {"noise": "uniform", "method": method, "status": "ok", "message": "", "tuned": "{}", "versions": VERSIONS}
    found = {name: [value] * n for name, value in text.items()}
    ids = np.repeat(noises, REPEATS * FOLDS)
    found |= {"noise_id": ids, "rate": [name.rpartition("-")[2] for name in ids]}
    found |= {"repeat": np.tile(np.repeat(np.arange(REPEATS), FOLDS), len(noises)), "seed": rng.integers(2**31, size=n)}
    found |= {"fold": np.tile(np.arange(FOLDS), len(noises) * REPEATS), "key": [rng.bytes(16).hex() for _ in range(n)]}
    rest = [name for name in records.COLUMNS if name not in found]
    found |= {name: rng.random(n) if records.COLUMNS[name] == "float64" else np.full(n, 1000) for name in rest}
    return pd.DataFrame(found)[list(records.COLUMNS)].astype(records.COLUMNS)


def told(what, wall, cpu):
    """Print what has been used since `wall` and `cpu`, and the most memory so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
    print(f"{what}: {time.perf_counter() - wall:.1f} s wall, {time.process_time() - cpu:.1f} s CPU, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
