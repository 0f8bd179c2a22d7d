"""The detector of `ironbark labels`, which counts the trees that it has grown."""

import sys
import threading
import time
import warnings

import numpy as np

from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.tree.forest import RobustRandomForestClassifier

DELAY = 2.0  # seconds until the bar appears
EVERY = 0.2  # seconds from each drawing to the next
WIDTH = 30


class Bar:
    """Counts steps from any thread, and draws them if the stream is a terminal; `clock` gives seconds."""

    def __init__(self, what: str, total: int, stream=None, clock=time.monotonic):
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


def detect(
    table,
    cut: str | float = "count",
    classes_overlap=True,
    *,
    trusted: np.ndarray | None = None,
    seed: int = 0,
    jobs: int | None = None,
    bar: Bar | None = None,
):
    """Judge the labels of a table, but for trusted ones."""
    bar = Bar("trees", LabelErrorDetector().n_estimators) if bar is None else bar

    class CountedForest(RobustRandomForestClassifier):
        def _grow(self, *arguments):
            tree = super()._grow(*arguments)
            bar.step()
            return tree

    class CountingDetector(LabelErrorDetector):
        def _base(self):
            forest = super()._base()
            return CountedForest(**forest.get_params()) if table.groups is None else forest

    folds = 5 if table.groups is None else min(5, len(np.unique(table.groups)))
    options = {"classes_overlap": classes_overlap, "random_state": seed, "n_jobs": jobs}
    detector = CountingDetector(cut=cut, cv=folds, **options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            detector.fit(table.X, table.y, groups=table.groups, trusted=trusted)
        finally:
            bar.close()
    return detector, [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
