"""Fits under watch: what hangs or crashes is a failed row, what is killed from outside is a failed job."""

import os
import re
import signal
import sys
import time

import pytest
from sklearn.tree import DecisionTreeClassifier

from ironbark.pipeline.jobs import supervisor
from ironbark.pipeline.results import records
from ironbark.pipeline.results.store import Store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fits are watched on Linux only")


class Odd(DecisionTreeClassifier):
    """Does what the environment says, in the repeat whose training set has the most class 0."""

    def fit(self, X, y):
        if os.environ.get("ODD") == "hangs":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
            time.sleep(100)
        if os.environ.get("ODD"):
            os.kill(os.getpid(), getattr(signal, os.environ["ODD"]))
        return super().fit(X, y)


@pytest.fixture
def rows(run, spec, monkeypatch):
    """Function that runs a batch in which the method `entropy` is odd."""
    spec["methods"]["entropy"]["estimator"] = f"{__name__}.Odd"
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Odd.__module__])

    def rows_(odd, minutes=10, **changes):
        monkeypatch.setenv("ODD", odd)
        return run(spec | {"fit_minutes": minutes} | changes)[0].set_index(["method", "repeat"]).sort_index()

    return rows_


def test_a_fit_that_hangs_is_recorded_and_the_others_go_on(rows):
    start = time.monotonic()
    found = rows("hangs", minutes=0.02)
    assert time.monotonic() - start < 60
    assert list(found.loc["gini", "status"]) == ["ok", "ok"]
    assert list(found.loc["entropy", "status"]) == ["failed", "failed"]
    assert set(found.loc["entropy", "message"]) == {"timeout: not done after 0.02 minutes (fit_minutes)"}
    assert (found["n_train"] == 48).all() and (found["flipped"] > 0).all()
    again = rows("", retry_failed=False)
    assert list(again.loc["entropy", "status"]) == ["failed", "failed"], "it is not taken for a success"
    fixed = rows("", retry_failed=True)
    assert set(fixed["status"]) == {"ok"} and set(fixed["message"]) == {""}


def test_a_crash_is_recorded(rows, capfd):
    found = rows("SIGSEGV", retry_failed=True)
    assert set(found.loc["entropy", "message"]) == {"crash: the process of the fits died of SIGSEGV"}
    assert "GIVEN UP" in capfd.readouterr().err


@pytest.mark.parametrize(("odd", "message"), [("hangs", "timeout: not done"), ("SIGSEGV", "crash: .*SIGSEGV")])
def test_a_trial_that_hangs_or_crashes_ends_the_job_and_nothing_is_recorded(rows, tmp_path, capfd, odd, message):
    with pytest.raises(SystemExit):
        rows(odd, minutes=0.02, added=["entropy"])
    assert re.search(f"ironbark: method 'entropy' cannot be fitted .{message}.*; correct its", capfd.readouterr().err)
    assert not list((tmp_path / "store").rglob("entropy*"))


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_a_kill_from_outside_ends_the_job_and_nothing_is_recorded(rows, tmp_path, capfd, name):
    with pytest.raises(SystemExit):
        rows(name)
    assert name in capfd.readouterr().err
    assert sum(len(Store(path)) for path in (tmp_path / "store").rglob("entropy.jsonl")) == 0
    assert set(rows("")["status"]) == {"ok"}


def test_watched_and_unwatched_rows_are_the_same(rows, tmp_path):
    same = [name for name in records.COLUMNS if name not in (*records.MEASURED, "method", "repeat")]
    watched = rows("")[same]
    os.rename(tmp_path / "store", tmp_path / "other")
    assert watched.equals(rows("", minutes=None)[same])


def test_nothing_outlives_the_watcher(tmp_path):
    """The process of the fits dies with the job, as when Slurm kills that."""
    place = tmp_path / "pid"

    def work(watching):
        place.write_text(str(os.getpid()))
        time.sleep(100)

    parent = os.fork()
    if parent == 0:
        supervisor.run(work, 1)
        os._exit(0)
    deadline = time.monotonic() + 30
    while not (place.exists() and place.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    while _lives(int(place.read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _lives(pid):
    try:
        with open(f"/proc/{pid}/stat") as stream:
            return stream.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
