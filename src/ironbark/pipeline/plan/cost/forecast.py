"""What studies will cost here: fits, CPU hours, memory and disk of each data set, and the wall time."""

import heapq
from collections.abc import Iterator
from pathlib import Path

from ironbark.pipeline.log import duration
from ironbark.pipeline.plan.cost import fits
from ironbark.pipeline.plan.study.batches import n_splits, seconds_of

START = 2.0  # CPU seconds in which a job starts and stops


def lines(plan, studies: list[str], cores: int, prepared="data/prepared") -> list[str]:
    """Lines of text to print."""
    asked = [plan.study(study, plan.settings["scale"]) for study in studies]
    sizes = {name: fits.size_of(entry, Path(prepared, name)) for name, entry in plan.config["datasets"].items()}
    tables, jobs, alone = [], [], []
    for study in asked:
        batches = [sum(_seconds(study, sizes, parts)) + START for parts in study.batches.values()]
        (alone if study.alone else jobs).extend(batches)
        others = len(study.cells) + 2 * len(study.datasets) + sum(map(bool, study.shown.values())) + 2
        jobs += [START] * others  # they train nothing
        tables += ["", f"{study.id}, scale {study.scale}" + (f": {study.caps}" if study.caps else "")]
        tables += _aligned(_rows(study, sizes))
    wall = duration(wall_seconds(jobs, cores) + sum(alone))
    jobs += alone
    if guessed := sorted({name for study in asked for name in study.datasets if "n" not in sizes[name]}):
        tables += ["", f"Not prepared yet, so taken as 1000 samples of 20 features: {', '.join(guessed)}."]
    return [
        *tables,
        "",
        f"In all {len(jobs)} jobs and {sum(jobs) / 3600:.3g} CPU hours, {START:g} s of each job to start it included: "
        f"about {wall} on {cores} core{'s' * (cores != 1)} if nothing had run, within a factor of three.",
        "Not counted: downloads, preparing data, drawing noisy labels, compiling at the first use.",
    ]


def wall_seconds(jobs: list[float], cores: int) -> float:
    """When the last job ends if the longest start first and each takes one core."""
    ends = [0.0] * cores
    for seconds in sorted(jobs, reverse=True):
        heapq.heapreplace(ends, ends[0] + seconds)
    return max(ends)


def _rows(study, sizes):
    """Fits, CPU seconds, megabytes of memory and of disk: of each data set by its name, and of all."""
    datasets, rows, splits = {}, {}, n_splits(study.protocol)
    for part in (part for parts in study.batches.values() for part in parts):
        datasets.setdefault(part.dataset, []).append(part)
    for name, parts in datasets.items():
        cells = [both for (dataset, _), both in study.cells.items() if dataset == name]
        labels = splits * sum(len(noises) for noises, _ in cells)
        n_fits = splits * sum(len(part.noises) * len(part.methods) for part in parts)
        rows[name] = (
            n_fits,
            sum(_seconds(study, sizes, parts)),
            fits.megabytes(sizes[name], study.protocol, [study.methods[method] for _, ids in cells for method in ids]),
            fits.disk(sizes[name], labels, n_fits),
        )
    n_fits, seconds, memory, disk = zip(*rows.values(), strict=True)
    return rows | {"in all": (sum(n_fits), sum(seconds), max(memory), sum(disk))}


def _seconds(study, sizes, parts):
    return (seconds_of(part, sizes[part.dataset], study.methods, study.protocol) for part in parts)


def _aligned(rows) -> Iterator[str]:
    """Lines of a table."""
    texts = [("data set", "fits", "CPU hours", "memory", "disk")]
    for name, (n_fits, seconds, *sizes) in rows.items():
        texts.append((name, f" {n_fits}", f" {seconds / 3600:.3g}", *map(_size, sizes)))
    first, *others = (max(map(len, column)) for column in zip(*texts, strict=True))
    for name, *cells in texts:
        yield " ".join([f"  {name:<{first}}", *(f"{cell:>{n}}" for cell, n in zip(cells, others, strict=True))])


def _size(megabytes):
    return f" {megabytes / 1000:.1f} GB" if megabytes >= 1000 else f" {megabytes:.0f} MB"
