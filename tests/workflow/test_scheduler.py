"""The one chain of wake-ups that workflow/rules/scheduler.smk leaves Snakemake's scheduler."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

RULES = Path(__file__).parents[2] / "workflow/rules/scheduler.smk"  # plain Python


@pytest.fixture
def wake_once(monkeypatch):
    monkeypatch.setattr(JobScheduler, "_schedule_reevalutation", JobScheduler._schedule_reevalutation)  # is put back
    exec(compile(RULES.read_text("utf-8"), RULES, "exec"), {})
    return JobScheduler._schedule_reevalutation


def woken(scheduler, seconds):
    """How often within so many seconds."""
    time.sleep(seconds)
    times = 0
    while scheduler._open_jobs.acquire(blocking=False):
        times += 1
    return times


def test_many_calls_wake_once_and_later_ones_again(wake_once):
    scheduler = SimpleNamespace(_open_jobs=threading.Semaphore(0))
    for _ in range(20):
        wake_once(scheduler, 0.05)
    assert woken(scheduler, 0.5) == 1
    wake_once(scheduler, 0.05)
    assert woken(scheduler, 0.5) == 1
