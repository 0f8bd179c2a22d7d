"""The result rows of a study from those of its batches, complete or refused."""

import pyarrow.compute as pc

from ironbark.pipeline.analysis.collect import FIT, refuse_holes
from ironbark.pipeline.jobs import say
from ironbark.pipeline.results import merge_rows, records

ORDER = ["dataset", "task", "noise", "rate", "method", "repeat", "fold"]


def run(spec, shards, out):
    """Concatenate, check and write ``rows.parquet``.

    Parameters
    ----------
    spec : dict
        Keys cells (list of [data set, task, noise ids, method ids]), repeats, folds, allow_holes.
    shards : list of path
        Parquet files of the batches.
    out : path
    """
    rows = merge_rows.read(shards, ORDER)
    holes = refuse_holes(rows.select(FIT).to_pandas(), expected(spec), spec["allow_holes"])
    failed = rows.filter(pc.equal(rows["status"], records.FAILED)).select([*FIT, "message"]).to_pandas()
    say(f"{len(rows)} fits, {len(failed)} failed, {len(holes)} missing")
    for row in failed.itertuples():
        say(f"FAILED {row.dataset} {row.task} {row.noise_id} {row.method} repeat {row.repeat}: {row.message}")
    merge_rows.write(rows, out, shards[0])


def expected(spec):
    """Every fit that the study asks for: (dataset, task, noise_id, method, repeat, fold)."""
    for dataset, task, noises, methods in spec["cells"]:
        for noise_id in noises:
            for method in methods:
                for repeat in range(spec["repeats"]):
                    for fold in range(spec["folds"]):
                        yield dataset, task, noise_id, method, repeat, fold
