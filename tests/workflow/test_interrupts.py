"""SIGKILL, Ctrl-C, a full disk, no shared folder, jobs that Slurm has forgotten: the next run has the same rows."""

import asyncio
import importlib.metadata
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import snakemake.logging
from checkouts import FEW_ROWS, SAME, Running, with_few
from snakemake.scheduling.job_scheduler import JobScheduler

from ironbark.pipeline.jobs import slurm
from ironbark.pipeline.results import parquet, records, store


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
    assert stopped.wait(100) != 0 and 2 <= (moment := few.fits()) < 14
    killed = running(few, FEW_ROWS)
    killed.until_fits(moment + random.randrange(1, 3))
    killed.kill()
    assert moment < few.fits() < 16 and not (few / FEW_ROWS).exists()
    (few / "seconds").write_text("0")
    assert "--unlock" in few.refused(FEW_ROWS)
    few.run("--unlock")
    few.run("--cores", "1", FEW_ROWS)
    rows = parquet.read(few / FEW_ROWS)
    assert few.fits() == len(rows) == 16 and set(rows["status"]) == {"ok"}, "no fit was run twice"
    (labels,) = (few / "results").rglob("*.npz")
    os.utime(labels, times=(time.time() + 365 * 86400,) * 2)  # the clock jumps by a year, so that jobs run again
    few.run(FEW_ROWS)
    assert few.fits() == 16 and parquet.read(few / FEW_ROWS)[SAME].equals(rows[SAME])
    shutil.rmtree(few / "results")
    few.run(FEW_ROWS)
    assert parquet.read(few / FEW_ROWS)[SAME].equals(rows[SAME]), "as without any interruption"
    few.edit("config/methods/baselines.yaml", "max_depth: 2", "max_depth: 1")
    away = (few / "results/store").rename(few / "away")
    (few / "results/store").touch()  # in the way, so that the job of the changed fits fails
    assert few.run(FEW_ROWS, check=False).returncode != 0
    (few / "results/store").unlink()
    away.rename(few / "results/store")
    few.run(FEW_ROWS)
    assert not parquet.read(few / FEW_ROWS)[SAME].equals(rows[SAME]), "the change is not forgotten"


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
    assert parquet.read(compiled / rows)[SAME].equals(parquet.read(built / rows)[SAME])
    assert len(list(nodes.glob("*/success"))) >= 8  # labels and fits of two data sets
    assert (compiled / "results/site/index.html").exists() and (compiled / "results/tiny/full/report.html").exists()
    assert not (compiled / "data/prepared").exists() and compiled.planned("tiny", *options) == {}


class Watch:
    """Polls of an executor whose jobs all seem to run, at times that a test sets."""

    def __init__(self, monkeypatch, answers):
        async def check(executor, jobs):
            for job in jobs:
                yield job

        self.now, self.failed, answers = 0, [], iter(answers)
        monkeypatch.setattr(slurm, "known_jobs", lambda run, clusters: next(answers))
        self.check = slurm.watched(check, lambda: self.now)
        self.cancelled = []
        self.executor = SimpleNamespace(run_uuid="run", report_job_error=self.fail, _submitted_job_clusters=set())
        self.executor.cancel_jobs = self.cancelled.extend

    def fail(self, job, msg):
        self.failed.append((job.external_jobid, msg))

    def poll(self, now, *jobs):
        async def waiting():
            found = [SimpleNamespace(external_jobid=number) for number in jobs]
            return [job.external_jobid async for job in self.check(self.executor, found)]

        self.now = now
        return asyncio.run(waiting())


def test_jobs_that_slurm_does_not_know(monkeypatch):
    runs = dict.fromkeys("13", "None")
    watch = Watch(monkeypatch, [runs] * 4)
    assert watch.poll(0, "1", "2") == watch.poll(20, "1", "2") == watch.poll(299, "1", "2") == ["1", "2"]
    assert watch.poll(300, "1", "2") == ["1"]
    assert [number for number, _ in watch.failed] == ["2"] and "job 2 has not been known" in watch.failed[0][1]
    watch = Watch(monkeypatch, [{}, None, {}, {"2": "Priority"}, {}, {}, runs])
    for now in (0, 400, 500, 700, 900, 1100):
        assert watch.poll(now, "2_7") == ["2_7"]  # a task of an array
    assert watch.poll(9999, "1", "3") == ["1", "3"] and not watch.failed


