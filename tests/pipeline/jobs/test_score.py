"""Rows of a study: sorted, complete or refused; files that something cut short are named with the remedy."""

from itertools import product

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.job_specs import Score
from ironbark.pipeline.jobs import score
from ironbark.pipeline.results import noisy_labels, records, store
from ironbark.pipeline.results.store import Store

SPEC = {
    "cells": [["d", "binary", ["clean", "uniform-0.2"], ["a", "b"]], ["e", "multiclass", ["clean"], ["a"]]],
    "repeats": 2,
    "folds": 3,
    "allow_holes": False,
    "metrics": [],
}
HEADER = {"study": "s", "scale": "full", "protocol": "p", "versions": {}}
NOISES = {"clean": {"noise": "clean", "rate": "0"}, "uniform-0.2": {"noise": "uniform", "rate": "0.2"}}


def fits():
    """Failed ones, which need neither labels nor data."""
    names = ("dataset", "task", "noise_id", "method", "repeat", "fold")
    record = {"status": "failed", "message": "why not"}
    blocks = (([dataset], [task], *ids) for dataset, task, *ids in SPEC["cells"])
    asked = (one for block in blocks for one in product(*block, range(SPEC["repeats"]), range(SPEC["folds"])))
    return [{**dict(zip(names, one, strict=True)), "key": f"{i:032d}", "record": record} for i, one in enumerate(asked)]


def run(tmp_path, found, spec=SPEC, out="rows.parquet", turned=False):
    paths = [tmp_path / "1.jsonl.gz", tmp_path / "2.jsonl.gz"]
    noises = {name: {"d binary": about, "e multiclass": about} for name, about in NOISES.items()}
    for i, path in enumerate(paths):
        store.write_batch(path, HEADER | {"noises": noises}, found[i::2])
    score.run(Score(**spec), paths[::-1] if turned else paths, {}, {}, tmp_path / "store", tmp_path / out)
    return records.read(tmp_path / out)


def test_complete_and_sorted(tmp_path):
    found = run(tmp_path, fits())
    run(tmp_path, fits()[::-1], out="other.parquet", turned=True)
    assert len(found) == 30
    by = found[score.ORDER].apply(tuple, axis=1).tolist()
    assert by == sorted(by)
    assert (tmp_path / "rows.parquet").read_bytes() == (tmp_path / "other.parquet").read_bytes()


def test_a_hole_is_refused_and_named(tmp_path):
    found = fits()
    del found[7]
    with pytest.raises(InputError, match=r"1 fits are missing \(d, binary, clean, b, 0, 1\); run them or allow holes"):
        run(tmp_path, found)
    assert not (tmp_path / "rows.parquet").exists()
    assert len(run(tmp_path, found, {**SPEC, "allow_holes": True})) == 29


def test_a_store_that_was_out_of_reach_gets_the_fits(tmp_path):
    """As where jobs run without a shared file system; what is there already is not doubled."""
    Store(tmp_path / "store/d/binary/clean/a.jsonl").add("0" * 32, {"status": "failed", "message": "before"})
    for _ in range(2):
        run(tmp_path, fits())
    lines = [line for path in (tmp_path / "store").rglob("*.jsonl") for line in path.read_text().splitlines()]
    assert len(lines) == 30
    assert Store(tmp_path / "store/d/binary/clean/a.jsonl").get("0" * 32)["message"] == "before"


def cut(path, share=0.6):
    """Keep the first part of a file."""
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


@pytest.mark.parametrize("share", [0, 0.99])
def test_rows(run, spec, tmp_path, share):
    records.write(run(spec)[0], tmp_path / "rows.parquet")
    for name, read in (("rows.parquet", records.shown), ("out.jsonl.gz", store.read_batch)):
        cut(tmp_path / name, share)
        with pytest.raises(InputError, match=rf"{name} is damaged \(.*\); remove it and start again"):
            read(tmp_path / name)


def test_labels(labels):
    path = labels()
    cut(path)
    with pytest.raises(InputError, match=r"multiclass.npz is damaged .* finished fits are kept"):
        noisy_labels.read(path, "uniform-0.2")
