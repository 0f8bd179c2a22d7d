"""Texts among the numbers of a column are named and count as missing values; codes that are partly numbers stay."""

import json

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import catalog
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.data.suspicions import as_missing

CELLS = [".", "-", " ", "n.a.", "#DIV/0!", "<1", ">100", "unknown", "5 kg", "--", "\u2014"]


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


def test_an_entry_that_allows_no_missing_values_refuses_them():
    with pytest.raises(InputError, match="column 'c' holds 60 numbers and 1 other texts, such as '-'; set `missing: "):
        judged([*numbers(), "-"], "error")


@pytest.mark.parametrize("cell", CELLS[:5])
def test_texts_that_say_nothing_may_be_many(cell):
    found, sentences = judged([cell, "1", "2", cell] * 9)
    assert found.isna().sum() == 18 and len(sentences) == 1


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["2", "4", "more"] * 20, False),
        (["2", "3", "4", "5more"] * 20, False),
        (["2", "10", "A", "B"] * 20, True),
        (["1,5", "a", "2"] * 20, False),
        (["a", "b"] * 20, False),
        (["1", "2", "10"] * 20, False),
        ([1.5, None, 2.0], False),
        ([True, False, None], False),
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


def test_prepare_names_nearly_equal_labels(raw, frame, tmp_path):
    frame["target"] = ["cat", "dog", "Cat ", "dog"] * 15
    (sentence,) = prepared(raw, frame.drop(columns="age"), tmp_path)["warnings"]
    assert "the labels 'Cat ' and 'cat' in column 'target' differ only in blanks, case or how a number" in sentence
