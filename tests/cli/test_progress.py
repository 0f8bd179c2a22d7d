"""The bar appears on terminals only, and only for what takes long."""

import io

from ironbark.cli.detection import DELAY, Bar, detect
from ironbark.cli.source import find
from ironbark.cli.tables import read


class Terminal(io.StringIO):
    def isatty(self):
        return True


def ticking(seconds):
    """A clock that goes on by so many seconds whenever it is read."""
    now = iter(range(10**6))
    return lambda: next(now) * seconds


def shown(stream, clock, steps=40):
    bar = Bar("trees", 40, stream, clock)
    for _ in range(steps):
        bar.step()
    bar.close()
    return stream.getvalue()


def test_a_long_task_is_shown_and_wiped():
    text = shown(Terminal(), ticking(1))
    frames = text.split("\r")
    assert frames[0] == "" and frames[-2].strip() == "" and frames[-1] == ""
    assert f"[{'#' * 30}] 40 of 40 trees" in text
    assert "1 of 40 trees" not in frames[1]  # not before the delay
    assert len(frames) - 3 <= 40


def test_short_tasks_and_files_show_nothing():
    assert shown(Terminal(), ticking(DELAY / 1000)) == ""
    assert shown(io.StringIO(), ticking(10)) == ""


def test_the_detector_counts_its_trees(data):
    stream = Terminal()
    bar = Bar("trees", 100, stream, ticking(1))
    detector, _ = detect(read(find(data, "kind"), "kind", ["id"]), bar=bar, jobs=2)
    assert bar.done == 100 == len(detector.estimator_.trees_)
    assert "of 100 trees" in stream.getvalue()
