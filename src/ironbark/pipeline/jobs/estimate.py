"""Estimated cost of studies on this machine: fits, CPU-hours, memory and disk of each data set, and the wall time."""

import heapq
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ironbark.pipeline.log import duration
from ironbark.pipeline.results import records, store

START = 2.0  # CPU seconds in which a job starts and stops
LEAST = 0.02  # planned seconds below which the time of a fit says nothing of larger ones
CELL = ["study", "scale", "dataset", "task", "noise_id", "method"]


def run(spec: dict, results: Path) -> list[str]:
    """Lines of text to print."""
    known, cells = (pd.DataFrame(spec[name], columns=spec["columns"]) for name in ("known", "cells"))
    rows = finished(results, known)
    factors = corrections(rows, known)
    keys = cells[["method", "task"]].itertuples(index=False, name=None)
    cells["total"] = cells["seconds"] * cells["fits"] * [factors.get(key, factors.median()) for key in keys]
    lines, jobs, alone = [], [], []
    for study in spec["studies"]:
        own = cells[cells["study"] == study["study"]]
        done = rows[(rows["study"] == study["study"]) & (rows["scale"] == study["scale"])]
        (alone if study["alone"] else jobs).extend(own.groupby("batch")["total"].sum() + START)
        jobs += [START] * study["others"]
        lines += ["", *_table(study, own), f"{len(done.drop_duplicates(records.FIT))} fits have finished"]
    wall = duration(wall_seconds(jobs, spec["cores"]) + sum(alone))
    jobs += alone
    where = f"{spec['cores']} core{'s' * (spec['cores'] != 1)}"
    return [
        *lines,
        "",
        f"In all {len(jobs)} jobs and {sum(jobs) / 3600:.3g} CPU hours, {START:g} s of each job to start it included: "
        f"about {wall} on {where} if nothing had run, within a factor of three.",
        *_basis(factors, spec["guessed"]),
    ]


def finished(results: Path, known: pd.DataFrame) -> pd.DataFrame:
    """Rows of the batches that have run, of these studies and scales; they are not scored."""
    rows = []
    for ids in known[["study", "scale"]].drop_duplicates().itertuples(index=False, name=None):
        for path in sorted(Path(results, *ids, "fits").rglob("*.jsonl.gz")):
            header, fits = store.read_batch(path)
            common = {"study": header["study"], "scale": header["scale"]}
            rows += [{**common, **{name: one[name] for name in records.FIT}, **one["record"]} for one in fits]
    return records.frame(rows)


def corrections(rows: pd.DataFrame, known: pd.DataFrame) -> pd.Series:
    """Median of measured over planned seconds, by method and task; a single 1 if nothing that counts has run."""
    done = rows[rows["status"] == "ok"]
    measured = done[[*records.TIMINGS]].sum(axis=1).groupby([done[column] for column in CELL]).mean()
    cells = known.merge(measured[measured > 0].rename("measured").reset_index(), on=CELL)
    cells = cells[cells["seconds"] >= LEAST]
    if cells.empty:
        return pd.Series([1.0])
    return (cells["measured"] / cells["seconds"]).groupby([cells["method"], cells["task"]]).median()


def wall_seconds(jobs: list[float], cores: int) -> float:
    """When the last job ends if the longest start first and each takes one core."""
    ends = [0.0] * cores
    for seconds in sorted(jobs, reverse=True):
        heapq.heapreplace(ends, ends[0] + seconds)
    return max(ends)


def _table(study, cells) -> Iterator[str]:
    """Title and aligned table of one study."""
    yield f"{study['study']}, scale {study['scale']}" + (f": {study['caps']}" if study["caps"] else "")
    sums, sizes = cells.groupby("dataset", sort=False)[["fits", "total"]].sum(), pd.DataFrame(study["datasets"]).T
    sums.loc["in all"] = sums.sum()
    sizes.loc["in all"] = sizes.agg({"megabytes": "max", "disk": "sum"})
    hours = (sums["total"] / 3600).map("{:.3g}".format)
    table = pd.DataFrame({"fits": sums["fits"].map("{:.0f}".format), "CPU hours": hours})
    table = table.join(sizes.rename(columns={"megabytes": "memory"})[["memory", "disk"]].map(_bytes))
    yield from (f"  {line}" for line in table.rename_axis(index=None, columns="data set").to_string().splitlines())


def _basis(factors, guessed) -> Iterator[str]:
    """Basis of the numbers, in words."""
    if factors.index.nlevels == 2:
        yield f"Rates of {len(factors)} methods and tasks are of fits that ran here; those of a table are scaled alike."
    else:
        yield "No fit of some length has run here yet; after a study at scale lite the estimate is better."
    if guessed:
        yield f"Not prepared yet, so taken as 1000 samples of 20 features: {', '.join(guessed)}."
    yield "Not counted: downloads, preparing data, drawing noisy labels, compiling at the first use."


def _bytes(megabytes):
    return f"{megabytes / 1000:.1f} GB" if megabytes >= 1000 else f"{megabytes:.0f} MB"
