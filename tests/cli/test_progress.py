"""The bar appears on terminals only, and only for what takes long."""

import io

import pytest

from ironbark.cli import detection
from ironbark.cli.source import find
from ironbark.cli.tables import read


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "delay", "shown"), [(Terminal(), 0, True), (Terminal(), 600, False), (io.StringIO(), 0, False)]
)
def test_a_long_detection_is_shown_on_a_terminal_and_wiped(data, monkeypatch, stream, delay, shown):
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(detection, "DELAY", delay)
    detection.detect(read(find(data, "kind"), "kind", ["id"]), jobs=2)
    frames = stream.getvalue().split("\r")
    assert ("/100" in stream.getvalue()) == shown and frames[-1].strip() == ""
