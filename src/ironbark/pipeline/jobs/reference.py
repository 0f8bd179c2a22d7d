"""Results of a study frozen for later runs to be held against: one line per scale and cell, every digit kept."""

import itertools
import json
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from ironbark import files
from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.metrics import ON_REQUEST
from ironbark.pipeline.results import parquet, records
from ironbark.pipeline.tables.collect import cells

IDS = ["study", "scale", "protocol", "dataset", "task", "noise_id", "noise", "rate", "method"]
CELL = ["dataset", "task", "noise_id", "method"]
KEY = ["scale", *CELL, "metric"]
METRICS = ("accuracy", "minimax_risk", *ON_REQUEST)
COLUMNS = [*IDS, "metric", "n", "mean", "spread", "n_leaves", "versions", "labels", "data"]


def run(spec: dict, rows: Path, samples: Samples, out: Path):
    """Write the frozen results, and keep what the file has of other cells and scales."""
    found = aggregate(parquet.read(rows), samples).assign(study=spec["study"])
    as_text = {"dtype": "str", "keep_default_na": False}  # every digit as written
    lines = pd.read_csv(StringIO(found.to_csv(index=False)), **as_text)
    if Path(out).exists():
        lines = pd.concat([lines, pd.read_csv(out, **as_text)]).drop_duplicates(KEY).sort_values(KEY)
    files.write_text(out, lines.to_csv(index=False, lineterminator="\n"))


def aggregate(rows: pd.DataFrame, samples: Samples) -> pd.DataFrame:
    """Mean metrics and leaves of each cell, with digests of the labels and data that they depend on."""
    failed = rows[rows["status"] != records.OK]
    if len(failed):
        first = failed.iloc[0]
        raise InputError(
            f"{len(failed)} fits failed, first {first['dataset']} {first['noise_id']} {first['method']}: "
            f"{first['message']}; correct the cause and run again with retry_failed=True"
        )
    about = rows.drop_duplicates(CELL)[[*IDS, "versions"]]
    means = pd.concat([cells(rows, name).assign(metric=name) for name in METRICS if name in rows])
    means = means.dropna(subset="mean").rename(columns={"sd": "spread"})[[*CELL, "metric", "n", "mean", "spread"]]
    leaves = cells(rows, "n_leaves").rename(columns={"mean": "n_leaves"})[[*CELL, "n_leaves"]]
    found = about.merge(means, on=CELL).merge(leaves, on=CELL).sort_values(KEY, ignore_index=True)
    drawn = cache(lambda *place: digest(samples.splits(*place)))
    found["labels"] = list(itertools.starmap(drawn, found[CELL[:3]].itertuples(index=False, name=None)))
    found["data"] = found["dataset"].map(lambda name: bundle.meta(samples.folders[name])["digest"][:32])
    spelled = [[f"{name} {version}" for name, version in json.loads(text).items()] for text in found["versions"]]
    found["versions"] = list(map("; ".join, spelled))
    return found[COLUMNS]


def digest(splits):
    """Hexadecimal hash of the splits and the labels under a noise."""
    arrays = (array for split, noisy in splits.values() for array in (split.train, split.test, noisy))
    return files.digest(*(array.astype(np.int64).tobytes() for array in arrays))
