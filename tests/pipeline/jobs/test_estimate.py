"""The page of costs: sums, wall time, what ran before."""

import itertools

import pytest

from ironbark.pipeline.jobs import estimate
from ironbark.pipeline.jobs.machine import cpu_dispatch
from ironbark.pipeline.plan.cost.forecast import COLUMNS
from ironbark.pipeline.results import batch_fits

ABOUT = {"study": "s", "scale": "lite", "caps": "3 repeats at most", "others": 4}
SIZES = {"d": {"megabytes": 400.4, "disk": 12.0}, "e": {"megabytes": 2300.0, "disk": 3000.0}}


@pytest.fixture
def spec():
    cells = [["s", "lite", f"{d}/binary/a", d, "binary", "clean", "a", 3, 1200.0 * n] for n, d in ((1, "d"), (2, "e"))]
    return {
        "cores": 2,
        "columns": COLUMNS,
        "unprepared": [],
        "studies": [{**ABOUT, "datasets": SIZES}],
        "cells": cells,
        "known": [],
    }


def test_without_anything_that_ran(spec, tmp_path):
    text = estimate.run(spec, tmp_path, 2.0)
    assert text[:6] == [
        "",
        "s, scale lite: 3 repeats at most",
        "  data set  fits  CPU hours  memory    disk",
        "  d            3          2  400 MB   12 MB",
        "  e            3          4  2.3 GB  3.0 GB",
        "  in all       6          6  2.3 GB  3.0 GB",
    ]
    assert text[6] == "about 4.0 hours on 2 cores if nothing had run; 0 fits have finished"
    assert "takes 2.00 times as long here" in text[8] and text[9].startswith("No study has run here yet")


def test_what_ran_counts_and_calibrates(spec, tmp_path):
    ids = {"study": "s", "scale": "lite", "dataset": "d", "task": "binary", "noise_id": "clean", "method": "a"}
    record = {"status": "ok", "fit_seconds": 120.0, "score_seconds": 0.0}
    fits = [{**ids, "repeat": repeat, "fold": 0, "record": record} for repeat in (0, 1)]
    batch_fits.write(tmp_path / "s/lite/fits/d/binary/a.jsonl.gz", {"study": "s", "scale": "lite"}, fits)
    spec["known"] = spec["cells"]
    text = estimate.run(spec, tmp_path, 1.0)
    assert "2 fits have finished" in text[6] and text[9].startswith("Calibrated by 1 cells")
    before, after = (
        float(line.split()[2]) for line in (estimate.run({**spec, "known": []}, tmp_path, 1.0)[3], text[3])
    )
    assert before == 1 and after == pytest.approx(0.1, rel=0.2)


def test_wall_time_against_every_order():
    jobs = [3.0, 3.0, 2.0, 2.0, 2.0]
    assert estimate.wall_seconds(jobs, 1) == sum(jobs)
    assert estimate.wall_seconds(jobs, 9) == 3
    best = min(max(sum(j for j, c in zip(jobs, cores, strict=True) if c == k) for k in (0, 1))
               for cores in itertools.product((0, 1), repeat=5))  # fmt: skip
    assert best <= estimate.wall_seconds(jobs, 2) <= 7 / 6 * best  # the known bound for two cores


def test_the_probe_is_positive():
    assert cpu_dispatch.factor() > 0
