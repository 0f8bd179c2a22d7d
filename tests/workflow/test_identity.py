"""The same bits with one core as with two, and after everything was killed."""

import random
import subprocess
import time

import pandas as pd
from checkouts import SAME
from workflow.kills import end, lines

from ironbark.pipeline.results import records

ROWS = "results/tiny/full/rows.parquet"


def assert_same_rows(one, two):
    pd.testing.assert_frame_equal(records.read(one / ROWS)[SAME], records.read(two / ROWS)[SAME], check_exact=True)


def test_a_killed_run_goes_on_where_it_was(shared, compiled):
    """On one core instead of two; a run that was killed leaves a lock behind, so it needs `--unlock`."""
    command, environment = compiled.command(ROWS)
    process = subprocess.Popen(
        command, cwd=compiled.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    moment, deadline = random.randrange(1, 28), time.monotonic() + 200
    while len(lines(compiled)) < moment and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert process.poll() is None, "it was too fast to be killed"
    end(process)
    kept = len(lines(compiled))
    assert kept >= moment and not (compiled / ROWS).exists()
    refused = compiled.run(ROWS, check=False)
    assert refused.returncode != 0 and "--unlock" in refused.stdout + refused.stderr
    compiled.run("--unlock")
    compiled.run("--cores", "1", ROWS)
    assert_same_rows(compiled, shared)
    assert len(lines(compiled)) == 32, "a fit that was in the store has been run again"
