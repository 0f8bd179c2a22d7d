"""The disk cache never serves stale machine code."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.caching import CacheImpl

import ironbark
from ironbark import inner_code, jit

SOURCES = Path(ironbark.__file__).parents[1]

#: A kernel of its own file that calls a criterion: a whole tree would take ten times as long to compile.
PROBE = """
from ironbark.criteria import base
from ironbark.jit import kernel

@kernel
def score(criterion, a1, n_moved, t1, n):
    return base.score_two(criterion, a1, n_moved, t1, n, -1e300)
"""
SCRIPT = """
from ironbark.criteria import build
from ironbark.tree.growing.probe import score
value = score(build("gini", 20, 2, {}), 3, 5, 10, 20)
print(sum(score.stats.cache_hits.values()) > 0, value)
"""


def run(folder, *command):
    """Words that a fresh process prints, which imports the package of a folder if there is one, and caches there."""
    environment = {"PYTHONPATH": f"{folder}{os.pathsep}{SOURCES}", "NUMBA_CACHE_DIR": str(folder / "cache")}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # bytecode of an edited file of the same size and time would be used
    command = [sys.executable, *command]
    environment = os.environ | environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_an_edited_criterion_is_compiled_anew_and_an_unchanged_one_is_not(tmp_path):
    shutil.copytree(SOURCES / "ironbark", tmp_path / "ironbark", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "ironbark/tree/growing/probe.py").write_text(PROBE)
    (hits, value) = run(tmp_path, "-c", SCRIPT)
    assert hits == "False" and float(value) > 0 and run(tmp_path, "-c", SCRIPT) == ["True", value]
    path = tmp_path / "ironbark" / "criteria" / "gini.py"
    stamp, text = path.stat(), path.read_text()
    edited = text.replace("        return 2.0 * difference", "        return 0.0 * difference")
    assert edited != text
    path.write_text(edited)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # same size, same time: the content decides
    assert run(tmp_path, "-c", SCRIPT) == ["False", "0.0"]


def test_a_loss_outside_the_folders_of_kernels_counts(monkeypatch):
    before, read = jit._sources.__wrapped__(), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path.name == "authors_gradient.py"))
    assert jit._sources.__wrapped__() != before


def test_processes_that_compile_at_once_never_get_each_other_s_code(tmp_path, monkeypatch):
    """Another process saves between two file operations of ours; numba's own class mixes up."""
    ours, theirs = (jit.KernelCache(tmp_path, "kernel", "stamp") for _ in range(2))
    replace = os.replace

    def interrupted(source, target):
        monkeypatch.setattr(os, "replace", replace)
        theirs.save(("theirs",), "code of theirs")
        replace(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    ours.save(("ours",), "code of ours")
    found = [cache.load(key) for cache in (ours, theirs) for key in [("ours",), ("theirs",)]]
    assert found == ["code of ours", "code of theirs"] * 2


def test_a_stale_torn_or_foreign_cache_file_is_no_code(tmp_path):
    cache = jit.KernelCache(tmp_path, "kernel", ("1", "a"))
    cache.save(("key",), "code")
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    assert cache.load(("key",)) == "code"
    assert jit.KernelCache(tmp_path, "kernel", ("1", "b")).load(("key",)) is None
    assert cache.load(("other",)) is None
    cache._path(("other",)).write_bytes(whole)
    assert cache.load(("other",)) is None
    for i in range(len(whole)):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ 4]) * (i % 2) + whole[i + 1 :] * (i % 2))
        assert cache.load(("key",)) is None  # cut off, or a bit flipped
    path.unlink()
    path.mkdir()
    assert cache.load(("key",)) is None


def test_code_of_a_module_that_is_gone_is_no_code(tmp_path, monkeypatch):
    """Two criteria of a user's own may share a file; the one that was deleted must not break the other."""
    (tmp_path / "own_criterion.py").write_text("class Gain:\n    pass\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    gain = importlib.import_module("own_criterion").Gain
    cache = jit.KernelCache(tmp_path, "kernel", ("1", "a"))
    cache.save((gain,), gain())
    assert isinstance(cache.load((gain,)), gain)
    monkeypatch.delattr("own_criterion.Gain")
    assert cache.load((gain,)) is None
    monkeypatch.delitem(sys.modules, "own_criterion")
    (tmp_path / "own_criterion.py").unlink()
    assert cache.load((gain,)) is None


def test_with_a_version_of_numba_that_was_not_tried_all_compiles_as_numba_does_it(monkeypatch):
    assert inner_code.options() == {"pipeline_class": inner_code.InnerCompiler}, "the locked version was tried"
    monkeypatch.setattr(inner_code, "TRIED", ((0, 1), (0, 2)))
    assert inner_code.options() == {}


def test_without_a_place_for_the_cache_there_is_one_warning(monkeypatch, tmp_path):
    """As in a read-only installation of a user without a home."""
    (tmp_path / "file").touch()
    with pytest.warns(UserWarning, match="compiled code can't be kept in"):
        jit.KernelCache(tmp_path / "file", "kernel", ()).save(("key",), "code")
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    monkeypatch.setattr(jit, "CACHE", True)
    jit._warn_of_no_cache.cache_clear()
    with pytest.warns(UserWarning, match="compiles its code again, .*; set NUMBA_CACHE_DIR to a folder") as caught:
        kernels = [jit.kernel(lambda x: x + 1), jit.inner_kernel(lambda x: x + 2), jit.kernel(lambda x: x + 3)]
    assert len(caught) == 1 and [kernels[0](1), kernels[2](1)] == [2, 4]


def test_the_clock_counts_nested_compilations_once(monkeypatch):
    now = iter([10.0, 25.0, 40.0, 41.5])
    monkeypatch.setattr(jit.time, "process_time", lambda: next(now))
    clock = jit.CompileClock()
    for event in (clock.on_start, clock.on_start, clock.on_end, clock.on_end):
        event(None)
    assert clock.seconds == 15.0
    for event in (clock.on_start, clock.on_end):
        event(None)
    assert clock.seconds == 16.5
