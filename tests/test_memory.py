"""Memory that is left."""

import os

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
