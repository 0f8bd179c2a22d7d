"""The result rows of a study from those of its batches, complete or refused."""

from ironbark import records
from ironbark.analysis.collect import refuse_holes
from ironbark.jobs import say

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
    rows = records.read(*shards).sort_values(ORDER, ignore_index=True)
    holes = refuse_holes(rows, expected(spec), spec["allow_holes"])
    failed = rows[rows["status"] == records.FAILED]
    say(f"{len(rows)} fits, {len(failed)} failed, {len(holes)} missing")
    for row in failed.itertuples():
        say(f"FAILED {row.dataset} {row.task} {row.noise_id} {row.method} repeat {row.repeat}: {row.message}")
    records.write(rows, out)


def expected(spec):
    """Every fit that the study asks for: (dataset, task, noise_id, method, repeat, fold)."""
    for dataset, task, noises, methods in spec["cells"]:
        for noise_id in noises:
            for method in methods:
                for repeat in range(spec["repeats"]):
                    for fold in range(spec["folds"]):
                        yield dataset, task, noise_id, method, repeat, fold
