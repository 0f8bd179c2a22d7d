"""A batch of fits and its rows, without a study around them."""

import shutil
from pathlib import Path

from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import score, shard
from ironbark.pipeline.results import records, store


def rows(spec, prepared, labels, stores, out, names=()):
    """Run a batch, and score it: its rows with these further metrics, in the order of the fits."""
    shard.run(Shard.of(spec), prepared, labels, stores, out)
    place = Path(out).with_suffix(".scoring")
    shutil.rmtree(place, ignore_errors=True)
    for dataset, folder in prepared.items():
        shutil.copytree(folder, place / "prepared" / dataset)
    for (dataset, task), path in labels.items():
        target = place / "labels" / dataset / f"{task}.npz"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    table = score.Scorer(place / "labels", place / "prepared", names).table(*store.read_batch(out))
    records.write_merged(table, place / "rows.parquet")
    return records.read(place / "rows.parquet")
