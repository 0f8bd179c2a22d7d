"""The printed estimate: sums, wall time, rates of what ran before."""

import itertools

import pytest

from ironbark.pipeline.jobs import estimate
from ironbark.pipeline.plan.cost.forecast import COLUMNS
from ironbark.pipeline.results import store

SIZES = {"d": {"megabytes": 400.4, "disk": 12.0}, "e": {"megabytes": 2300.0, "disk": 3000.0}}
STUDY = {"study": "s", "scale": "lite", "caps": "3 repeats at most", "others": 4, "datasets": SIZES}


@pytest.fixture
def spec():
    cells = [["s", "lite", f"{d}/binary/a", d, "binary", "clean", "a", 3, 1200.0 * n] for n, d in ((1, "d"), (2, "e"))]
    return {"cores": 2, "columns": COLUMNS, "guessed": [], "studies": [STUDY], "cells": cells, "known": []}


def test_without_anything_that_ran(spec, tmp_path):
    text = estimate.run(spec | {"guessed": ["d"]}, tmp_path)
    assert [line.split() for line in text[3:6]] == [
        ["d", "3", "1", "400", "MB", "12", "MB"],
        ["e", "3", "2", "2.3", "GB", "3.0", "GB"],
        ["in", "all", "6", "3", "2.3", "GB", "3.0", "GB"],
    ]
    assert "6 jobs and 3 CPU hours" in text[8] and "2.0 hours on 2 cores" in text[8]


def test_the_median_of_what_ran_here_counts(spec, tmp_path):
    ids = {"study": "s", "scale": "lite", "dataset": "d", "task": "binary", "noise_id": "clean", "method": "a"}
    record = {"status": "ok", "fit_seconds": 120.0, "score_seconds": 0.0}
    fits = [{**ids, "repeat": repeat, "fold": 0, "record": record} for repeat in (0, 1)]
    store.write_batch(tmp_path / "s/lite/fits/d/binary/a.jsonl.gz", {"study": "s", "scale": "lite"}, fits)
    text = estimate.run(spec | {"known": spec["cells"]}, tmp_path)
    assert text[6] == "2 fits have finished" and "Rates of 1 methods" in text[9]
    assert [line.split()[2] for line in text[3:5]] == ["0.1", "0.2"]


def test_wall_time_against_every_order():
    jobs = [3.0, 3.0, 2.0, 2.0, 2.0]
    assert estimate.wall_seconds(jobs, 1) == sum(jobs)
    assert estimate.wall_seconds(jobs, 9) == 3
    best = min(max(sum(j for j, c in zip(jobs, cores, strict=True) if c == k) for k in (0, 1))
               for cores in itertools.product((0, 1), repeat=5))  # fmt: skip
    assert best <= estimate.wall_seconds(jobs, 2) <= 7 / 6 * best  # the known bound for two cores
