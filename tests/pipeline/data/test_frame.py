from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import frame


def numeric(values, dtype=None, **options):
    return frame.numeric("data set 'd'", pd.Series(values, name="c", dtype=dtype), **options)


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([3, 1, 2], "int16", [3, 1, 2]),
        ([0.5, -1.0], "float32", [0.5, -1.0]),
        ([True, False], "bool", [1, 0]),
        ([Decimal("0.5"), Decimal("10")], object, [0.5, 10.0]),
    ],
)
def test_numbers_stay_numbers(values, dtype, expected):
    features, categories = numeric(values, dtype)
    assert list(features) == ["c"]
    assert features["c"].dtype.kind in "iuf"
    assert features["c"].tolist() == expected
    assert categories is None


@pytest.mark.parametrize(
    ("values", "dtype", "codes", "names"),
    [
        (["b", "a", "C", "b"], "str", [2, 1, 0, 2], ["C", "a", "b"]),
        (["b", "a", "b"], pd.CategoricalDtype(["z", "b", "a"]), [1, 0, 1], ["a", "b"]),
        ([10, 9, 10], pd.CategoricalDtype([10, 9]), [1, 0, 1], ["9", "10"]),
        (["12", "2", "1", "11"], pd.CategoricalDtype(["1", "2", "11", "12"]), [3, 1, 0, 2], ["1", "2", "11", "12"]),
    ],
)
def test_ordinal_codes_are_ranks_of_the_categories_that_occur(values, dtype, codes, names):
    features, categories = numeric(values, dtype)
    assert features["c"].tolist() == codes
    assert categories == names


@pytest.mark.parametrize(
    ("values", "dtype", "options", "expected"),
    [
        ([1.0, None, 3.5], None, {}, {"c": [1.0, 4.5, 3.5]}),
        ([1, None, 3], "Int64", {}, {"c": [1, 4, 3]}),
        ([1e300, None], None, {}, {"c": [1e300, np.nextafter(1e300, np.inf)]}),
        ([None, None], "float64", {}, {"c": [0, 0]}),
        ([True, None], object, {}, {"c": [1, 2]}),
        (["b", None, "a"], None, {}, {"c": [1, 2, 0]}),
        (["b", None, "a"], None, {"encode": "one-hot"}, {"c=a": [0, 0, 1], "c=b": [1, 0, 0]}),
    ],
)
def test_kept_missing_values_stand_above_all_others(values, dtype, options, expected):
    features, _ = numeric(values, dtype, missing="keep", **options)
    assert {name: column.tolist() for name, column in features.items()} == expected


@pytest.mark.parametrize(
    ("values", "options", "sentence"),
    [
        ([np.inf, 1.0, -np.inf], {}, "has 2 infinite values in 3 rows"),
        ([np.inf, 1.0, -np.inf], {"missing": "keep"}, "has 2 infinite values in 3 rows"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), {}, "is of type datetime64.*name it in `drop`"),
        ([[1], [2]], {}, "is of type mixed.*name it in `drop`"),
        ([1j, 2j], {}, "is of type complex128.*name it in `drop`"),
    ],
)
def test_bad_values_are_named(values, options, sentence):
    with pytest.raises(InputError, match="data set 'd': column 'c' " + sentence):
        numeric(values, **options)


@pytest.mark.parametrize(
    ("columns", "drop", "sentence"),
    [
        (["a", "a", "target"], [], "the column 'a' occurs twice"),
        ([("a", "x"), ("target", "")], [], r"names of columns have several levels, as \('a', 'x'\); join each"),
        (["a", "target"], ["b"], "there is no column 'b' to drop; the columns are a, target"),
        (["a", "target"], ["a"], "no feature column is left"),
    ],
)
def test_bad_columns_are_named(columns, drop, sentence):
    with pytest.raises(InputError, match="data set 'd': " + sentence):
        frame.feature_names("data set 'd'", pd.Index(columns), drop, {"target"})
