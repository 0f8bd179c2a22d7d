"""Files of UCI, KEEL and UNSW: members, header lines, samples and parts."""

import gzip
import hashlib
import io
import json
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import addresses, arff_files, formats
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import sites

RAW = Path("raw/toy")


@pytest.fixture
def made(site, monkeypatch):
    """Function that offers an archive of members and fetches an entry of it."""
    monkeypatch.setattr(addresses, "UCI_ARCHIVES", f"{site.address}/")

    def fetched(packed, **fields):
        site.put("toy.zip", makers.zipped(packed))
        entry = {"title": "T", "source": "uci", "archive": "toy.zip", **fields}
        return pd.read_parquet(fetch("toy", entry, RAW))

    return fetched


def test_members_are_joined_with_their_parts_and_unpacked(made):
    members = {"a.data": b"# head\n1,x\n", "b.data.gz": gzip.compress(b"# head\n2,y\n3,z\n")}
    fields = {"members": ["a.data", "b.data.gz"], "parts": ["train", "test"], "skip_rows": 1, "columns": ["n", "c"]}
    table = made(members, **fields)
    assert table.to_dict("list") == {"n": [1, 2, 3], "c": ["x", "y", "z"], "split": ["train", "test", "test"]}


def read(text):
    return arff_files.read_keel(io.BytesIO(text))


def test_without_inputs_and_outputs_all_attributes_count_in_their_order():
    text = b"@RELATION r\n@ATTRIBUTE c{a, 'b'}\n@attribute x REAL [0,1]\n\n@DATA\n 'b' , 0.5\na,?\n"
    table = read(text)
    assert table["c"].tolist() == ["b", "a"]
    np.testing.assert_array_equal(table["x"], [0.5, np.nan])


def test_inputs_and_outputs_choose_and_order():
    text = b"@relation r\n@attribute a {u}\n@attribute b real\n@attribute c real\n@inputs c\n@output a\n@data\nu,1,2\n"
    assert read(text).to_dict("list") == {"c": [2.0], "a": ["u"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"@relation r\n@attribute a real\n1\n", "Invalid layout .* line 4"),
        (b"@relation r\n@attribute a real\n", "Invalid layout .* line 3"),
        (b"@attribute a {u, v}\n@data\nw\n", "Data value w not found in nominal declaration, at line 3"),
        (b"@attribute a real\n@attribute b real\n@data\n1,2\n1,2,3\n", "in line 5: 1,2,3"),
    ],
)
def test_damage_is_named(tmp_path, text, words):
    (tmp_path / "a.dat").write_bytes(text)
    with pytest.raises(InputError, match=f"a.dat cannot be read as keel .*{words}.*check the file"):
        formats.read(tmp_path / "a.dat", "keel")


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
