"""Memory that is left."""

import os

import pytest

from ironbark import InputError
from ironbark.encoding import features as memory


def test_available_memory_is_read(tmp_path, monkeypatch):
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < memory.available() <= whole
    file = tmp_path / "meminfo"
    file.write_text("MemTotal:       16384 kB\nMemAvailable:    2048 kB\nHugePages_Total:       0\n")
    monkeypatch.setattr(memory, "MEMINFO", str(file))
    assert memory.available() == 2048 * 1024
    file.write_text("MemTotal: 16384 kB\n")
    assert memory.available() == whole
    monkeypatch.setattr(memory, "MEMINFO", str(tmp_path / "absent"))
    assert memory.available() == whole
    monkeypatch.delattr(os, "sysconf")
    assert memory.available() == float("inf")


def test_what_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 10**9)
    memory.require(10**9, "a table", "take less")
    with pytest.raises(
        InputError, match="^a table takes 1.5 GB of memory, but 1 GB of memory are available; take less.$"
    ):
        memory.require(1.5e9, "a table", "take less")