def test_a_job_that_asks_for_more_than_its_partition_allows(monkeypatch):
    watch = Watch(monkeypatch, [{"1": "PartitionTimeLimit", "2": "Resources", "3": "None"}])
    assert watch.poll(0, "1", "2", "3") == ["2", "3"] and [job.external_jobid for job in watch.cancelled] == ["1"]
    assert watch.failed[0][0] == "1" and "(PartitionTimeLimit); lower its resources by --set-res" in watch.failed[0][1]


@pytest.mark.parametrize(
    ("code", "said", "known"),
    [
        (0, "CLUSTER: a\n3 None\n4_1 launch failed\n", {"3": "None", "4": "launch failed"}),
        (0, "", {}),
        (1, "Unable to contact", None),
    ],
)
def test_what_squeue_says(monkeypatch, code, said, known):
    asked = []

    def run(command, **options):
        asked.append(command)
        return subprocess.CompletedProcess(command, code, said, "")

    monkeypatch.setattr(subprocess, "run", run)
    assert slurm.known_jobs("the run") == slurm.known_jobs("the run", {"b", "a"}) == known
    assert asked[0][0] == "squeue" and asked[0][-1] == "the run" and "--states=all" in asked[0]
    assert asked[1][-2:] == ["--clusters", "a,b"]


ROOT = Path(__file__).parents[2]
RULES = ROOT / "workflow/rules/patches.smk"  # plain Python


@pytest.fixture
def plugin():
    return pytest.importorskip("snakemake_executor_plugin_slurm")


@pytest.fixture
def patch(monkeypatch, plugin):
    """Apply the patches as if some versions were installed; two of the functions that are left then."""
    monkeypatch.setattr(snakemake.logging, "show_logs", snakemake.logging.show_logs)  # is put back
    true = importlib.metadata.version

    def patched(**versions):
        for owner, name in ((JobScheduler, "_schedule_reevalutation"), (plugin.Executor, "check_active_jobs")):
            monkeypatch.setattr(owner, name, getattr(owner, name))  # is put back
        monkeypatch.setattr(importlib.metadata, "version", lambda name: versions.get(name, true(name)))
        exec(compile(RULES.read_text("utf-8"), RULES, "exec"), {})
        return JobScheduler._schedule_reevalutation, plugin.Executor.check_active_jobs

    return patched


def woken(scheduler, seconds):
    """How often within so many seconds."""
    time.sleep(seconds)
    times = 0
    while scheduler._open_jobs.acquire(blocking=False):
        times += 1
    return times


def test_many_calls_wake_once_and_later_ones_again(patch):
    wake_once, _ = patch()
    scheduler = SimpleNamespace(_open_jobs=threading.Semaphore(0))
    for _ in range(20):
        wake_once(scheduler, 0.05)
    assert woken(scheduler, 0.5) == 1
    wake_once(scheduler, 0.05)
    assert woken(scheduler, 0.5) == 1


def test_logs_after_an_empty_one_are_shown(patch, tmp_path):
    patch()
    (tmp_path / "a").touch()
    (tmp_path / "c").write_text("killed", "utf-8")
    shown = list(snakemake.logging.show_logs([tmp_path / name for name in "abc"]))
    assert "empty" in shown[0] and "not found" in shown[1] and "killed" in shown


def test_the_executor_is_watched_unless_versions_differ(patch, plugin):
    assert patch()[1].__qualname__.startswith("watched.")
    before = JobScheduler._schedule_reevalutation, plugin.Executor.check_active_jobs
    assert patch(**{"snakemake": "10.0", "snakemake-executor-plugin-slurm": "3.1"}) == before
