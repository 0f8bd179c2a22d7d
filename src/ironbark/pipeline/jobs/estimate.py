"""Estimated cost of studies on this machine: fits, CPU-hours, memory and disk of each data set, and the wall time."""

import heapq
from collections.abc import Iterator

import pandas as pd

from ironbark.pipeline.log import duration

START = 2.0  # CPU seconds in which a job starts and stops


def run(spec: dict) -> list[str]:
    """Lines of text to print."""
    cells = pd.DataFrame(spec["cells"], columns=spec["columns"])
    cells["total"] = cells["seconds"] * cells["fits"]
    lines, jobs, alone = [], [], []
    for study in spec["studies"]:
        own = cells[cells["study"] == study["study"]]
        (alone if study["alone"] else jobs).extend(own.groupby("batch")["total"].sum() + START)
        jobs += [START] * study["others"]
        lines += ["", *_table(study, own)]
    wall = duration(wall_seconds(jobs, spec["cores"]) + sum(alone))
    jobs += alone
    where = f"{spec['cores']} core{'s' * (spec['cores'] != 1)}"
    if guessed := spec["guessed"]:
        lines += ["", f"Not prepared yet, so taken as 1000 samples of 20 features: {', '.join(guessed)}."]
    return [
        *lines,
        "",
        f"In all {len(jobs)} jobs and {sum(jobs) / 3600:.3g} CPU hours, {START:g} s of each job to start it included: "
        f"about {wall} on {where} if nothing had run, within a factor of three.",
        "Not counted: downloads, preparing data, drawing noisy labels, compiling at the first use.",
    ]


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
    sizes = sizes.rename(columns={"megabytes": "memory"})[["memory", "disk"]]
    table = table.join(sizes.map(lambda size: f"{size / 1000:.1f} GB" if size >= 1000 else f"{size:.0f} MB"))
    yield from (f"  {line}" for line in table.rename_axis(index=None, columns="data set").to_string().splitlines())
