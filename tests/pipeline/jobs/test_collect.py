"""Rows of a study: sorted, complete or refused."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.jobs import collect
from ironbark.pipeline.results import records

SPEC = {
    "cells": [["d", "binary", ["clean", "uniform-0.2"], ["a", "b"]], ["e", "multiclass", ["clean"], ["a"]]],
    "repeats": 2,
    "folds": 3,
    "allow_holes": False,
}


def rows():
    names = ("dataset", "task", "noise_id", "method", "repeat", "fold")
    return [
        dict(zip(names, fit, strict=True), status="ok", noise=fit[2].split("-")[0]) for fit in collect.expected(SPEC)
    ]


def write(tmp_path, found):
    paths = [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    for i, path in enumerate(paths):
        records.write(records.frame(found[i::2]), path)
    return paths


def test_expected_counts():
    found = list(collect.expected(SPEC))
    assert len(found) == len(set(found)) == 2 * 3 * (2 * 2 + 1)


def test_complete_and_sorted(tmp_path):
    collect.run(SPEC, write(tmp_path, rows()), tmp_path / "one.parquet")
    collect.run(SPEC, list(reversed(write(tmp_path, rows()[::-1]))), tmp_path / "two.parquet")
    found = records.read(tmp_path / "one.parquet")
    assert len(found) == 30
    by = found[collect.ORDER].apply(tuple, axis=1).tolist()
    assert by == sorted(by)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_a_hole_is_refused_and_named(tmp_path):
    found = rows()
    del found[7]
    with pytest.raises(InputError, match=r"1 fits are missing \(d, binary, clean, b, 0, 1\); run them or allow holes"):
        collect.run(SPEC, write(tmp_path, found), tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()
    collect.run({**SPEC, "allow_holes": True}, write(tmp_path, found), tmp_path / "out.parquet")
    assert len(records.read(tmp_path / "out.parquet")) == 29


def test_a_failed_fit_is_no_hole(tmp_path, capsys):
    found = rows()
    found[3] |= {"status": "failed", "message": "why not"}
    collect.run(SPEC, write(tmp_path, found), tmp_path / "out.parquet")
    said = capsys.readouterr().err
    assert "30 fits, 1 failed, 0 missing" in said and "why not" in said
