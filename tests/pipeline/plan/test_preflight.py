"""Tables are tried while planning: one sentence for each mistake, nothing left behind, and nothing tried twice."""

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.plan.config import preflight

CV = {"kind": "repeated-cv", "repeats": 2, "options": {"folds": 5, "max_train": None}}
FIXED = {"kind": "fixed-split", "repeats": 2, "options": {"max_train": None}}


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.normal(size=30), "b": np.arange(30) / 7, "target": np.arange(30) % 2})


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Function that writes a frame as Parquet and checks it; the fault and the warnings."""
    monkeypatch.chdir(tmp_path)

    def check_(frame, protocol=CV, tasks=("binary",), mirror=None, **entry):
        path = tmp_path / "own.parquet"
        if frame is not None:
            frame.to_parquet(path, index=False)
        entry = {"title": "Own", "source": "mirror" if mirror else "file", **entry}
        if entry["source"] == "file":
            entry["path"] = str(path)
        return preflight.check("own", entry, mirror and str(mirror), path, tasks, protocol)

    return check_


#: Change of the table, options of `check`, parts of the sentence: whatever the source, of own tables, of a mirror.
OF_ALL = [
    (lambda t: t.head(4), {}, ["needs at least folds=5 samples, but there are 4"]),
    (lambda t: t.assign(target=[1] * 2 + [0] * 28), {}, ["5 samples of each class", "has 2"]),
    (lambda t: t, {"protocol": FIXED}, ["'fixed-split' needs"]),
    (lambda t: t, {"tasks": ("multiclass",)}, ["'own' has no task 'multiclass'"]),
]
OF_OWN = [
    (lambda t: t.assign(a=t["a"].where(t["b"] > 0)), {}, ["column 'a' has 1 missing values", "`missing: keep`"]),
    (lambda t: t.drop(columns="target"), {}, ["no target column 'target'", "set `target` to one of a, b"]),
    (lambda t: t, {"expect": {"n": 31}}, ["n is 30, expected 31"]),
    (lambda t: None, {}, ["'own': there is no file", "own.parquet; put it there or fix `path`"]),
]
OF_MIRROR = [
    (lambda t: t.assign(target=np.arange(30) % 3), {}, ["no task 'binary'; set `positive`"]),
    (lambda t: t, {"expect": {"counts": {"a": 20, "b": 10}}}, ["own.in_mirror"]),
    (lambda t: t[["a"]], {}, ["has no column 'target', which every table of a mirror"]),
    (lambda t: None, {}, ["the mirror folder", "has no table own.parquet; add it there"]),
]


@pytest.mark.parametrize(("edit", "options", "parts"), OF_ALL + OF_OWN)
def test_mistakes(check, table, edit, options, parts):
    fault, _ = check(edit(table), **options)
    assert "\n" not in fault and all(part in fault for part in parts), fault


@pytest.mark.parametrize(("edit", "options", "parts"), OF_ALL + OF_MIRROR)
def test_tables_that_replace_a_known_source_are_not_read_whole(
    check, table, edit, options, parts, tmp_path, monkeypatch
):
    monkeypatch.setattr(preflight, "_whole", None)
    assert check(table, mirror=tmp_path, source="openml") == (None, [])
    (tmp_path / "own.parquet").unlink()
    fault, _ = check(edit(table), mirror=tmp_path, source="openml", **options)
    assert all(part in fault for part in parts), fault


def test_unreadable_files_are_named_as_in_the_entry(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own").mkdir()
    Path("own/latin.csv").write_bytes("a,b,target\n1,caf\u00e9,0\n".encode("latin-1"))
    entry = {"title": "Own", "source": "file", "path": "own/latin.csv"}
    fault, _ = preflight.check("toy", entry, None, Path("own/latin.csv"), ["binary"], CV)
    assert re.match("data set 'toy': own/latin.csv .*0xe9 .*; save it as UTF-8, or check the file", fault)
    assert "tmp" not in fault and "\n" not in fault


@pytest.fixture
def tried(monkeypatch):
    """List that grows by one with each table that is really tried."""
    calls, whole = [], preflight._whole
    monkeypatch.setattr(preflight, "_whole", lambda *arguments: calls.append(1) or whole(*arguments))
    return calls


def test_nothing_is_tried_twice_and_only_the_result_is_kept(check, table, tried, tmp_path):
    fault, (warning,) = check(table.assign(id=range(30)))
    assert fault is None and "column 'id' has 30 different whole numbers in 30 rows" in warning
    assert sorted(p.name for p in tmp_path.iterdir()) == [".snakemake", "own.parquet"]
    assert check(None) == check(None) == (None, [warning]) and len(tried) == 1
    os.utime("own.parquet", (1, 1))
    assert check(None) == (None, [warning]) and len(tried) == 2
    for text in ("", "{", "[]"):
        for kept in (tmp_path / preflight.MEMORY).iterdir():
            kept.write_text(text)
        assert check(None) == (None, [warning]), "damaged memory is not used"


@pytest.mark.parametrize(
    ("change", "bad"),
    [
        ({"drop": ["c"]}, True),
        ({"tasks": ("multiclass",)}, True),
        ({"protocol": CV | {"options": {"folds": 3, "max_train": None}}}, False),
    ],
)
def test_a_changed_entry_protocol_or_task_is_tried_though_the_file_is_the_same(check, table, tried, change, bad):
    check(table)
    fault = check(None, **change)[0]
    assert len(tried) == 2 and (fault is not None) == bad
    assert check(None, **change)[0] == fault and len(tried) == 2, "faults are kept too"
