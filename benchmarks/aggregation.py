"""Time and memory of scoring many stored fits, and of a table of them: `python benchmarks/aggregation.py 1000000`."""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.jobs.artefacts import table
from ironbark.pipeline.jobs.fits import score
from ironbark.pipeline.results import batch_fits, noisy_labels
from ironbark.pipeline.results.array_text import to_text

NOISES, METHODS, REPEATS, FOLDS = 10, 20, 10, 5
TEST = 200  # samples of a test part


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int)
    parser.add_argument("--folder", help="where the fits are written, and kept; a temporary folder without it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options.rows, Path(options.folder or folder))


def measure(rows, folder):
    """Write the fits of one data set and method a file, then score them and make a table."""
    datasets = [f"set-{i}" for i in range(max(1, rows // (NOISES * METHODS * REPEATS * FOLDS)))]
    noises, methods = [f"uniform-0.{i:02}" for i in range(NOISES)], [f"dt-{i}" for i in range(METHODS)]
    prepare_all(datasets, noises, folder)
    batches = [folder / f"{name}-{method}.jsonl.gz" for name in datasets for method in methods]
    for path, (name, method) in zip(batches, ((d, m) for d in datasets for m in methods), strict=True):
        if not path.exists():
            batch_fits.write(path, header(name, noises), fits(name, method, noises))
    spec = {"cells": [[name, "binary", noises, methods] for name in datasets], "repeats": REPEATS, "folds": FOLDS}
    spec |= {"allow_holes": False, "metrics": [], "facts": {}}
    began = time.perf_counter(), time.process_time()
    report("nothing but imports and the fits", *began)
    score.run(spec, batches, folder / "labels", folder / "prepared", folder / "store", folder / "rows.parquet")
    report(f"scoring {len(batches) * NOISES * REPEATS * FOLDS} fits of {len(batches)} files", *began)
    began = time.perf_counter(), time.process_time()
    about = {"id": "accuracy", "kind": "accuracy", "caption": "Accuracy.", "task": "binary"}
    names = {"labels": {}, "noise_labels": {}, "dataset_labels": {}}
    table.run(spec | {"table": about, "names": names, "note": ""}, {"rows": folder / "rows.parquet"}, folder / "table")
    report("a table of them", *began)


def prepare_all(datasets, noises, folder):
    """The same small table and noisy labels under the name of each data set."""
    rng = np.random.default_rng(0)
    table_ = pd.DataFrame({"a": rng.random(2 * TEST), "target": np.arange(2 * TEST) // 2 % 2})
    table_.to_parquet(folder / "table.parquet", index=False)
    entry = {"title": "Table", "source": "file", "path": str(folder / "table.parquet"), "positive": [1]}
    order = np.arange(2 * TEST)
    splits = [noisy_labels.Split(r, f, order[::2], order[1::2]) for r in range(REPEATS) for f in range(FOLDS)]
    same = [np.eye(2)] * len(splits)
    drawn = [rng.integers(0, 2, TEST, dtype=np.uint8) for _ in splits]
    for name in datasets:
        prepare(name, entry, fetch(name, entry, folder / "raw" / name), folder / "prepared" / name)
        for noise_id in noises:
            path = folder / "labels" / name / "binary" / f"{noise_id}.npz"
            noisy_labels.write(noisy_labels.Labels(splits, drawn, np.array(same), np.array(same, np.int64)), path)


def header(dataset, noises):
    """What the fits of a batch share."""
    about = {name: {f"{dataset} binary": {"noise": "uniform", "rate": name.rpartition("-")[2]}} for name in noises}
    versions = {name: "1.2.3" for name in ("numba", "numpy", "pandas", "python", "scikit-learn", "scipy")}
    return {"study": "s", "scale": "full", "protocol": "repeated-cv", "versions": versions, "noises": about}


def fits(dataset, method, noises):
    """Fits of one data set and method, as a study has them; one in twenty predictions is wrong."""
    rng = np.random.default_rng(len(dataset) + len(method))
    numbers = dict.fromkeys(("fit_seconds", "score_seconds", "n_leaves", "depth", "train_accuracy", "flipped"), 0.5)
    for noise_id in noises:
        for repeat in range(REPEATS):
            for fold in range(FOLDS):
                errors = np.where(rng.random(TEST) < 0.05, 1 - 2 * (np.arange(TEST) % 2), 0).astype(np.uint8)
                record = {"status": "ok", "tuned": "{}", "seed": 1, "outputs": {"errors": to_text(errors)}, **numbers}
                ids = {"dataset": dataset, "task": "binary", "noise_id": noise_id, "method": method}
                yield {**ids, "repeat": repeat, "fold": fold, "key": rng.bytes(16).hex(), "record": record}


def report(what, wall, cpu):
    """Print what has been used since `wall` and `cpu`, and the most memory so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
    print(f"{what}: {time.perf_counter() - wall:.1f} s wall, {time.process_time() - cpu:.1f} s CPU, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
