"""Fits under watch: one that takes too long, or takes its process down, is recorded as failed, and the others go on.

The work runs in a process forked from this one, which says what it is at. Only Linux forks safely with the libraries
in use; elsewhere the work runs here, unwatched.
"""

import contextlib
import ctypes
import multiprocessing
import re
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection

from ironbark.errors import InputError
from ironbark.pipeline.log import say
from ironbark.pipeline.results import records, store

LOOK = 2.0  # seconds between two looks at whether the process lives
PAUSE = 10.0  # seconds that a look is late only if the job is stopped
PR_SET_PDEATHSIG = 1  # of Linux' prctl

#: Signals by which a library brings its own process down. Others come from outside: the job ends and may be repeated.
CRASHES = {-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGILL}
KILLED = "; if memory ran out, use fewer --cores, or on a cluster --set-resources shard:mem_mb=64000"


@dataclass(frozen=True)
class Watch:
    """Messages of the work to its supervisor."""

    connection: Connection | None = None  # None: nobody watches
    given_up: frozenset = frozenset()  # keys of fits that have failed in this job and are not to be tried again in it

    @contextlib.contextmanager
    def over(self, path, key, about):
        """Say that a fit begins and ends, `about` goes into the record; without path it is a trial of what key says."""
        if self.connection:
            self.connection.send((path and str(path), key, about))
        yield
        if self.connection:
            self.connection.send(None)


def run(work: Callable, minutes: float | None):
    """Call ``work(watch)`` until it ends, and record in the store each fit that has to be given up."""
    if minutes is None or sys.platform != "linux":
        work(Watch())
        return
    given_up = set()
    while True:
        fit, outcome = _attempt(work, frozenset(given_up), minutes * 60)
        if outcome == 0 and fit is None:
            return
        if fit is None or outcome == 1 or (outcome and outcome < 0 and outcome not in CRASHES):  # 1 is an error of ours
            where = "" if fit is None else f" in {' '.join(filter(None, fit[:2]))}"
            why = _words(outcome) if outcome < 0 else "the fits ended by an error"
            say(f"{why}{where}{KILLED * (outcome == -signal.SIGKILL)}")
            raise SystemExit(1)
        path, key, about = fit
        message = f"timeout: not done after {minutes:g} minutes (fit_minutes)" if outcome is None else _words(outcome)
        if path is None:
            say(f"ironbark: {key} cannot be fitted ({message}); correct its entry or its class")
            raise SystemExit(1)
        say(f"GIVEN UP {path} {key}: {message}")
        store.Store(path).add(key, {**about, "status": records.FAILED, "message": message})
        given_up.add(key)


def _attempt(work, given_up, seconds):
    """The fit that the work was at when it ended, if any, and its exit code; None if it was killed for its time."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(work, Watch(sending, given_up)))
    process.start()
    sending.close()
    fit, deadline = None, 0.0
    while True:
        looked = time.monotonic()
        ready = receiving.poll(LOOK if fit is None else max(0.0, min(LOOK, deadline - looked)))
        if (lost := time.monotonic() - looked - LOOK) > PAUSE:
            deadline += lost  # the job was stopped, and the fit with it
        if ready:
            try:
                fit = receiving.recv()
            except EOFError:
                break
            deadline = time.monotonic() + seconds
        elif not process.is_alive() and not receiving.poll():  # it may have said something just before
            break
        elif fit is not None and time.monotonic() >= deadline:
            process.kill()
            process.join()
            return fit, None
    process.join()
    return fit, process.exitcode


def _child(work, watch):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # no fit outlives its job
    try:
        work(watch)
    except InputError as error:
        say(f"ironbark: {error}")
        raise SystemExit(1) from None
    finally:
        for process in multiprocessing.active_children():  # idle workers of joblib, which end after 300 s
            process.terminate()


def had_less_time(record: dict, minutes: float | None) -> bool:
    """Whether a fit was given up for its time under a shorter limit."""
    found = re.match(r"timeout: not done after (\S+) minutes", record.get("message", ""))
    return found is not None and (minutes is None or float(found[1]) < float(f"{minutes:g}"))


def _words(outcome):
    how = f"died of {signal.Signals(-outcome).name}" if outcome < 0 else f"ended with code {outcome}"
    return f"crash: the process of the fits {how}"
