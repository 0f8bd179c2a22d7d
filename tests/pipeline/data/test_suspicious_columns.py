"""Columns that are hardly features, and texts among numbers, are found; measurements are not."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from ironbark.errors import InputError
from ironbark.pipeline.data import catalog
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.suspicions import as_missing, suspicion

N = 60
RNG = np.random.default_rng(0)


def said(values, name="c", categories=None):
    column = pd.Series(values, name=name)
    if categories is None:
        categories = not pd.api.types.is_numeric_dtype(column.dtype)
    return suspicion("data set 'd'", column, categories)


SUSPICIOUS = {
    "row number": (range(N), "60 different whole numbers in 60 rows"),
    "floats of a CSV file with a hole": ([None, *map(float, range(1, N))], "59 different whole numbers in 59 rows"),
    "names": ([f"Mr {i}" for i in range(N)], "60 different texts in 60 rows, like an identifier or free text"),
    "unit": ([f"{i % 9} kg" for i in range(N)], "holds numbers with a unit, such as '0 kg'"),
    "two units": ([f"{i % 9} {'cm' if i % 9 > 4 else 'm'}" for i in range(N)], "numbers with a unit"),
    "thousands": (
        [f"{i % 9},000" if i % 9 else "500" for i in range(N)],
        "numbers with commas, such as '1,000', which",
    ),
    "both": ([["1.234,5", "1,234.5", " 2 "][i % 3] for i in range(N)], "numbers with commas, such as '1.234,5'"),
}


@pytest.mark.parametrize("name", SUSPICIOUS)
def test_suspicious_columns_are_named_with_the_remedy(name):
    values, part = SUSPICIOUS[name]
    sentence = said(values)
    assert sentence.startswith("data set 'd': column 'c' ") and part in sentence
    assert "set `drop: [c]`" in sentence and "\n" not in sentence


DATES = ["31/12/2020", "2020-12-31T10:00Z", "31.12.2020", "12/2020", "10:30 PM"]


@pytest.mark.parametrize("text", DATES)
def test_dates_are_named_however_few_or_often(text):
    for values in ([text, "2021-01-01"], [text] * N):
        assert f"column 'c' holds dates, such as {text!r}, which are encoded as categories, in the order" in said(
            values
        )


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


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits, load_iris, load_wine])
def test_the_shipped_data_sets_have_no_suspicious_column(load):
    frame = load(as_frame=True).data
    assert [found for name in frame if (found := said(frame[name], name))] == []


CELLS = [".", " ", "n.a.", "#DIV/0!", "<1", "unknown", "\u2014"]


def judged(values, missing="keep"):
    table = pd.DataFrame({"c": values})
    found, sentences = as_missing("d.csv", table, ["c"], missing, "use {}".format)
    return found["c"], sentences


def numbers(n=60):
    return [str(i % 37) for i in range(n)]


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("dtype", ["str", object])
def test_a_few_texts_count_as_missing(cell, dtype):
    found, (sentence,) = judged(pd.Series([*numbers(), cell, "1.5", cell, None], dtype=dtype))
    assert found.dtype == np.float64 and found.isna().tolist() == [False] * 60 + [True, False, True, True]
    assert found[61] == 1.5
    assert sentence == (
        f"d.csv: column 'c' holds 61 numbers and 2 other texts, such as {cell!r}, which count as missing values; use c"
    )


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


@pytest.fixture
def frame():
    return pd.DataFrame({"age": [*numbers(58), ".", "."], "x": np.arange(60) / 7, "target": np.arange(60) % 2})


def prepared(raw, frame, tmp_path, **entry):
    entry = catalog.complete({"title": "D", "source": "file", "path": "d.csv", **entry})
    folder = prepare("d", entry, raw(frame), tmp_path / "d")
    return json.loads((folder / "meta.json").read_text("utf-8"))


def test_prepare_refuses_them_treats_them_as_missing_or_keeps_them(raw, frame, tmp_path):
    with pytest.raises(InputError, match=r"column 'age' holds 58 numbers and 2 .* '\.'; .* `categories: \[age\]`"):
        prepared(raw, frame, tmp_path)
    meta = prepared(raw, frame, tmp_path, missing="median")
    assert meta["missing"] == {"age": 2} and meta["categories"] == {}
    assert "2 other texts, such as '.', which count as missing values" in meta["warnings"][0]
    assert prepared(raw, frame, tmp_path, missing="drop")["n"] == 58
    kept = prepared(raw, frame, tmp_path, categories=["age"])
    assert kept["missing"] == {} and kept["categories"]["age"][0] == "."
    with pytest.raises(InputError, match="`categories` names 'agee', which is no feature"):
        prepared(raw, frame, tmp_path, missing="keep", categories=["agee"])
