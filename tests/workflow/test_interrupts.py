"""Ctrl-C, twice too, and a clock that jumps: the next run goes on, with no fit run twice and no `--unlock`."""

import os
import signal
import subprocess
import time

import pytest
from checkouts import FEW_ROWS, SAME, heeding_ctrl_c, with_few
from workflow.kills import lines

from ironbark.pipeline.results import records


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ctrl_c(checkout, times):
    few = with_few(checkout)
    (few / "seconds").write_text("0.5")
    command, environment = few.command(FEW_ROWS)
    process = subprocess.Popen(
        heeding_ctrl_c(command),
        cwd=few.folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 250
        while len(lines(few)) < 2:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.2)
        assert process.wait(100) != 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    before = len(lines(few))
    assert 2 <= before < 16
    (few / "seconds").write_text("0")
    few.run(FEW_ROWS)
    rows = records.read(few / FEW_ROWS)
    assert len(lines(few)) == len(rows) == 16 and set(rows["status"]) == {"ok"}
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
        assert len(lines(few)) == 16
        assert records.read(few / FEW_ROWS)[SAME].equals(rows[SAME])
