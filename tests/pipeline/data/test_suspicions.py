"""Columns that are hardly features, texts among numbers, given labels and groups: from the table to splits."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle, catalog
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.suspicions import as_missing, suspicion
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt
from ironbark.pipeline.plan.config import preflight
from ironbark.pipeline.results import noisy_labels

N = 60
RNG = np.random.default_rng(0)
DATES = ["31/12/2020", "2020-12-31T10:00Z", "31.12.2020", "12/2020", "10:30 PM", "25-Feb-2021", "25FEB2021"]
DATES += ["25 Feb 2021", "25.02.21", "Feb-21", "February 25, 2021", "25. 02. 2021", "25 / 02 / 2021", "2021年02月25日"]
SIGNS = ["5 500", "5\u202f500", "5'500", "5 200,50", "USD 5000", "-$5,000.00", "\u22125", "(5)", "<5", "~5", "5*"]


def said(values, name="c"):
    column = pd.Series(values, name=name)
    return suspicion("data set 'd'", column, not pd.api.types.is_numeric_dtype(column.dtype))


SUSPICIOUS = {
    "row number": (range(N), "60 different whole numbers in 60 rows"),
    "floats of a CSV file with a hole": ([None, *map(float, range(1, N))], "59 different whole numbers in 59 rows"),
    "names": ([f"Mr {i}" for i in range(N)], "60 different texts in 60 rows, like an identifier or free text"),
    "unit": ([f"{i % 9} kg" for i in range(N)], "holds numbers with other signs or a unit, such as '0 kg'"),
    "two units": ([f"{i % 9} {'cm' if i % 9 > 4 else 'm'}" for i in range(N)], "numbers with other signs or a unit"),
    "thousands": ([f"{i % 9},000" if i % 9 else "500" for i in range(N)], "signs or a unit, such as '1,000'"),
    "both": ([["1.234,5", "1,234.5", " 2 "][i % 3] for i in range(N)], "signs or a unit, such as '1.234,5'"),
    **{sign: ([sign.replace("5", str(5 + i % 9), 1) for i in range(N)], f"such as {sign!r}") for sign in SIGNS},
    **{date: ([date, "2021-01-01"], f"holds dates, such as {date!r}, which are encoded as ca") for date in DATES},
    **{f"{date} often": ([date] * N, f"holds dates, such as {date!r}") for date in DATES},
}


@pytest.mark.parametrize("name", SUSPICIOUS)
def test_suspicious_columns_are_named_with_the_remedy(name):
    values, part = SUSPICIOUS[name]
    sentence = said(values)
    assert sentence.startswith("data set 'd': column 'c' ") and part in sentence
    assert 'set `drop: ["c"]`' in sentence and "\n" not in sentence


@pytest.mark.parametrize("name", ["ID", "customer_id", "PassengerID", "row number", "part.no"])
def test_whole_numbers_under_the_name_of_an_identifier_may_repeat(name):
    numbers = RNG.integers(10**6, 10**9, N)
    numbers[:3] = numbers[3:6]
    assert "57 different whole numbers" in said(numbers, name) and said(numbers, "income") is None


HARMLESS = {
    "measurements": RNG.normal(size=N),
    "time of measurements": np.arange(N) / 10,
    "counts": RNG.poisson(5, N),
    "flags": np.arange(N) % 2 == 0,
    "categories": list("abc") * 20,
    "ordinals": ["1st", "2nd", "3rd"] * 20,
    "codes": ["1", "2", "10"] * 20,
    "sets": ["1,2", "1,2,3", "2"] * 20,
    "postcodes": [f"{town} A{street}" for town in range(1100, 1110) for street in "BCDEFGHJKL"] * 2,
    "rooms": [f"{house}{room}" for house in "ABC" for room in range(1, 13)] * 3,
    "children": ["0", "1", "2", "3", "4", "5+"] * 20,
    "all missing": [None] * N,
}


@pytest.mark.parametrize("name", HARMLESS)
def test_features_are_not_suspicious(name):
    assert said(HARMLESS[name]) is None


@pytest.mark.parametrize("shipped", [load_breast_cancer, load_digits, load_iris, load_wine])
def test_the_shipped_data_sets_have_no_suspicious_column(shipped):
    frame = shipped(as_frame=True).data
    assert [found for name in frame if (found := said(frame[name], name))] == []


def judged(values):
    found, sentences = as_missing("d.csv", pd.DataFrame({"c": values}), ["c"], "keep", "use {}".format)
    return found["c"], sentences


def numbers(n=60):
    return [str(i % 37) for i in range(n)]


@pytest.mark.parametrize("cell", [".", " ", "n.a.", "#DIV/0!", "<1", "unknown", "\u2014", "1,050"])
@pytest.mark.parametrize("dtype", ["str", object])
def test_a_few_texts_count_as_missing(cell, dtype):
    found, (sentence,) = judged(pd.Series([*numbers(), cell, "1.5", cell, None], dtype=dtype))
    assert found.dtype == np.float64 and found.isna().tolist() == [False] * 60 + [True, False, True, True]
    assert found[61] == 1.5
    start = f"'c' holds 61 numbers and 2 other texts, such as {cell!r}, which count as missing values; "
    assert start + ("write them like 1000, or use c" if cell == "1,050" else "use c") in sentence


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["2", "3", "4", "5more"] * 20, False),
        (["2", "10", "A", "B"] * 20, True),
        ([f"{sign}{i}" for i in range(20, 40) for sign in ("", "<")], True),
        (["a", "b"] * 20, False),
        ([1.5, None, 2.0], False),
        (pd.Categorical([*numbers(), "-"]), False),
        ([f"{i}" if i % 2 else f"A{i}" for i in range(60)], True),
    ],
)
def test_categories_stay_and_are_named_where_their_order_is_not_that_of_the_numbers(values, said):
    found, sentences = judged(values)
    pd.testing.assert_series_equal(found, pd.Series(values, name="c"))
    assert ["as categories, not by size; write plain numbers" in sentence for sentence in sentences] == [True] * said


def test_prepare_refuses_them_treats_them_as_missing_or_keeps_them(raw, tmp_path):
    frame = pd.DataFrame({"age": [*numbers(58), ".", "."], "x": np.arange(60) / 7, "target": np.arange(60) % 2})

    def prepared(**entry):
        return load(prepare("d", {"source": "file", "path": "d.csv", **entry}, raw(frame), tmp_path / "d")).meta

    with pytest.raises(InputError, match=r"column 'age' holds 58 numbers and 2 .* '\.'; .* `categories: \[age\]`"):
        prepared()
    meta = prepared(missing="median")
    assert meta["missing"] == {"age": 2} and meta["categories"] == {}
    assert "2 other texts, such as '.', which count as missing values" in meta["warnings"][0]
    assert prepared(missing="drop")["n"] == 58
    kept = prepared(categories=["age"])
    assert kept["missing"] == {} and kept["categories"]["age"][0] == "."
    with pytest.raises(InputError, match="`categories` names 'agee', which is no feature"):
        prepared(missing="keep", categories=["agee"])


ENTRY = {"title": "Radar", "source": "openml", "openml_id": 1, "expect": {"counts": {"-1": 4, "1": 8}}}


@pytest.mark.parametrize("source", ["mirror", "openml"])
def test_the_line_can_be_pasted(raw, tmp_path, monkeypatch, source):
    """What the sentence proposes makes the data set prepare, with the labels of the catalogue."""
    monkeypatch.chdir(tmp_path)
    Path("config/datasets").mkdir(parents=True)
    Path("config/datasets/pg.yaml").write_text(yaml.safe_dump({"radar-2": {}, "radar": ENTRY}), encoding="utf-8")
    frame = pd.DataFrame({"x": [None, *range(11)], "y": range(12), "target": list("bggbggbggbgg")})
    with pytest.raises(InputError, match=r"in config/datasets/pg.yaml, set radar\.") as caught:
        prepare("radar", ENTRY, raw(frame, source), tmp_path / "out")
    entry = dict(ENTRY)
    for line in re.findall("`([^`]*)`", str(caught.value).split(" (after")[0]):
        entry |= yaml.safe_load(line)
    assert set(entry) - set(ENTRY) == ({"in_mirror"} if source == "mirror" else {"labels", "missing"})
    found = load(prepare("radar", entry, raw(frame, source), tmp_path / "out"))
    assert found.classes("binary") == ["-1", "1"] and found.y("binary").tolist() == [0, 1, 1] * 4


RIGHT = np.resize(["a", "b", "c"], 60)
WRONG = np.where(np.arange(60) % 7 == 0, "a", RIGHT)
SHOPS = np.random.default_rng(0).integers(0, 25, 60)
AUDITED = {"title": "Audited", "source": "file", "target": "audited", "given": "booked", "positive": ["c"]}


@pytest.fixture
def made(tmp_path):
    """Function that prepares a table of two features and gives its folder; None leaves out a field of the entry."""

    def made_(columns=(), **changes):
        table = pd.DataFrame({"x": np.arange(60.0), "booked": WRONG, "audited": RIGHT, **dict(columns)})
        table.to_parquet(tmp_path / "claims.parquet", index=False)
        entry = {**AUDITED, "path": str(tmp_path / "claims.parquet"), **changes}
        entry = {name: value for name, value in entry.items() if value is not None}
        return prepare("claims", entry, fetch("claims", entry, tmp_path / "raw"), tmp_path / "prepared")

    return made_


def test_given_labels_are_prepared_and_no_feature(made):
    data = bundle.load(made())
    assert data.meta["features"] == ["x"]
    names = np.array(data.classes("multiclass"))
    assert names[data.y("multiclass")].tolist() == RIGHT.tolist()
    assert names[data.given_y("multiclass")].tolist() == WRONG.tolist()
    assert data.given_y("binary").tolist() == (WRONG == "c").astype(int).tolist()
    two = bundle.load(made({"booked": list("nnyn") * 15, "audited": list("nyyn") * 15}, positive=["n"]))
    assert two.y("binary")[:4].tolist() == [1, 0, 0, 1] and two.given_y("binary")[:4].tolist() == [1, 1, 0, 1]
    data = bundle.load(made(given=None))
    with pytest.raises(InputError, match="data set 'claims' has no given labels; name their column by `given`"):
        data.given_y("binary")
    config = {"datasets": {"claims": AUDITED, "iris": {"title": "Iris"}}}
    preflight.check_noise(config, "claims", "o", {"model": "observed", "params": {}}, 3)
    preflight.check_noise(config, "iris", "u", {"model": "uniform", "params": {}}, 3)
    with pytest.raises(InputError, match="'observed' takes the given labels of data set 'iris', which names none"):
        preflight.check_noise(config, "iris", "o", {"model": "observed", "params": {}}, 3)


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_training_parts_get_the_given_labels(made, tmp_path, task):
    prepared, out = made(), tmp_path / "labels.npz"
    protocol = {"kind": "repeated-cv", "repeats": 2, "options": {"folds": 3}}
    noise = {"model": "observed", "rate": None, "params": {}}
    spec = {"dataset": "claims", "task": task, "noises": {"observed": noise}, "protocol": protocol}
    corrupt.run(Labels(**spec), prepared, out)
    given, found = bundle.load(prepared).given_y(task), noisy_labels.read(out, "observed")
    for split, labels in zip(found.splits, found.noisy, strict=True):
        assert labels.tolist() == given[split.train].tolist()


def test_groups_are_in_one_part_each(made, tmp_path):
    prepared, out = made({"shop": SHOPS}, groups="shop"), tmp_path / "labels.npz"
    data = bundle.load(prepared)
    protocol = {"kind": "grouped", "repeats": 2, "options": {"test_size": 0.3}}
    assert data.meta["features"] == ["x"] and (pd.factorize(SHOPS)[0] == data.groups).all()
    noises = {"clean": {"model": "clean", "rate": None, "params": {}}}
    corrupt.run(Labels(dataset="claims", task="binary", noises=noises, protocol=protocol), prepared, out)
    for split in noisy_labels.read(out, "clean").splits:
        assert not set(SHOPS[split.train]) & set(SHOPS[split.test]) and len(split.test) > 9
    entry = catalog.complete({**AUDITED, "path": str(tmp_path / "claims.parquet"), "groups": "shop"})
    assert preflight._tried("claims", entry, None, ["binary"], protocol)[0] is None
    made({"shop": RIGHT == "c"}, groups="shop")
    fault = preflight._tried("claims", entry, None, ["binary"], protocol | {"options": {"test_size": 5}})[0]
    assert "test_size=5 found no partition of the 2 groups of 'claims'" in fault


@pytest.mark.parametrize(
    ("columns", "changes", "words"),
    [
        ({}, {"given": "billed"}, "there is no given column 'billed'; set `given` to one of x, booked, audited"),
        ({"booked": np.where(RIGHT == "a", None, RIGHT)}, {}, "20 of 60 labels in column 'booked' are missing"),
        ({"booked": ["z", *RIGHT[1:]]}, {}, "column 'booked' has the label 'z', which the target does not have"),
        ({"shop": [None, *SHOPS[1:]]}, {"groups": "shop"}, "1 of 60 groups in column 'shop' are missing; fill them in"),
        ({"shop": 1}, {"groups": "shop"}, "'claims': column 'shop' has a single group; name another column"),
        ({}, {"groups": "shop"}, "there is no groups column 'shop'; set `groups` to one of x, booked, audited"),
        ({}, {"drop": ["booked"]}, "column 'booked' of `given` has another role or is in `drop`"),
    ],
)
def test_bad_given_labels_are_named(made, columns, changes, words):
    with pytest.raises(InputError, match=words):
        made(columns, **changes)
