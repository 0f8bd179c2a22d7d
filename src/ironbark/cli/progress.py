"""A progress bar on the terminal for what takes longer than a few seconds."""

import sys
import threading
import time

DELAY = 2.0  # seconds until the bar appears
EVERY = 0.2  # seconds from each drawing to the next
WIDTH = 30


class Bar:
    """Counts steps from any thread, and draws them if the stream is a terminal.

    Parameters
    ----------
    what : str
        Plural noun of the steps.
    total : int
    stream : text stream, optional
        Standard error if left out.
    clock : callable, optional
        Seconds.
    """

    def __init__(self, what, total, stream=None, clock=time.monotonic):
        self.what, self.total, self.done = what, total, 0
        self._stream, self._clock, self._lock = stream or sys.stderr, clock, threading.Lock()
        self._next, self._drawn = clock() + DELAY, 0

    def step(self):
        """Count one step."""
        with self._lock:
            self.done += 1
            if self._stream.isatty() and self._clock() >= self._next:
                self._next = self._clock() + EVERY
                self._write(self._text())

    def close(self):
        """Remove the bar from the terminal."""
        if self._drawn:
            self._write("")

    def _text(self):
        filled = WIDTH * self.done // max(self.total, 1)
        return f"[{'#' * filled}{'.' * (WIDTH - filled)}] {self.done} of {self.total} {self.what}"

    def _write(self, text):
        """Write over what was drawn before."""
        self._stream.write(f"\r{text.ljust(self._drawn)}" + ("" if text else "\r"))
        self._stream.flush()
        self._drawn = len(text)
