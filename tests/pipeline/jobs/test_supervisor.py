"""Fits under watch, how jobs and runs end, and variables that make bits the same everywhere."""

import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from ironbark.errors import InputError
from ironbark.pipeline.jobs import cpu_dispatch, slurm, supervisor
from ironbark.pipeline.jobs.summary import verdict
from ironbark.pipeline.log import reporting, say
from ironbark.pipeline.results import records
from ironbark.pipeline.results.store import Store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fits are watched on Linux only")


class Odd(DecisionTreeClassifier):
    """Does what the environment says, in the repeat whose training set has the most class 0."""

    def fit(self, X, y):
        if os.environ.get("ODD") == "hangs":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
            time.sleep(100)
        if os.environ.get("ODD") == "workers":
            multiprocessing.Process(target=time.sleep, args=(60,)).start()
        elif odd := os.environ.get("ODD"):
            os._exit(9) if odd == "leaves" else os.kill(os.getpid(), getattr(signal, odd))
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


def test_time_in_which_a_job_is_stopped_is_not_the_fit_s(tmp_path, monkeypatch):
    """Seen from the job, its clock jumps by an hour while it waits for the fit."""
    path, begun, now, hours = tmp_path / "a.jsonl", tmp_path / "begun", time.monotonic, [0]
    poll = Connection.poll

    def stopped(self, timeout):
        ready = poll(self, timeout)
        hours[0] += begun.exists() and not ready and not hours[0]
        return ready

    def work(watch):
        with watch.over(path, "k", {"repeat": 0, "fold": 0}):
            begun.touch()
            time.sleep(0.5)

    monkeypatch.setattr(Connection, "poll", stopped)
    monkeypatch.setattr(supervisor, "LOOK", 0.05)
    monkeypatch.setattr(time, "monotonic", lambda: now() + 3600 * hours[0])
    supervisor.run(work, 1)
    assert hours == [1] and not path.exists()


def test_a_fit_that_hangs_is_recorded_and_the_others_go_on(rows):
    start = time.monotonic()
    found = rows("hangs", minutes=0.02)
    assert time.monotonic() - start < 60 and list(found.loc["gini", "status"]) == ["ok", "ok"]
    assert list(found.loc["entropy", "status"]) == ["failed", "failed"]
    assert set(found.loc["entropy", "message"]) == {"timeout: not done after 0.02 minutes (fit_minutes)"}
    assert (found["n_train"] == 48).all() and (found["flipped"] > 0).all()
    again = rows("", minutes=0.02)
    assert list(again.loc["entropy", "status"]) == ["failed", "failed"], "it is not taken for a success"
    fixed = rows("", minutes=1)
    assert set(fixed["status"]) == {"ok"} and set(fixed["message"]) == {""}


def test_a_job_does_not_wait_for_idle_workers(rows):
    begun = time.monotonic()
    assert set(rows("workers")["status"]) == {records.OK} and time.monotonic() - begun < 50


@pytest.mark.parametrize(("odd", "how"), [("SIGSEGV", "died of SIGSEGV"), ("leaves", "ended with code 9")])
def test_a_crash_is_recorded(rows, capfd, odd, how):
    found = rows(odd, retry_failed=True)
    assert set(found.loc["entropy", "message"]) == {f"crash: the process of the fits {how}"}
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
    printed = capfd.readouterr().err
    assert name in printed and ("shard:mem_mb" in printed) == (name == "SIGKILL")
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


def test_logs_of_users_mistakes_and_of_defects_show_no_password(tmp_path):
    with pytest.raises(SystemExit) as caught, reporting(tmp_path / "log"):
        raise InputError("correct https://me:hunter2@a.example/x?key=hunter2")
    assert caught.value.code == 1
    assert (tmp_path / "log").read_text() == "ironbark: correct https://***@a.example/x?key=***\n"
    with pytest.raises(SystemExit), reporting(tmp_path / "log"):
        raise ZeroDivisionError("https://me:hunter2@a.example/x?key=hunter2")
    text = (tmp_path / "log").read_text()
    assert "Traceback" in text and "ZeroDivisionError: https://***@a.example/x?key=***" in text
    assert "hunter2" not in text


def test_what_a_full_disk_does_not_take_is_said_elsewhere(capsys, monkeypatch):
    monkeypatch.setattr(sys, "__stderr__", sys.stderr)
    with pytest.raises(SystemExit), reporting("/dev/full"):
        say("begins")
        raise InputError("the disk is full")
    assert capsys.readouterr().err == "begins\nironbark: the disk is full\n"


@pytest.fixture
def results(tmp_path):
    base = {"dataset": "d", "task": "binary", "noise_id": "clean"}
    lines = [{**base, "method": "good", "status": "ok"}, {**base, "method": "some", "status": "ok"}]
    lines += [{**base, "method": "some", "status": "failed", "message": "odd"}]
    lines += [{**base, "method": "bad", "status": "failed", "message": f"cause {i}"} for i in (1, 2, 3)]
    for study, rows in (("one", lines), ("two", lines[:3])):
        records.write(records.frame(rows), tmp_path / study / "full/rows.parquet")
    return tmp_path


def test_a_method_whose_every_fit_failed(results):
    sentence = verdict(results, ["one", "two"], "full")
    assert sentence.startswith("study 'one': method 'bad' failed in each of its 3 fits, the first with 'cause 1';")
    assert "\n" not in sentence and "some" not in sentence
    assert verdict(results, ["two"], "full") == verdict(results, ["one"], "smoke") == verdict(results, [], "full") == ""
    assert verdict(results, ["one"], "full", time.time() - 60)
    assert not verdict(results, ["one"], "full", time.time() + 60)


def test_slurm_without_its_commands_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="sbatch and squeue cannot be found .* leave out `--profile slurm`"):
        slurm.check("slurm")
    slurm.check("local")


KERNELS = """
import json, numpy as np
from threadpoolctl import threadpool_info
found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
cores = [library["architecture"] for library in threadpool_info() if library["internal_api"] == "openblas"]
print(json.dumps([found, cores]))
"""


@pytest.mark.skipif("OPENBLAS_CORETYPE" not in cpu_dispatch.environment(), reason="not an x86-64 processor with AVX2")
def test_kernels_are_those_of_avx2():
    command = [sys.executable, "-W", "error::ImportWarning", "-c", KERNELS]
    done = subprocess.run(command, env=os.environ | cpu_dispatch.environment(), capture_output=True, check=True)
    found, cores = json.loads(done.stdout)
    assert set(found) <= {"X86_V3"} and set(cores) == {"Haswell"}


@pytest.mark.skipif(not cpu_dispatch.environment(), reason="not an x86-64 processor")
def test_every_wider_kernel_of_this_numpy_is_named():
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    found = {*extensions["found"], *extensions.get("not found", [])}  # absent where this processor has all
    assert found - {"X86_V3"} <= set(cpu_dispatch.WIDER)


def test_a_processor_without_avx2_is_asked_for_no_kernels_that_it_lacks(tmp_path):
    flags = tmp_path / "cpuinfo"
    flags.write_text("flags : sse4_2 avx\nflags : sse4_2 avx\n")
    assert set(cpu_dispatch.environment("x86_64", flags)) == {"NPY_DISABLE_CPU_FEATURES"}
    flags.write_text("flags : sse4_2 avx avx2 fma\n")
    assert cpu_dispatch.environment("x86_64", flags)["OPENBLAS_CORETYPE"] == "Haswell"
    assert "OPENBLAS_CORETYPE" in cpu_dispatch.environment("x86_64", tmp_path / "of no Linux")
