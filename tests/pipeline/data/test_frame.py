import datetime
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
        ([True, False], "boolean", [1, 0]),
        ([3, 1], "Int64", [3, 1]),
        ([Decimal("0.5"), Decimal("10")], object, [0.5, 10.0]),
        ([10, 9.5], object, [10.0, 9.5]),
        ([True, False], object, [1, 0]),
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
        (["b", "a", "b"], object, [1, 0, 1], ["a", "b"]),
        (["b", "a", "b"], pd.CategoricalDtype(["z", "b", "a"]), [1, 0, 1], ["a", "b"]),
        ([10, 9, 10], pd.CategoricalDtype([10, 9]), [1, 0, 1], ["9", "10"]),
        (["10", "9"], "str", [1, 0], ["9", "10"]),
        (["12", "2", "1", "11"], pd.CategoricalDtype(["1", "2", "11", "12"]), [3, 1, 0, 2], ["1", "2", "11", "12"]),
    ],
)
def test_ordinal_codes_are_ranks_of_the_categories_that_occur(values, dtype, codes, names):
    features, categories = numeric(values, dtype)
    assert features["c"].tolist() == codes
    assert categories == names


def test_one_hot_makes_a_column_for_each_category():
    features, categories = numeric(["b", "a", "b"], encode="one-hot")
    assert {name: values.tolist() for name, values in features.items()} == {"c=a": [0, 1, 0], "c=b": [1, 0, 1]}
    assert categories == ["a", "b"]


@pytest.mark.parametrize("values", [[1.0, None, 3.0, None], ["a", None, "b", None]])
def test_missing_values_are_refused_by_default(values):
    with pytest.raises(InputError, match="data set 'd': column 'c' has 2 missing values in 4 rows; .*`missing: keep`"):
        numeric(values)


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


@pytest.mark.parametrize("missing", ["error", "keep"])
def test_infinite_values_are_always_refused(missing):
    with pytest.raises(InputError, match="column 'c' has 2 infinite values in 3 rows"):
        numeric([np.inf, 1.0, -np.inf], missing=missing)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), "datetime64"),
        ([datetime.date(2020, 1, 1)], "date"),
        ([[1], [2]], "mixed"),
        ([1j, 2j], "complex128"),
        ([1, "a"], "mixed-integer"),
    ],
)
def test_other_types_are_refused(values, kind):
    with pytest.raises(InputError, match=f"column 'c' is of type {kind}.*name it in `drop`"):
        numeric(values)


def test_feature_names_leave_out_roles_and_dropped_columns(table):
    assert frame.feature_names("d", table, ["i"], {"target", None}) == ["x", "c"]


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
        frame.feature_names("data set 'd'", pd.DataFrame(columns=pd.Index(columns)), drop, {"target"})
