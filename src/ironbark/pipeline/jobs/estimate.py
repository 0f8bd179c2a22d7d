"""Estimated cost of studies on this machine: fits, CPU-hours, memory and disk of each data set, and the wall time."""

import heapq
from pathlib import Path

import pandas as pd

from ironbark.pipeline.analysis.statistics.calibration import CELL, calibrate, measured
from ironbark.pipeline.results import batch_fits, records

START = 2.5  # CPU seconds in which a job starts and stops, on the reference machine
HEADS = ("data set", "fits", "CPU hours", "memory", "disk")


def run(spec: dict, results: Path, speed: float):
    """Lines of text to print."""
    known = pd.DataFrame(spec["known"], columns=spec["columns"])
    rows = finished(results, known)
    calibration = calibrate(measured(rows, known[[*CELL, "seconds"]]), speed)
    cells = pd.DataFrame(spec["cells"], columns=spec["columns"])
    cells["total"] = calibration.seconds(cells) * cells["fits"]
    lines = []
    for about in spec["studies"]:
        own = cells[cells["study"] == about["study"]]
        done = rows[(rows["study"] == about["study"]) & (rows["scale"] == about["scale"])]
        lines += ["", *_study(about, own, len(done.drop_duplicates(records.FIT)), spec["cores"], calibration.speed)]
    return [*lines, "", *_reading(calibration, speed, spec["unprepared"])]


def finished(results, known):
    """Rows of the batches that have run, of these studies and scales; they are not scored."""
    rows = []
    for ids in known[["study", "scale"]].drop_duplicates().itertuples(index=False, name=None):
        for path in sorted(Path(results, *ids, "fits").rglob("*.jsonl.gz")):
            header, fits = batch_fits.read(path)
            common = {"study": header["study"], "scale": header["scale"]}
            rows += [{**common, **{name: one[name] for name in records.FIT}, **one["record"]} for one in fits]
    return records.frame(rows)


def _study(about, cells, done, cores, speed):
    """Table and wall time of one study."""
    caps = f": {about['caps']}" if about["caps"] else ""
    by_set = cells.groupby("dataset", sort=False)[["fits", "total"]].sum()
    table = [HEADS]
    for name, (fits, total) in by_set.iterrows():
        size = about["datasets"][name]
        table.append((name, f"{fits:.0f}", _hours(total), _bytes(size["megabytes"]), _bytes(size["disk"])))
    size = pd.DataFrame(about["datasets"].values())
    memory, disk = _bytes(size["megabytes"].max()), _bytes(size["disk"].sum())
    table.append(("in all", f"{cells['fits'].sum()}", _hours(cells["total"].sum()), memory, disk))
    shards = cells.groupby("batch")["total"].sum() + START * speed
    wall = wall_seconds([*shards, *[START * speed] * about["others"]], cores)
    text = f"about {_duration(wall)} on {cores} core{'s' * (cores != 1)} if nothing had run; {done} fits have finished"
    return [f"{about['study']}, scale {about['scale']}{caps}", *_aligned(table), text]


def wall_seconds(jobs, cores):
    """When the last job ends if the longest start first and each takes one core."""
    ends = [0.0] * cores
    for seconds in sorted(jobs, reverse=True):
        heapq.heapreplace(ends, ends[0] + seconds)
    return max(ends)


def _aligned(table):
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for first, *rest in table:
        texts = [first.ljust(widths[0]), *(text.rjust(width) for text, width in zip(rest, widths[1:], strict=True))]
        yield "  " + "  ".join(texts)


def _reading(calibration, speed, unprepared):
    """Basis of the numbers, in words."""
    yield f"A short timing takes {speed:.2f} times as long here as on the machine of the planning constants."
    if calibration.cells:
        yield (
            f"Calibrated by {calibration.cells} cells that ran here, two thirds of them within a factor of "
            f"{calibration.spread:.1f} of the fit; data sets that have not run are less certain."
        )
    else:
        yield "No study has run here yet; after one at scale smoke the estimate is better."
    if unprepared:
        yield f"Not prepared yet, so the number of values of their features is guessed: {', '.join(unprepared)}."
    yield "Not counted: downloads, preparing data, drawing noisy labels, compiling at the first use."


def _hours(seconds):
    return f"{seconds / 3600:.3g}"


def _bytes(megabytes):
    return f"{megabytes / 1000:.1f} GB" if megabytes >= 1000 else f"{megabytes:.0f} MB"


def _duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 90 * 60 else f"{seconds / 3600:.1f} hours"
