"""Prepared data sets: what is in them, the same bytes again, damage; tables of a mirror."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest

from ironbark import encoding
from ironbark.errors import InputError
from ironbark.pipeline.data import checksums
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.prepare import prepare

ENTRY = {"title": "Tiny", "source": "file", "path": "tiny.csv", "licence": "CC0"}


@pytest.fixture
def prepared(raw, tmp_path):
    """Function that prepares a data frame and opens the result."""

    def run(frame, source="file", **fields):
        return load(prepare("tiny", {**ENTRY, **fields}, raw(frame, source), tmp_path / "tiny"))

    return run


def test_arrays_and_meta(prepared, table):
    bundle = prepared(table, positive=["b"], split={"train_rows": 9}, deviations=["Made up."])
    assert isinstance(bundle.features.codes, np.memmap) and not bundle.features.codes.flags.writeable
    assert bundle.y("multiclass").dtype == np.int64 and bundle.classes("multiclass") == ["a", "b", "c"]
    expected = table[["x", "i"]].to_numpy(np.float64)
    np.testing.assert_array_equal(bundle.features.decode()[:, :2], expected)
    assert bundle.features.decode()[:3, 2].tolist() == [2, 1, 0]
    assert bundle.y("multiclass").tolist() == [0, 1, 2] * 4
    assert bundle.y("binary").tolist() == [0, 1, 0] * 4 and bundle.split.tolist() == [0] * 9 + [1] * 3
    meta = {name: value for name, value in bundle.meta.items() if name != "digest"}
    assert meta == {
        **{"id": "tiny", "title": "Tiny", "n": 12, "d": 3, "k": 3, "classes": ["a", "b", "c"], "counts": [4, 4, 4]},
        **{"features": ["x", "i", "c"], "categories": {"c": ["x", "y", "z"]}, "encode": "ordinal", "missing": {}},
        "tasks": {
            "binary": {"classes": ["a|c", "b"], "counts": [8, 4], "groups": [["a", "c"], ["b"]]},
            "multiclass": {"classes": ["a", "b", "c"], "counts": [4, 4, 4]},
        },
        **{"split": {"train": 9, "test": 3}, "source": {"source": "file"}, "licence": "CC0"},
        **{"deviations": ["Made up."], "notes": [], "warnings": [], "dropped_rows": 0},
    }


def test_codes_are_those_of_the_whole_matrix(prepared):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 400, 900), rng.normal(size=900), rng.integers(0, 2, 900)])
    table = pd.DataFrame(X, columns=list("abc")).astype({"a": "uint16", "c": "int8"})
    bundle = prepared(table.assign(target=[0, 1] * 450))
    whole = encoding.encode(X)
    for name in ("codes", "levels", "offsets"):
        ours, theirs = getattr(bundle.features, name), getattr(whole, name)
        assert ours.dtype == theirs.dtype == {"codes": np.uint16, "levels": float, "offsets": np.int64}[name]
        np.testing.assert_array_equal(ours, theirs)


def test_two_runs_give_the_same_bytes(raw, tmp_path, table):
    entry = {**ENTRY, "positive": ["a"], "split": {"train_size": 0.5, "stratify": True}}
    for name in ("one", "two", "two"):  # the second time over a folder that is there already
        prepare("tiny", entry, raw(table), tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    names = ("binary", "codes", "levels", "offsets", "split", "target")
    assert files == sorted(["meta.json", *(f"{name}.npy" for name in names)])
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert not list(tmp_path.glob(".*"))


def test_digest_is_of_the_data_not_of_the_file(prepared, table, tmp_path):
    one, plain = prepared(table).meta["digest"], b""
    for name in ("codes", "levels", "offsets", "target"):
        array = np.load(tmp_path / "tiny" / f"{name}.npy")
        plain += f"{name} {array.dtype.str} {array.shape}\n".encode() + array.tobytes()
    assert one == hashlib.sha256(plain).hexdigest()
    assert prepared(table.astype({"i": "int64", "c": "category", "target": "category"})).meta["digest"] == one
    assert prepared(table.assign(i=table["i"].to_numpy()[::-1])).meta["digest"] != one


def test_tables_of_a_mirror(prepared, table):
    mirrored = table.assign(split=["train"] * 9 + ["test"] * 3)
    mirrored = mirrored[["x", "i", "c", "split", "target"]]
    entry = {"target": "class", "drop": ["id", "i"]}
    plain = prepared(mirrored, "mirror", **entry)
    assert plain.meta["features"] == ["x", "c"] and plain.split is None
    assert prepared(mirrored, "mirror", **entry, split={"column": "part"}).split.tolist() == [0] * 9 + [1] * 3
    fields = {
        "positive": ["one"],
        "expect": {"n": 99, "k": 3},
        "in_mirror": {"labels": {"a": "one", "b": "two", "c": "three"}, "expect": {"n": 12}, "deviations": ["A part."]},
    }
    bundle = prepared(table, "mirror", **fields)
    assert bundle.meta["classes"] == ["one", "three", "two"]
    assert bundle.y("binary").tolist() == [1, 0, 0] * 4 and bundle.meta["deviations"] == ["A part."]
    with pytest.raises(InputError, match="n is 12, expected 99"):
        prepared(table, **fields | {"positive": ["a"]})


def test_rows_with_missing_values_are_dropped_and_columns_become_one_hot(prepared, table):
    holes = table.assign(x=table["x"].where(table["x"] < 5), c=table["c"].where(table["i"] > 0))
    bundle = prepared(holes.assign(part=["train", "test"] * 6), missing="drop", split={"column": "part"})
    kept = (table["x"] < 5) & (table["i"] > 0)
    assert bundle.meta["dropped_rows"] == 12 - kept.sum() > 0 and bundle.meta["missing"] == {}
    np.testing.assert_array_equal(bundle.features.decode()[:, 0], table["x"][kept])
    assert bundle.y("multiclass").tolist() == ["abc".index(label) for label in table["target"][kept]]
    assert bundle.split.tolist() == (np.arange(12) % 2)[kept].tolist()
    bundle = prepared(table.assign(e=list("pq" * 6)), one_hot=["c"])
    assert bundle.meta["features"] == ["x", "i", "c=x", "c=y", "c=z", "e"]
    expected = np.column_stack([table["c"] == name for name in "xyz"])
    np.testing.assert_array_equal(bundle.features.decode()[:, 2:5], expected)


def test_numbers_are_categories_where_the_entry_says_so(prepared, table):
    codes = table.assign(i=[10.0, 9, np.nan] * 4, x=np.arange(12) % 2 + 0.5)
    for dtype in ("float64", "Float64", "Int64"):
        meta = prepared(codes.astype({"i": dtype}), one_hot=["i"], categories=["x"], missing="keep").meta
        assert meta["features"] == ["x", "i=9", "i=10", "c"] and meta["categories"]["x"] == ["0.5", "1.5"]


@pytest.mark.parametrize(
    ("change", "fields", "sentence"),
    [
        ({"x": None}, {}, "column 'x' has 12 missing values, in 12 rows"),
        *(({"x": np.inf}, fields, "column 'x' has 12 infinite values") for fields in ({}, {"one_hot": ["x"]})),
        ({"x": 2**60}, {}, "column 'x' cannot be encoded .*beyond 2"),
        ({"x": np.nan}, {"missing": "drop"}, "every row has a missing value, so `missing: drop` leaves none"),
        ({"c=x": 1}, {"encode": "one-hot"}, "two features are named 'c=x'"),
        ({}, {"target": "y"}, "no target column 'y'; set `target` to one of x, i, c, target"),
        ({}, {"one_hot": ["k"]}, "`one_hot` names 'k', which is no feature"),
        ({"target": "a"}, {}, "has a single class, a"),
        ({}, {"expect": {"n": 13, "d": 3, "k": 2}}, "n is 12, expected 13; k is 3, expected 2"),
        ({}, {"expect": {"counts": {"a": 12}}}, "4 rows with label a, expected 12, 4 rows with label b, expected 0"),
        ({}, {"expect": {"counts": {"a": 4, "b": 4, "c": 4, "d": 1}}}, "0 rows with label d, expected 1"),
        (None, {}, "has no rows or no columns"),
    ],
)
def test_bad_tables_are_named_and_nothing_is_prepared(prepared, table, tmp_path, change, fields, sentence):
    with pytest.raises(InputError, match="data set 'tiny'.*" + sentence):
        prepared(table[:0] if change is None else table.assign(**change), **fields)
    assert not (tmp_path / "tiny").exists()


def test_the_checksum_of_a_download_is_recorded_once_it_is_prepared(raw, table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = raw(table)
    file = {"url": "https://a.example/x", "sha256": "0" * 64, "verified": False}
    (path.parent / "fetch.json").write_text(json.dumps({"source": "url", "files": [file]}), encoding="utf-8")
    with pytest.raises(InputError, match="n is 12, expected 13"):
        prepare("tiny", {**ENTRY, "expect": {"n": 13}}, path, tmp_path / "out")
    assert checksums.recorded(file["url"]) is None
    prepare("tiny", ENTRY, path, tmp_path / "out")
    assert checksums.recorded(file["url"]) == file["sha256"]


def cut(keep):
    return lambda path: path.write_bytes(path.read_bytes()[:keep])


def typed(kind):
    return lambda path: np.save(path, np.load(path).astype(kind))


@pytest.mark.parametrize(
    ("name", "damage", "sentence"),
    [
        *[(f"{name}.npy", cut(-1), "is damaged or cut short") for name in ("codes", "levels", "target")],
        ("split.npy", cut(0), "is damaged or cut short"),
        ("meta.json", cut(-3), "is damaged or cut short"),
        *[(name, lambda path: path.unlink(), "is missing") for name in ("target.npy", "meta.json")],
        ("target.npy", lambda path: np.save(path, np.zeros(11, np.uint8)), r"has shape \(11,\), not \(12,\)"),
        ("codes.npy", typed("float64"), "holds float64 numbers"),
        ("levels.npy", typed("float32"), "holds float32 numbers"),
        ("target.npy", lambda path: np.save(path, np.load(path)[::-1]), None),
    ],
)
def test_damage_is_named(raw, table, tmp_path, name, damage, sentence):
    folder = prepare("tiny", ENTRY | {"split": {"train_rows": 6}}, raw(table), tmp_path / "tiny")
    damage(folder / name)
    words = f"{name} {sentence}" if sentence else "are not those of its meta.json"
    with pytest.raises(InputError, match=f"{words}.*; remove the folder .* and prepare"):
        load(folder)
