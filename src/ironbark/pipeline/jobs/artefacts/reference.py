"""Results of a study frozen for later runs to be held against: one line per cell, every digit kept."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.data import bundle
from ironbark.pipeline.metrics import ON_REQUEST
from ironbark.pipeline.results import noisy_labels, records
from ironbark.pipeline.results.damage import undamaged

IDS = ["study", "scale", "protocol", "dataset", "task", "noise_id", "noise", "rate", "method"]
CELL = ["dataset", "task", "noise_id", "method"]
KEY = [*CELL, "metric"]
METRICS = ("accuracy", "minimax_risk", *ON_REQUEST)
COLUMNS = [*IDS, "metric", "n", "mean", "spread", "n_leaves", "versions", "labels", "data"]


def run(spec, rows, labels, prepared, out):
    """Write the frozen results.

    Parameters
    ----------
    spec : dict
        Not used; it changes with the code.
    rows : path
        ``rows.parquet`` of a study.
    labels : iterable of path
        Its files of noisy labels, ``.../<data set>/<task>.npz``.
    prepared : iterable of path
        Folders of its prepared data sets.
    out : path
        CSV file.
    """
    write_text(out, aggregate(records.read(rows), labels, prepared).to_csv(index=False, lineterminator="\n"))


def aggregate(rows, labels, prepared):
    """Mean metrics and leaves of each cell, with what they depend on.

    Parameters
    ----------
    rows : DataFrame
        Result rows of one study and scale.
    labels, prepared
        As for `run`.

    Returns
    -------
    DataFrame
        The columns `COLUMNS`, one line for each of `METRICS` that the study has and the cell has a value of: ``mean``
        and ``spread`` (one standard deviation) are as stored, such as fractions; ``versions`` names the
        packages behind a fit; ``labels`` and ``data`` are digests of the splits and noisy labels and of the prepared
        data.

    Raises
    ------
    InputError
        If a fit failed: such results are nothing to refer to.
    """
    failed = rows[rows["status"] != records.OK]
    if len(failed):
        first = failed.iloc[0]
        raise InputError(
            f"{len(failed)} fits failed, first {first['dataset']} {first['noise_id']} {first['method']}: "
            f"{first['message']}; correct the cause and run again with retry_failed=True"
        )
    about = rows.drop_duplicates(CELL)[[*IDS, "versions"]]
    means = pd.concat([cells(rows, name).assign(metric=name) for name in METRICS if name in rows])
    means = means.dropna(subset="mean").rename(columns={"sd": "spread"})[[*KEY, "n", "mean", "spread"]]
    leaves = cells(rows, "n_leaves").rename(columns={"mean": "n_leaves"})[[*CELL, "n_leaves"]]
    found = about.merge(means, on=CELL).merge(leaves, on=CELL).sort_values(KEY, ignore_index=True)
    files = {Path(path).with_suffix("").parts[-2:]: path for path in labels}
    places = found[CELL[:3]].drop_duplicates().itertuples(index=False, name=None)
    drawn = {place: digest(files[place[:2]], place[2]) for place in places}
    found["labels"] = [drawn[place] for place in found[CELL[:3]].itertuples(index=False, name=None)]
    metas = map(bundle.meta, prepared)
    found["data"] = found["dataset"].map({meta["id"]: meta["digest"][:32] for meta in metas})
    spelled = [[f"{name} {version}" for name, version in json.loads(text).items()] for text in found["versions"]]
    found["versions"] = list(map("; ".join, spelled))
    return found[COLUMNS]


def digest(path, noise_id):
    """Hexadecimal hash of the splits and the labels under a noise."""
    found = hashlib.blake2b(digest_size=16)
    with undamaged(path):
        labels = noisy_labels.read(path, noise_id)
    for split, noisy in zip(labels.splits, labels.noisy, strict=True):
        for array in (split.train, split.test, noisy):
            found.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    return found.hexdigest()
