"""SIGKILL, Ctrl-C and a clock that jumps: the next run goes on, no fit is run twice, and the rows are the same."""

import os
import random
import time

import pandas as pd
import pytest
from checkouts import FEW_ROWS, SAME, Running, with_few

from ironbark.pipeline.results import records

ROWS = "results/tiny/full/rows.parquet"


@pytest.fixture
def running():
    """Function that starts Snakemake in a checkout, and kills it at the end if it still runs."""
    started = []

    def start(checkout, *arguments):
        started.append(Running(checkout, "--cores", "2"))
        started[-1].start(*arguments)
        return started[-1]

    yield start
    for one in started:
        one.kill()


def test_a_killed_run_goes_on_where_it_was(shared, compiled, running):
    """On one core instead of two; a run that was killed leaves a lock behind, so it needs `--unlock`."""
    moment = random.randrange(1, 28)
    killed = running(compiled, ROWS)
    killed.until_fits(moment)
    killed.kill()
    assert compiled.fits() >= moment and not (compiled / ROWS).exists()
    assert "--unlock" in compiled.refused(ROWS)
    compiled.run("--unlock")
    compiled.run("--cores", "1", ROWS)
    rows, expected = (records.read(checkout / ROWS)[SAME] for checkout in (compiled, shared))
    pd.testing.assert_frame_equal(rows, expected, check_exact=True)
    assert compiled.fits() == 32, "a fit that was in the store has been run again"


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ctrl_c(checkout, running, times):
    """It needs no `--unlock`."""
    few = with_few(checkout)
    (few / "seconds").write_text("0.5")
    stopped = running(few, FEW_ROWS)
    stopped.until_fits(2)
    for _ in range(times):
        stopped.interrupt()
        time.sleep(0.2)
    assert stopped.wait(100) != 0
    assert 2 <= few.fits() < 16
    (few / "seconds").write_text("0")
    few.run(FEW_ROWS)
    rows = records.read(few / FEW_ROWS)
    assert few.fits() == len(rows) == 16 and set(rows["status"]) == {"ok"}
    if times == 1:
        a_clock_that_jumps(few, rows)


def a_clock_that_jumps(few, rows):
    """Labels from a year ahead make Snakemake run jobs again, but no fit; inputs from a year ago change nothing."""
    (prepared,), (labels,) = (few / "data/prepared").rglob(".snakemake_timestamp"), (few / "results").rglob("*.npz")
    for years, inputs in ((1, [labels]), (-1, [labels, prepared])):
        moment = time.time() + years * 365 * 86400
        for path in inputs:
            os.utime(path, times=(moment, moment))
        few.run(FEW_ROWS)
        assert few.fits() == 16
        assert records.read(few / FEW_ROWS)[SAME].equals(rows[SAME])
