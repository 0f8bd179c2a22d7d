"""What workflow/rules/patches.smk changes of Snakemake and its Slurm plugin, and of which versions."""

import importlib.metadata
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

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


def test_the_executor_is_watched(patch):
    assert patch()[1].__qualname__.startswith("watched.")


def test_other_versions_are_left_alone(patch):
    before = JobScheduler._schedule_reevalutation, plugin.Executor.check_active_jobs
    assert patch(**{"snakemake": "10.0", "snakemake-executor-plugin-slurm": "3.1"}) == before
