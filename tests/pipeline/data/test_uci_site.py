import gzip
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import addresses
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


def test_the_only_data_file_needs_no_name(made):
    assert made({"toy.names": b"about", "Index": b"", "toy.csv": b"x;target\n1;0\n"}, separator=";").shape == (1, 2)


def test_which_file_is_asked_where_there_are_several(made):
    with pytest.raises(InputError, match="has not one data file but a.data, b.csv; set `members`"):
        made({"a.data": b"", "b.csv": b""})


def test_members_are_joined_with_their_parts_and_unpacked(made):
    members = {"a.data": b"# head\n1,x\n", "b.data.gz": gzip.compress(b"# head\n2,y\n3,z\n")}
    fields = {"members": ["a.data", "b.data.gz"], "parts": ["train", "test"], "skip_rows": 1, "columns": ["n", "c"]}
    table = made(members, **fields)
    assert table.to_dict("list") == {"n": [1, 2, 3], "c": ["x", "y", "z"], "split": ["train", "test", "test"]}


def test_arff_members(made):
    assert list(made({"toy.arff": makers.ARFF}, format="arff").columns) == ["x", "c", "serial", "class"]


@pytest.mark.parametrize(
    ("members", "fields", "sentence"),
    [
        ({"a.data": b"1,2\n"}, {"columns": ["a", "b", "c"]}, "has 2 columns, but `columns` names 3"),
        ({"a.data": b"1,2,\n"}, {"columns": ["a", "b"]}, "has 3 columns, but `columns` names 2"),
        ({"a.data": b"1,2\n1,2,3\n"}, {"columns": ["a", "b"]}, "a.data cannot be read as csv .*Expected 2 fields"),
        ({"a.data": b"# head\nx; x\n1;2\n"}, {"separator": ";", "skip_rows": 1}, "a.data: the column 'x' occurs twice"),
        ({"a.data": b"x x\n1 2\n"}, {"separator": "whitespace"}, "a.data: the column 'x' occurs twice"),
        ({"a.data": b"x,x\n1,2\n"}, {"sample": 9}, "a.data: the column 'x' occurs twice"),
        ({"a.data": b"x;y\n1;2;\n"}, {"separator": ";"}, "a.data: rows have 3 fields, the header has 2; give every"),
        ({"a.data": b"x,y\n1,2,\n"}, {"sample": 9}, "a.data: rows have 3 fields, the header has 2; give every"),
        ({"a.data": b""}, {}, "a.data cannot be read as csv .*No columns"),
        ({"a.data": b"x,y\n1,2\n", "b.data": b"x,z\n1,2\n"}, {"members": ["a.data", "b.data"]}, "b.data has the col"),
        ({"a.data": b"split\n1\n"}, {"members": ["a.data"], "parts": ["train"]}, "has a column 'split' already"),
    ],
)
def test_faults_are_named(made, members, fields, sentence):
    with pytest.raises(InputError, match=sentence):
        made(members, **fields)


def test_a_sample_is_drawn_from_all_rows_alike_and_keeps_their_order(made, monkeypatch):
    monkeypatch.setattr(sites, "CHUNK", 70)
    body = "".join(f"{i},{i % 2}\n" for i in range(1000)).encode()
    fields = {"columns": ["i", "target"], "sample": 200}
    whole = made({"toy.csv": body}, **fields)["i"].to_numpy()
    assert len(set(whole)) == 200 and (np.diff(whole) > 0).all()
    assert np.histogram(whole, 4, (0, 1000))[0].min() > 30  # 50 are expected, six standard deviations are 37
    monkeypatch.setattr(sites, "CHUNK", 1000)
    np.testing.assert_array_equal(made({"toy.csv": body}, **fields)["i"], whole)
    assert len(made({"toy.csv": body}, **{**fields, "sample": 5000})) == 1000


def test_a_sample_keeps_the_parts(made):
    members = {"a.csv": b"x\n1\n2\n", "b.csv": b"x\n3\n"}
    table = made(members, members=["a.csv", "b.csv"], parts=["train", "test"], sample=9)
    assert table.to_dict("list") == {"x": [1, 2, 3], "split": ["train", "train", "test"]}
