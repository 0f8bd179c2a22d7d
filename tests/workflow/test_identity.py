"""The same bits with one core as with two, and after everything was killed."""

import random
import subprocess
import time

import pandas as pd
import psutil
from checkouts import SAME

from ironbark.pipeline.results import records

ROWS = "results/tiny/full/rows.parquet"


def assert_same_rows(one, two):
    pd.testing.assert_frame_equal(records.read(one / ROWS)[SAME], records.read(two / ROWS)[SAME], check_exact=True)


def finished(compiled):
    """Number of whole lines of the store, a line for each time that a fit was run."""
    lines = [line for path in (compiled / "results/store").rglob("*.jsonl") for line in path.read_bytes().splitlines()]
    return sum(line.startswith(b"{") and line.endswith(b"}}") for line in lines)


def kill(process):
    """SIGKILL to Snakemake and all its jobs."""
    everyone = [process, *psutil.Process(process.pid).children(recursive=True)]
    for one in everyone:
        try:
            one.kill()
        except psutil.NoSuchProcess:
            continue
    process.wait()


def test_a_killed_run_goes_on_where_it_was(shared, compiled):
    """On one core instead of two; a run that was killed leaves a lock behind, so it needs `--unlock`."""
    command, environment = compiled.command(ROWS)
    process = subprocess.Popen(
        command, cwd=compiled.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    moment, deadline = random.randrange(1, 28), time.monotonic() + 200
    while finished(compiled) < moment and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert process.poll() is None, "it was too fast to be killed"
    kill(process)
    kept = finished(compiled)
    assert kept >= moment and not (compiled / ROWS).exists()
    refused = compiled.run(ROWS, check=False)
    assert refused.returncode != 0 and "--unlock" in refused.stdout + refused.stderr
    compiled.run("--unlock")
    compiled.run("--cores", "1", ROWS)
    assert_same_rows(compiled, shared)
    assert finished(compiled) == 32, "a fit that was in the store has been run again"
