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
    "given": (lambda t: t.assign(was=[{"a": 0}] * 30), {"given": "was"}, ["'was' holds labels of type dict"]),
    "one class": (lambda t: t.assign(target=1), {}, ["'target' has a single class, 1", "choose another target"]),
    "no target": (lambda t: t.drop(columns="target"), {}, ["no target column 'target'", "set `target` to one of a, b"]),
    "no feature": (lambda t: t[["target"]], {}, ["no feature column is left"]),
    "few rows": (lambda t: t.head(4), {}, ["needs at least folds=5 samples, but there are 4"]),
    "few of a class": (lambda t: t.assign(target=[1] * 2 + [0] * 28), {}, ["5 samples of each class", "has 2"]),
    "empty": (lambda t: t.head(0), {}, ["has no rows"]),
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


@pytest.mark.parametrize("source", ["file", "mirror", "openml"])
def test_columns_of_the_same_name_are_named(check, table, tmp_path, source):
    columns = [pa.array(table[name]) for name in ("a", "b", "target")]
    pq.write_table(pa.Table.from_arrays(columns, ["a", "a", "target"]), tmp_path / "own.parquet")
    fault, _ = check(None, mirror=None if source == "file" else tmp_path, source=source)
    assert fault == (
        f"data set 'own': {tmp_path / 'own.parquet'}: the column 'a' occurs twice; give every column a name of its own"
    )


def test_names_of_several_levels_are_named(check, table, tmp_path):
    table.set_axis(pd.MultiIndex.from_product([table.columns, ["x"]]), axis=1).to_parquet(tmp_path / "own.parquet")
    fault, _ = check(None)
    assert fault == "data set 'own': names of columns have several levels, as ('a', 'x'); join each to one name"


ROWS = "".join(f"{i / 7},caf\u00e9,{i % 2}\n" for i in range(30))
ARFF = "@relation r\n@attribute a numeric\n@attribute target {0, 1}\n@data\n1,0\n2,x\n"
UNREADABLE = {
    "latin.csv": (("a,b,target\n" + ROWS).encode("latin-1"), "0xe9 .*; save it as UTF-8, or check the file"),
    "wide.csv": (("a,b,target\n" + ROWS).encode("utf-16"), "0xff .*; save it as UTF-8, or check the file"),
    "quote.csv": (f'a,b,target\n"{ROWS}'.encode(), "cannot be read as csv .*EOF inside string"),
    "broken.csv.gz": (gzip.compress(ROWS.encode())[:-9], "cannot be read as csv .*"),
    "header.csv": (b"a,b,target\n", "has no rows or no columns; fix the source"),
    "label.arff": (ARFF.encode(), r"cannot be read as arff \(Data value x not found"),
    "letters.libsvm": (b"1 1:a\n", "cannot be read as libsvm"),
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


def test_an_empty_table_of_a_mirror_is_named(check, table, tmp_path):
    fault, _ = check(table.head(0), mirror=tmp_path)
    assert fault.startswith("data set 'own': the mirror's table own.parquet has no rows")


def test_a_file_that_does_not_exist(check):
    assert re.search("'own': there is no file .*own.parquet; put it there or fix `path`", check(None)[0])


@pytest.mark.parametrize("source", ["mirror", "openml"])
def test_mirrors(check, table, tmp_path, source):
    about = {"mirror": tmp_path, "source": source}
    assert check(table, **about) == (None, [])
    assert (
        "has no column 'target', which every table of a mirror needs" in check(table.drop(columns="target"), **about)[0]
    )
    (tmp_path / "own.parquet").write_text("a,b\n")
    assert "is not a Parquet file or is damaged" in check(None, **about)[0]
    (tmp_path / "own.parquet").unlink()
    assert re.search("the mirror folder .* has no table own.parquet; add it there", check(None, **about)[0])
    about["mirror"] = tmp_path / "nowhere"
    assert re.search("there is no mirror folder .*nowhere; fix --config mirror=DIR", check(None, **about)[0])


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


CHANGES = {
    "entry": {"missing": "keep"},
    "drop": {"drop": ["c"]},
    "protocol": {"protocol": CV | {"options": {"folds": 3, "max_train": None}}},
    "task": {"tasks": ("multiclass",)},
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_entry_protocol_or_task_is_tried_though_the_file_is_the_same(check, table, tried, name):
    check(table)
    fault = check(None, **CHANGES[name])[0]
    assert len(tried) == 2 and (fault is not None) == (name in ("drop", "task"))
    assert check(None, **CHANGES[name])[0] == fault and len(tried) == 2, "faults are kept too"


def test_a_changed_file_is_tried_and_one_that_is_gone_is_reported(check, table, tried):
    check(table)
    assert "single class" in check(table.assign(target=1))[0]
    assert check(table)[0] is None and len(tried) == 3
    Path("own.parquet").unlink()
    assert "there is no file" in check(None)[0]
