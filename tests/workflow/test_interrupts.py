"""SIGKILL, Ctrl-C, a clock that jumps, a full disk and no shared folder: the next run goes on, with the same rows."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkouts import FEW_ROWS, SAME, Running, with_few

from ironbark.pipeline.results import records, store


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


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_stopped_and_killed_runs_go_on_where_they_were(checkout, running, times):
    """Ctrl-C needs no `--unlock`; a run that was killed leaves a lock behind. At last it runs on one core."""
    few = with_few(checkout)
    (few / "seconds").write_text("0.5")
    stopped = running(few, FEW_ROWS)
    stopped.until_fits(2)
    for _ in range(times):
        stopped.interrupt()
        time.sleep(0.2)
    assert stopped.wait(100) != 0
    assert 2 <= (moment := few.fits()) < 14
    killed = running(few, FEW_ROWS)
    killed.until_fits(moment + random.randrange(1, 3))
    killed.kill()
    assert moment < few.fits() < 16 and not (few / FEW_ROWS).exists()
    (few / "seconds").write_text("0")
    assert "--unlock" in few.refused(FEW_ROWS)
    few.run("--unlock")
    few.run("--cores", "1", FEW_ROWS)
    rows = records.read(few / FEW_ROWS)
    assert few.fits() == len(rows) == 16 and set(rows["status"]) == {"ok"}, "no fit was run twice"
    (labels,) = (few / "results").rglob("*.npz")
    os.utime(labels, times=(time.time() + 365 * 86400,) * 2)  # the clock jumps by a year, so that jobs run again
    few.run(FEW_ROWS)
    assert few.fits() == 16 and records.read(few / FEW_ROWS)[SAME].equals(rows[SAME])
    shutil.rmtree(few / "results")
    few.run(FEW_ROWS)
    assert records.read(few / FEW_ROWS)[SAME].equals(rows[SAME]), "as without any interruption"


SHARD = "results/tiny/full/fits/iris/multiclass/gini.jsonl.gz"


@pytest.fixture
def disk(compiled):
    """The results of the checkout, on a disk of 100 KB."""
    (compiled / "results").mkdir()
    command = ["mount", "-o", "size=100k", "-t", "tmpfs", "tmpfs", compiled / "results"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    yield compiled / "results"
    subprocess.run(["umount", "-l", compiled / "results"], check=True)


def untimed(path):
    """Fits of a batch without their timings."""
    fits = store.read_batch(path)[1]
    for one in fits:
        for name in records.MEASURED:
            del one["record"][name]
    return fits


@pytest.mark.slow
def test_a_full_disk(compiled, shared, disk):
    (disk / "ballast").write_bytes(bytes(68 * 1024))
    full = compiled.run(SHARD, check=False)
    text = full.stdout + full.stderr
    assert full.returncode != 0 and ("disk is full" in text or "No space left" in text), text
    assert not (compiled / SHARD).exists()
    subprocess.run(["mount", "-o", "remount,size=20m", disk], check=True)
    compiled.run(SHARD)
    assert untimed(compiled / SHARD) == untimed(shared / SHARD)


#: Starts a job in a folder of its own, to which only the sources are copied, and prints the folder.
SUBMIT = """#!/bin/bash
node=$(mktemp -d NODES/XXXXXX)
rsync -a --exclude=/data/raw --exclude=/data/prepared --exclude=/results --exclude=/.snakemake CHECKOUT/ $node/copy
cd $node/copy
setsid bash -c "bash '$1' > ../output 2>&1 && touch ../success || touch ../failed" > /dev/null 2>&1 &
echo $node
"""
STATUS = """#!/bin/bash
if [ -e $1/success ]; then echo success; elif [ -e $1/failed ]; then echo failed; else echo running; fi
"""


@pytest.mark.slow
def test_results_without_a_shared_file_system(built, compiled, tmp_path):
    if shutil.which("rsync") is None:
        pytest.skip("the storage plugin `fs` needs the program rsync")
    nodes = tmp_path / "nodes"
    nodes.mkdir()
    for name, text in {"submit": SUBMIT, "status": STATUS}.items():
        (tmp_path / name).write_text(text.replace("NODES", str(nodes)).replace("CHECKOUT", str(compiled.folder)))
        (tmp_path / name).chmod(0o755)
    options = ["--executor=cluster-generic", "--jobs=2", "--shared-fs-usage=none", "--default-storage-provider=fs"]
    options += [f"--default-storage-prefix={tmp_path / 'storage'}"]
    options += [f"--cluster-generic-{name}-cmd={tmp_path / name}" for name in ("submit", "status")]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # nodes start the `python` that they find there
    compiled.run("tiny", *options, PATH=path)
    rows = "results/tiny/full/rows.parquet"
    assert records.read(compiled / rows)[SAME].equals(records.read(built / rows)[SAME])
    assert len(list(nodes.glob("*/success"))) >= 8  # labels and fits of two data sets
    assert (compiled / "results/site/index.html").exists() and (compiled / "results/tiny/full/report.html").exists()
    assert not (compiled / "data/prepared").exists()
    assert compiled.planned("tiny", *options) == {}
