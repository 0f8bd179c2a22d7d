import hashlib
import json
from pathlib import Path

import makers
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import local_files
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import sites

ENTRY = {"title": "T", "source": "unsw-nb15", "files": ["a.csv", "b.csv"], "target": "attack_cat"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sites, "UNSW_TRAIN_ROWS", 4)


@pytest.mark.parametrize("swapped", [False, True])
def test_the_training_part_is_known_by_its_rows(swapped):
    train, test = ("b.csv", "a.csv") if swapped else ("a.csv", "b.csv")
    Path(train).write_bytes(makers.unsw(4, "Normal"))
    Path(test).write_bytes(makers.unsw(2, "Worms"))
    table = pd.read_parquet(fetch("u", ENTRY, Path("raw/u")))
    assert list(table.columns) == ["dur", "rate", "attack_cat", "split"]
    assert table["split"].tolist() == ["train"] * 4 + ["test"] * 2
    assert table["attack_cat"].tolist() == ["Normal"] * 4 + ["Worms"] * 2
    facts = json.loads(Path("raw/u/fetch.json").read_text(encoding="utf-8"))["files"]
    assert [(file["path"], file["sha256"]) for file in facts] == [
        (name, hashlib.sha256(Path(name).read_bytes()).hexdigest()) for name in ENTRY["files"]
    ]


def test_files_of_this_machine_are_inputs_of_the_job():
    assert local_files({**ENTRY, "files": ["a.csv", "https://x/b.csv"]}) == ["a.csv"]


@pytest.mark.parametrize(
    ("bodies", "fields", "sentence"),
    [
        ({"a.csv": makers.unsw(4, "Normal")}, {}, "data set 'u': there is no file b.csv"),
        ({"a.csv": makers.unsw(3, "x"), "b.csv": makers.unsw(2, "x")}, {}, "has 4 rows, but `files` have 3 and 2"),
        ({"a.csv": makers.unsw(4, "x"), "b.csv": makers.unsw(4, "x")}, {}, "`files` have 4 and 4"),
        ({"a.csv": b"x\n1\n", "b.csv": b"x\n1\n"}, {}, "a.csv has no column 'id'"),
        ({"a.csv": b"", "b.csv": b""}, {}, "a.csv cannot be read as csv"),
        ({}, {"files": ["a.csv"]}, "must name the two CSV files"),
        (
            {"a.csv": makers.unsw(4, "x"), "b.csv": makers.unsw(2, "x")},
            {"sha256": {"b.csv": "0" * 64}},
            "b.csv has SHA-256 .*, but the catalogue expects",
        ),
    ],
)
def test_faults_are_named(bodies, fields, sentence):
    for name, body in bodies.items():
        Path(name).write_bytes(body)
    with pytest.raises(InputError, match=sentence):
        fetch("u", {**ENTRY, **fields}, Path("raw/u"))
    assert not Path("raw/u/table.parquet").exists()
