"""Columns that are hardly features, texts among numbers, and differences from the catalogue are named with a remedy."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from ironbark.errors import InputError
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.suspicions import as_missing, suspicion

N = 60
RNG = np.random.default_rng(0)
DATES = ["31/12/2020", "2020-12-31T10:00Z", "31.12.2020", "12/2020", "10:30 PM"]


def said(values, name="c"):
    column = pd.Series(values, name=name)
    return suspicion("data set 'd'", column, not pd.api.types.is_numeric_dtype(column.dtype))


SUSPICIOUS = {
    "row number": (range(N), "60 different whole numbers in 60 rows"),
    "floats of a CSV file with a hole": ([None, *map(float, range(1, N))], "59 different whole numbers in 59 rows"),
    "names": ([f"Mr {i}" for i in range(N)], "60 different texts in 60 rows, like an identifier or free text"),
    "unit": ([f"{i % 9} kg" for i in range(N)], "holds numbers with a unit, such as '0 kg'"),
    "two units": ([f"{i % 9} {'cm' if i % 9 > 4 else 'm'}" for i in range(N)], "numbers with a unit"),
    "thousands": ([f"{i % 9},000" if i % 9 else "500" for i in range(N)], "numbers with commas, such as '1,000'"),
    "both": ([["1.234,5", "1,234.5", " 2 "][i % 3] for i in range(N)], "numbers with commas, such as '1.234,5'"),
    **{
        date: ([date, "2021-01-01"], f"holds dates, such as {date!r}, which are encoded as categories")
        for date in DATES
    },
    **{f"{date} often": ([date] * N, f"holds dates, such as {date!r}") for date in DATES},
}


@pytest.mark.parametrize("name", SUSPICIOUS)
def test_suspicious_columns_are_named_with_the_remedy(name):
    values, part = SUSPICIOUS[name]
    sentence = said(values)
    assert sentence.startswith("data set 'd': column 'c' ") and part in sentence
    assert "set `drop: [c]`" in sentence and "\n" not in sentence


@pytest.mark.parametrize("name", ["ID", "customer_id", "PassengerID", "row number", "part.no"])
def test_whole_numbers_under_the_name_of_an_identifier_may_repeat(name):
    numbers = RNG.integers(10**6, 10**9, N)
    numbers[:3] = numbers[3:6]
    assert "57 different whole numbers" in said(numbers, name)
    assert said(numbers, "income") is None


HARMLESS = {
    "measurements": RNG.normal(size=N),
    "time of measurements": np.arange(N) / 10,
    "counts": RNG.poisson(5, N),
    "flags": np.arange(N) % 2 == 0,
    "categories": list("abc") * 20,
    "ordinals": ["1st", "2nd", "3rd"] * 20,
    "codes": ["1", "2", "10"] * 20,
    "sets": ["1,2", "1,2,3", "2"] * 20,
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


@pytest.mark.parametrize("cell", [".", " ", "n.a.", "#DIV/0!", "<1", "unknown", "\u2014"])
@pytest.mark.parametrize("dtype", ["str", object])
def test_a_few_texts_count_as_missing(cell, dtype):
    found, (sentence,) = judged(pd.Series([*numbers(), cell, "1.5", cell, None], dtype=dtype))
    assert found.dtype == np.float64 and found.isna().tolist() == [False] * 60 + [True, False, True, True]
    assert found[61] == 1.5
    assert f"'c' holds 61 numbers and 2 other texts, such as {cell!r}, which count as missing values; use c" in sentence


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["2", "3", "4", "5more"] * 20, False),
        (["2", "10", "A", "B"] * 20, True),
        (["a", "b"] * 20, False),
        ([1.5, None, 2.0], False),
        (pd.Categorical([*numbers(), "-"]), False),
        ([f"{i}" if i % 2 else f"A{i}" for i in range(60)], True),
    ],
)
def test_categories_stay_and_are_named_where_their_order_is_not_that_of_the_numbers(values, said):
    found, sentences = judged(values)
    pd.testing.assert_series_equal(found, pd.Series(values, name="c"))
    assert ["in the order of their texts" in sentence for sentence in sentences] == [True] * said


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


@pytest.fixture
def written(tmp_path, monkeypatch):
    """An entry in a catalogue file of the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("config/datasets").mkdir(parents=True)
    text = "# Radars\n" + yaml.safe_dump({"radar": ENTRY, "radar-2": {}}, sort_keys=False)
    Path("config/datasets/pg.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("source", ["mirror", "openml"])
def test_the_line_can_be_pasted(written, raw, tmp_path, source):
    """What the sentence proposes makes the data set prepare, with the labels of the catalogue."""
    frame = pd.DataFrame({"x": [None, *range(11)], "y": range(12), "target": list("bggbggbggbgg")})
    with pytest.raises(InputError) as caught:
        prepare("radar", ENTRY, raw(frame, source), tmp_path / "out")
    entry = dict(ENTRY)
    for line in re.findall("`([^`]*)`", str(caught.value).split(" (after")[0]):
        entry |= yaml.safe_load(line)
    assert set(entry) - set(ENTRY) == ({"in_mirror"} if source == "mirror" else {"labels", "missing"})
    found = load(prepare("radar", entry, raw(frame, source), tmp_path / "out"), verify=True)
    assert found.classes("binary") == ["-1", "1"] and found.y("binary").tolist() == [0, 1, 1] * 4
