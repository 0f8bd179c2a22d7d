"""Changes of Snakemake and its Slurm plugin by version, and jobs that Slurm has forgotten; without Slurm."""

import asyncio
import importlib.metadata
import subprocess
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

from ironbark.pipeline.jobs import slurm


class Watch:
    """Polls of an executor whose jobs all seem to run, at times that a test sets."""

    def __init__(self, monkeypatch, answers):
        async def check(executor, jobs):
            for job in jobs:
                yield job

        self.now, self.failed, answers = 0, [], iter(answers)
        monkeypatch.setattr(slurm, "known_jobs", lambda run: next(answers))
        self.check = slurm.watched(check, lambda: self.now)
        self.executor = SimpleNamespace(run_uuid="run", report_job_error=self.fail)

    def fail(self, job, msg):
        self.failed.append((job.external_jobid, msg))

    def poll(self, now, *jobs):
        async def waiting():
            return [job.external_jobid async for job in self.check(self.executor, map(self.job, jobs))]

        self.now = now
        return asyncio.run(waiting())

    @staticmethod
    def job(number):
        return SimpleNamespace(external_jobid=number)


def test_jobs_that_slurm_does_not_know(monkeypatch):
    watch = Watch(monkeypatch, [{"1"}, {"1"}, {"1"}, {"1"}])
    assert watch.poll(0, "1", "2") == watch.poll(20, "1", "2") == watch.poll(299, "1", "2") == ["1", "2"]
    assert watch.poll(300, "1", "2") == ["1"]
    assert [number for number, _ in watch.failed] == ["2"] and "has not known its job 2" in watch.failed[0][1]
    watch = Watch(monkeypatch, [set(), None, set(), {"2"}, set(), set(), {"1", "3"}])
    for now in (0, 400, 500, 700, 900, 1100):
        assert watch.poll(now, "2_7") == ["2_7"]  # a task of an array
    assert watch.poll(9999, "1", "3") == ["1", "3"] and not watch.failed


@pytest.mark.parametrize(
    ("code", "said", "known"), [(0, "3\n4_1\n4_[5-9]\n", {"3", "4"}), (0, "", set()), (1, "Unable to contact", None)]
)
def test_what_squeue_says(monkeypatch, code, said, known):
    asked = []

    def run(command, **options):
        asked.append(command)
        return subprocess.CompletedProcess(command, code, said, "")

    monkeypatch.setattr(subprocess, "run", run)
    assert slurm.known_jobs("the run") == known
    assert asked[0][0] == "squeue" and asked[0][-1] == "the run" and "--states=all" in asked[0]


ROOT = Path(__file__).parents[2]
RULES = ROOT / "workflow/rules/patches.smk"  # plain Python
plugin = pytest.importorskip("snakemake_executor_plugin_slurm")


@pytest.fixture
def patch(monkeypatch):
    """Apply the patches as if some versions were installed; the two functions that are left then."""
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


def test_the_executor_is_watched_unless_versions_differ(patch):
    assert patch()[1].__qualname__.startswith("watched.")
    before = JobScheduler._schedule_reevalutation, plugin.Executor.check_active_jobs
    assert patch(**{"snakemake": "10.0", "snakemake-executor-plugin-slurm": "3.1"}) == before
