"""Columns that are hardly features are found, and measurements are not."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.suspicions import suspicion

N = 60
RNG = np.random.default_rng(0)


def said(values, name="c", categories=None):
    column = pd.Series(values, name=name)
    if categories is None:
        categories = not pd.api.types.is_numeric_dtype(column.dtype)
    return suspicion("data set 'd'", column, categories)


SUSPICIOUS = {
    "row number": (range(N), "60 different whole numbers in 60 rows"),
    "descending": (range(5 * N, 0, -5), "like an identifier or a row number"),
    "permutation": (RNG.permutation(N) + 1000, "60 different whole numbers"),
    "floats of a CSV file with a hole": ([None, *map(float, range(1, N))], "59 different whole numbers in 59 rows"),
    "names": ([f"Mr {i}" for i in range(N)], "60 different texts in 60 rows, like an identifier or free text"),
    "nearly all differ": ([f"note {i % 40}" for i in range(N)], "40 different texts in 60 rows"),
    "unit": ([f"{i % 9} kg" for i in range(N)], "holds numbers with a unit, such as '0 kg'"),
    "unit without a space": ([f"{i % 9}.5%" for i in range(N)], "numbers with a unit, such as '0.5%'"),
    "two units": ([f"{i % 9} {'cm' if i % 9 > 4 else 'm'}" for i in range(N)], "numbers with a unit"),
    "currency": ([f"${i % 9},000" for i in range(N)], "numbers with a unit, such as '$0,000'"),
    "thousands": (
        [f"{i % 9},000" if i % 9 else "500" for i in range(N)],
        "numbers with commas, such as '1,000', which",
    ),
    "decimals": ([f"-0,{i}" for i in range(N)], "not by size; write them like 1000 and 0.5 in the source, or set"),
    "both": ([["1.234,5", "1,234.5", " 2 "][i % 3] for i in range(N)], "numbers with commas, such as '1.234,5'"),
    "category": (pd.Categorical([f"a{i}" for i in range(N)]), "60 different texts"),
}


@pytest.mark.parametrize("name", SUSPICIOUS)
def test_suspicious_columns_are_named_with_the_remedy(name):
    values, part = SUSPICIOUS[name]
    sentence = said(values)
    assert sentence.startswith("data set 'd': column 'c' ") and part in sentence
    assert "set `drop: [c]`" in sentence and "\n" not in sentence


DATES = [
    *("31/12/2020", "1/2/2021", "2020-12-31", "2020-12-31 10:00:00", "2020-12-31T10:00Z", "31.12.2020", "12-31-20"),
    *(
        "2020/12/31",
        "12/2020",
        "2020-12",
        "31 Dec 2020",
        "Dec 31, 2020",
        "May-21",
        "Fri, 1st of January 2021",
        "10:30 PM",
    ),
]


@pytest.mark.parametrize("text", DATES)
def test_dates_are_named_however_few_or_often(text):
    for values in ([text, "2021-01-01"], [text] * N):
        assert f"column 'c' holds dates, such as {text!r}, which are encoded as categories, in the order" in said(
            values
        )


@pytest.mark.parametrize(
    "text", ["1.2.10", "1-2", "march", "a 2020", "1/2", "may 12 people", "12 months", "10-19", "4.5"]
)
def test_other_texts_are_no_dates(text):
    assert said([text] * N) is None or "dates" not in said([text] * N)


@pytest.mark.parametrize("name", ["id", "ID", "customer_id", "CustomerId", "PassengerID", "row number", "part.no"])
def test_whole_numbers_under_the_name_of_an_identifier_may_repeat(name):
    numbers = RNG.integers(10**6, 10**9, N)
    numbers[:3] = numbers[3:6]
    assert "57 different whole numbers" in said(numbers, name)
    assert said(numbers, "income") is None


HARMLESS = {
    "measurements": RNG.normal(size=N),
    "sorted measurements": np.sort(RNG.normal(size=N)),
    "time of measurements": np.arange(N) / 10,
    "wide whole numbers": RNG.integers(0, 10**6, N),
    "counts": RNG.poisson(5, N),
    "flags": np.arange(N) % 2 == 0,
    "categories": list("abc") * 20,
    "ordinals": ["1st", "2nd", "3rd"] * 20,
    "ranges": ["1-9", "10-19", "20-29"] * 20,
    "codes": ["1", "2", "10"] * 20,
    "sets": ["1,2", "1,2,3", "2"] * 20,
    "commas in words": ["1,5", "a", "2"] * 20,
    "few rows": ["x", "y", "z"],
    "one value": [7] * N,
    "all missing": [None] * N,
}


@pytest.mark.parametrize("name", HARMLESS)
def test_features_are_not_suspicious(name):
    assert said(HARMLESS[name]) is None


def test_objects_that_are_numbers_count_as_numbers():
    values = [Decimal(i) / 3 for i in range(N)]
    assert said(values, categories=False) is None


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits, load_iris, load_wine])
def test_the_shipped_data_sets_have_no_suspicious_column(load):
    frame = load(as_frame=True).data
    assert [found for name in frame if (found := said(frame[name], name))] == []


def test_prepare_records_the_warnings(raw, tmp_path):
    frame = pd.DataFrame({"x": RNG.normal(size=N), "name": [f"n{i}" for i in range(N)], "target": np.arange(N) % 2})
    folder = prepare("d", {"title": "D", "source": "file", "path": "d.csv"}, raw(frame), tmp_path / "d")
    (line,) = pd.read_json(folder / "meta.json", typ="series")["warnings"]
    assert line.startswith("data set 'd': column 'name' has 60 different texts")
