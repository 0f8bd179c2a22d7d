"""Tables are tried while planning: one sentence for each mistake, nothing left behind, and nothing tried twice."""

import gzip
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
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


def broken(column, row, value):
    def edit(frame):
        frame = frame.astype({column: object}) if isinstance(value, str) else frame
        frame.loc[row, column] = value
        return frame

    return edit


#: Change of the table, options of `check`, parts of the sentence.
MISTAKES = {
    "nan": (broken("a", 3, np.nan), {}, ["'own'", "column 'a' has 1 missing values", "own.missing: `missing: keep`"]),
    "inf": (broken("a", 3, np.inf), {}, ["'own'", "column 'a' has 1 infinite values", "drop the column or fix"]),
    "label": (broken("target", 3, np.nan), {}, ["1 of 30 labels", "'target' are missing", "remove these rows"]),
    "lists": (lambda t: t.assign(target=[[0], [1, 2]] * 15), {}, ["'target' holds labels of type ndarray"]),
    "one class": (lambda t: t.assign(target=1), {}, ["'target' has a single class, 1", "choose another target"]),
    "no target": (lambda t: t.drop(columns="target"), {}, ["no target column 'target'", "set `target` to one of a, b"]),
    "few rows": (lambda t: t.head(4), {}, ["needs at least folds=5 samples, but there are 4"]),
    "few of a class": (lambda t: t.assign(target=[1] * 2 + [0] * 28), {}, ["5 samples of each class", "has 2"]),
    "column to drop": (lambda t: t, {"drop": ["c"]}, ["no column 'c' to drop", "a, b, target"]),
    "expectation": (lambda t: t, {"expect": {"n": 31}}, ["n is 30, expected 31"]),
    "no split": (lambda t: t, {"protocol": FIXED}, ["'fixed-split' needs", "choose 'repeated-cv'"]),
    "no such task": (lambda t: t, {"tasks": ("multiclass",)}, ["'own' has no task 'multiclass'"]),
}
OUTLINED = {name: MISTAKES[name] for name in ("few rows", "few of a class", "no such task", "no split")} | {
    "no binary task": (lambda t: t.assign(target=np.arange(30) % 3), {}, ["no task 'binary'; set `positive`"]),
    "labels": (lambda t: t, {"expect": {"counts": {"a": 20, "b": 10}}}, ["own.in_mirror"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(check, table, name):
    edit, options, parts = MISTAKES[name]
    fault, _ = check(edit(table), **options)
    assert "\n" not in fault and all(part in fault for part in parts), fault


@pytest.mark.parametrize("name", OUTLINED)
def test_tables_that_replace_a_known_source_are_not_read_whole(check, table, name, tmp_path, monkeypatch):
    monkeypatch.setattr(preflight, "_whole", None)
    assert check(table, mirror=tmp_path, source="openml") == (None, [])
    edit, options, parts = OUTLINED[name]
    fault, _ = check(edit(table), mirror=tmp_path, source="openml", **options)
    assert all(part.partition("`, ")[0] in fault for part in parts if part != "choose 'repeated-cv'"), fault


def twice(table, path):
    columns = [pa.array(table[name]) for name in ("a", "b", "target")]
    pq.write_table(pa.Table.from_arrays(columns, ["a", "a", "target"]), path)


#: What lies at the place of the table, and parts of the sentence; of a file alone, or of a mirror.
FILES = [
    (twice, None, ["own.parquet: the column 'a' occurs twice; give every column a name of its own"]),
    (twice, "mirror", ["own.parquet: the column 'a' occurs twice"]),
    (twice, "openml", ["own.parquet: the column 'a' occurs twice"]),
    (lambda t, path: None, None, ["'own': there is no file", "own.parquet; put it there or fix `path`"]),
    (lambda t, path: None, "openml", ["the mirror folder", "has no table own.parquet; add it there"]),
    (lambda t, path: path.write_text("a,b\n"), "mirror", ["is not a Parquet file or is damaged"]),
    (lambda t, path: path.write_text("a,b\n"), "openml", ["is not a Parquet file or is damaged"]),
    (lambda t, path: t.head(0).to_parquet(path), "mirror", ["the mirror's table own.parquet has no rows"]),
    (lambda t, path: t[["a"]].to_parquet(path), "openml", ["has no column 'target', which every table of a mirror"]),
]


@pytest.mark.parametrize(("write", "source", "parts"), FILES)
def test_tables_that_cannot_be_used_are_named(check, table, tmp_path, write, source, parts):
    write(table, tmp_path / "own.parquet")
    fault, _ = check(None, **({"mirror": tmp_path, "source": source} if source else {}))
    assert all(part in fault for part in parts), fault


ROWS = "".join(f"{i / 7},caf\u00e9,{i % 2}\n" for i in range(30))
ARFF = "@relation r\n@attribute a numeric\n@attribute target {0, 1}\n@data\n1,0\n2,x\n"
UNREADABLE = {
    "latin.csv": (("a,b,target\n" + ROWS).encode("latin-1"), "0xe9 .*; save it as UTF-8, or check the file"),
    "broken.csv.gz": (gzip.compress(ROWS.encode())[:-9], "cannot be read as csv .*"),
    "header.csv": (b"a,b,target\n", "has no rows or no columns; fix the source"),
    "label.arff": (ARFF.encode(), r"cannot be read as arff \(Data value x not found"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_files_are_named_as_in_the_entry(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    content, words = UNREADABLE[name]
    Path("own").mkdir()
    Path("own", name).write_bytes(content)
    entry = {"title": "Own", "source": "file", "path": f"own/{name}"}
    fault, _ = preflight.check("toy", entry, None, Path("own", name), ["binary"], CV)
    assert re.match(f"data set 'toy': own/{name} {words}|data set 'toy': own/{name} cannot be read .*{words}", fault)
    assert "tmp" not in fault and "\n" not in fault


def test_a_mirror_that_does_not_exist(check, table, tmp_path):
    assert check(table, mirror=tmp_path, source="mirror") == (None, [])
    fault, _ = check(None, mirror=tmp_path / "nowhere", source="openml")
    assert re.search("there is no mirror folder .*nowhere; fix --config mirror=DIR", fault)


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
        ({"missing": "keep"}, False),
        ({"drop": ["c"]}, True),
        ({"protocol": CV | {"options": {"folds": 3, "max_train": None}}}, False),
        ({"tasks": ("multiclass",)}, True),
    ],
)
def test_a_changed_entry_protocol_or_task_is_tried_though_the_file_is_the_same(check, table, tried, change, bad):
    check(table)
    fault = check(None, **change)[0]
    assert len(tried) == 2 and (fault is not None) == bad
    assert check(None, **change)[0] == fault and len(tried) == 2, "faults are kept too"
