"""Trying out the user's own tables: one sentence for each mistake, and nothing left behind."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ironbark.datasets.fetch import fetch
from ironbark.datasets.prepare import prepare
from ironbark.errors import InputError
from ironbark.jobs import preflight

CV = {"kind": "repeated-cv", "repeats": 2, "options": {"folds": 5, "max_train": None}}
FIXED = {"kind": "fixed-split", "repeats": 2, "options": {"max_train": None}}


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.normal(size=30), "b": np.arange(30.0), "target": np.arange(30) % 2})


@pytest.fixture
def check(tmp_path):
    """Function that writes a frame as Parquet and checks it."""

    def check_(frame, protocol=CV, tasks=("binary",), mirror=None, **entry):
        path = tmp_path / "own.parquet"
        if frame is not None:
            frame.to_parquet(path, index=False)
        entry = {"title": "Own", "source": "mirror" if mirror else "file", **entry}
        if not mirror:
            entry["path"] = str(path)
        return preflight.check("own", entry, mirror, path, tmp_path / "prepared", tasks, protocol)

    return check_


def test_a_sound_table_passes_and_leaves_nothing(check, table, tmp_path):
    check(table)
    assert [p.name for p in tmp_path.iterdir()] == ["own.parquet"]


def broken(column, row, value):
    def edit(frame):
        frame = frame.astype({column: object}) if isinstance(value, str) else frame
        frame.loc[row, column] = value
        return frame

    return edit


MISTAKES = {
    "nan": (broken("a", 3, np.nan), {}, ["'own'", "column 'a' has 1 missing values", "`missing: keep`"]),
    "inf": (broken("a", 3, np.inf), {}, ["'own'", "column 'a' has 1 infinite values", "drop the column or mend"]),
    "label": (broken("target", 3, np.nan), {}, ["1 of 30 labels", "'target' are missing", "remove these rows"]),
    "one class": (lambda t: t.assign(target=1), {}, ["'target' has a single class, 1", "choose another `target`"]),
    "no target": (lambda t: t.drop(columns="target"), {}, ["no target column 'target'", "set `target` to one of a, b"]),
    "no feature": (lambda t: t[["target"]], {}, ["no feature column is left"]),
    "few rows": (lambda t: t.head(4), {}, ["needs at least folds=5 samples, but there are 4"]),
    "few of a class": (
        lambda t: t.assign(target=[1] * 2 + [0] * 28),
        {},
        ["5 samples of each class", "has 2", "fewer"],
    ),
    "empty": (lambda t: t.head(0), {}, ["has no rows"]),
    "column to drop": (lambda t: t, {"drop": ["c"]}, ["no column 'c' to drop", "a, b, target"]),
    "expectation": (lambda t: t, {"expect": {"n": 31}}, ["n is 30, expected 31"]),
    "no split": (lambda t: t, {"protocol": FIXED}, ["'fixed-split' needs", "choose 'repeated-cv'"]),
    "no such task": (lambda t: t, {"tasks": ("multiclass",)}, ["'own' has no task 'multiclass'"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(check, table, name):
    edit, options, parts = MISTAKES[name]
    with pytest.raises(InputError) as caught:
        check(edit(table), **options)
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value), caught.value


def test_a_file_that_does_not_exist(check):
    with pytest.raises(InputError, match="'own': there is no file .*own.parquet; put it there or mend `path`"):
        check(None)


def test_mirrors(check, table, tmp_path):
    check(table, mirror=tmp_path)
    with pytest.raises(InputError, match="has no column 'target', which every table of a mirror needs"):
        check(table.drop(columns="target"), mirror=tmp_path)
    (tmp_path / "own.parquet").write_text("a,b\n")
    with pytest.raises(InputError, match="is not a Parquet file or is damaged"):
        check(None, mirror=tmp_path)
    (tmp_path / "own.parquet").unlink()
    with pytest.raises(InputError, match="the mirror folder .* has no table own.parquet; add it there"):
        check(None, mirror=tmp_path)
    with pytest.raises(InputError, match="there is no mirror folder .*nowhere; mend --config mirror=DIR"):
        check(None, mirror=tmp_path / "nowhere")


@pytest.fixture
def prepared(check, table, tmp_path):
    """A prepared folder that is newer than its table."""
    check(table)
    entry = {"title": "Own", "source": "file", "path": str(tmp_path / "own.parquet")}
    folder = prepare("own", entry, fetch("own", entry, tmp_path / "raw"), tmp_path / "prepared")
    os.utime(tmp_path / "own.parquet", (1, 1))
    return folder


def test_a_newer_prepared_folder_is_enough(prepared, check, monkeypatch):
    monkeypatch.setattr(preflight, "prepare", None)
    monkeypatch.setattr(preflight, "fetch", None)
    check(None)


def test_an_entry_mended_since_is_not_judged_by_the_old_folder(prepared, check, tmp_path):
    pd.DataFrame({"a": range(30), "target": np.arange(30) % 3}).to_parquet(tmp_path / "three.parquet", index=False)
    os.utime(tmp_path / "three.parquet", (1, 1))
    entry = {"title": "Own", "source": "file", "path": str(tmp_path / "three.parquet")}
    arguments = (tmp_path / "three.parquet", prepared, ("multiclass",), CV)  # the old folder has two classes
    preflight.check("own", entry, None, *arguments)


def test_a_table_that_is_gone_is_told_though_it_was_prepared(prepared, check, tmp_path):
    Path(tmp_path, "own.parquet").unlink()
    with pytest.raises(InputError, match="there is no file"):
        check(None)
