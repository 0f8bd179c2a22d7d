"""Data frames of pandas and polars: numbers, categories that are numbers, text, and labels that are categories."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from ironbark import InputError, RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode
from ironbark.noise import corrupt

SIZES = np.random.default_rng(0).choice([2, 9, 10, 30], 60)
CODES = np.random.default_rng(1).integers(0, 4, 60)
LABELS = np.array(["low", "high"])[(SIZES < 10).astype(int)]
KINDS = [
    RobustDecisionTreeClassifier(random_state=0, ccp_alpha=0.0),
    RobustRandomForestClassifier(3, bootstrap=False, random_state=0, ccp_alpha=0.0),
]


def _polars(values, dtype, *categories):
    polars = pytest.importorskip("polars")
    return polars.Series(values, dtype=getattr(polars, dtype)(*categories))


#: Columns of the same numbers.
COLUMNS = {
    "object": lambda size: pd.Series(size.astype(object)),
    "category": lambda size: pd.Series(pd.Categorical(size, categories=[30, 2, 10, 9])),
    "ordered": lambda size: pd.Series(pd.Categorical(size, categories=[30, 2, 10, 9], ordered=True)),
    "text of numbers": lambda size: pd.Series(pd.Categorical(size.astype(str))),
    "Int64": lambda size: pd.Series(size, dtype="Int64"),
    "polars": lambda size: _polars(size, "Int64"),
    "polars text": lambda size: _polars(size.astype(str), "Categorical"),
    "polars enum": lambda size: _polars(size.astype(str), "Enum", ["30", "2", "10", "9"]),
}


def frame(column, code):
    """Of the module that the column is of."""
    module = pytest.importorskip("polars") if "polars" in type(column).__module__ else pd
    return module.DataFrame({"code": code, "size": column})


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("estimator", KINDS)
def test_categories_that_are_numbers_count_by_their_values(estimator, name):
    column = COLUMNS[name]
    plain = estimator.fit(np.column_stack([CODES, SIZES]), LABELS)
    [expected] = {tree.threshold[0] for tree in getattr(plain, "trees_", [getattr(plain, "tree_", None)])}
    X = frame(column(SIZES), CODES)
    model = estimator.fit(X, LABELS)
    assert expected == 9.5 and model.feature_names_in_.tolist() == ["code", "size"]
    assert np.array_equal(model.predict(X), LABELS)
    few = SIZES >= 10  # other categories, other codes
    assert np.array_equal(model.predict(frame(column(SIZES[few]), CODES[few])), LABELS[few])
    assert encode(X).levels.tolist() == [0, 1, 2, 3, 2, 9, 10, 30]


@pytest.mark.parametrize("estimator", KINDS)
def test_missing_categories_are_missing(estimator):
    X = pd.DataFrame({"size": pd.Categorical(np.where(SIZES == 30, None, SIZES)), "code": CODES})
    assert np.isnan(encode(X).levels).sum() == 1
    model = estimator.fit(X, LABELS)
    values = np.column_stack([np.where(SIZES == 30, np.nan, SIZES), CODES])
    assert np.array_equal(model.predict_proba(X), model.predict_proba(pd.DataFrame(values, columns=X.columns)))
    assert X["size"].dtype == "category"


WORDS = np.array(["s", "m", "l", "xl"])[CODES]
#: Frames with a column of text.
TEXTS = {
    "text": lambda: pd.DataFrame({"size": SIZES, "cut": WORDS}),
    "category": lambda: pd.DataFrame({"size": SIZES, "cut": pd.Categorical(WORDS)}),
    "mixed": lambda: pd.DataFrame({"size": SIZES, "cut": [*SIZES[:-1].tolist(), "xl"]}),
    "polars": lambda: pytest.importorskip("polars").DataFrame({"size": SIZES, "cut": WORDS}),
    "polars category": lambda: frame(_polars(WORDS, "Categorical"), SIZES).rename({"size": "cut", "code": "size"}),
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("estimator", KINDS)
def test_columns_of_text_are_named(estimator, name):
    X = TEXTS[name]()
    for call in (lambda: estimator.fit(X, LABELS), lambda: encode(X)):
        with pytest.raises(InputError, match="column 'cut' of X holds '(s|m|l|xl)', but trees split numbers; encode"):
            call()
    numbers = type(X)({"size": SIZES, "cut": CODES})
    with pytest.raises(InputError, match="column 'cut' of X holds"):
        estimator.fit(numbers, LABELS).predict(X)


def test_dates_next_to_numbers_are_named():
    X = pd.DataFrame({"size": SIZES, "day": pd.Timestamp("2020-01-31")})
    with pytest.raises(InputError, match="column 'day' of X holds '2020-01-31"):
        KINDS[0].fit(X, LABELS)


def test_other_errors_stay_those_of_scikit_learn():
    X = pd.DataFrame({"size": np.where(SIZES == 30, np.inf, SIZES)})
    for call in (lambda: encode(X), lambda: KINDS[0].fit(X, LABELS)):
        with pytest.raises(ValueError, match="infinity") as found:
            call()
        assert not isinstance(found.value, InputError)


def test_the_remedy_works():
    X = pd.DataFrame({"size": SIZES, "cut": pd.Categorical(WORDS)})
    ordinal = OrdinalEncoder(categories=[["s", "m", "l", "xl"]])
    encoder = make_column_transformer((ordinal, ["cut"]), remainder="passthrough")
    model = make_pipeline(encoder, KINDS[0]).fit(X, np.where(CODES > 1, "large", "small"))
    assert model[-1].tree_.threshold[0] == 1.5
    assert np.array_equal(model.predict(X[CODES > 2]), ["large"] * sum(CODES > 2))


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("estimator", KINDS)
def test_labels_may_be_categories(estimator, library):
    X = np.column_stack([CODES, SIZES])
    if library == "pandas":
        series = [pd.Series(pd.Categorical(LABELS)), pd.Categorical(LABELS, categories=["low", "high"], ordered=True)]
    else:
        polars = pytest.importorskip("polars")
        series = [polars.Series(LABELS, dtype=dtype) for dtype in (polars.Categorical, polars.Enum(["low", "high"]))]
    for y in series:
        for data in (X, encode(X)):
            model = estimator.fit(data, y)
            assert model.classes_.tolist() == ["high", "low"] and np.array_equal(model.predict(X), LABELS)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64"])
@pytest.mark.parametrize("estimator", KINDS)
def test_integers_that_float64_would_merge_are_refused(estimator, dtype):
    frame = pd.DataFrame({"id": pd.Series(2**60 + SIZES, dtype=dtype), "size": SIZES / 2})
    message = r"column 'id' of X holds 11529215\d+, an integer beyond 2\*\*53, .* leave it out"
    for refused in (lambda: estimator.fit(frame, LABELS), lambda: encode(frame)):
        with pytest.raises(InputError, match=message):
            refused()
    small = frame.assign(id=(frame["id"] - (2**60 - 2**52)).astype(dtype))
    model = estimator.fit(small, LABELS)
    assert np.array_equal(model.predict(small), LABELS)
    with pytest.raises(InputError, match=message):
        model.predict(frame)


@pytest.mark.parametrize("value", [2**60, -(2**63), np.int64(2**60), 10**30])
def test_objects_of_an_array_are_refused_alike(value):
    X = np.array([[1, 0.5], [value, 1.5]], dtype=object)
    with pytest.raises(InputError, match=r"X holds -?1\d+|X holds -9\d+"):
        KINDS[0].fit(X, [0, 1])
    assert KINDS[0].fit(X[:1].repeat(2, axis=0), [0, 1]).n_features_in_ == 2


def test_missing_and_short_integers_are_no_matter():
    columns = {"a": pd.array([1, None] * 30, dtype="Int64"), "b": pd.array([None] * 60, dtype="Int64")}
    X = pd.DataFrame(columns | {"c": SIZES.astype(np.int8), "d": SIZES / 2})
    assert np.array_equal(KINDS[0].fit(X, LABELS).predict(X), LABELS)


def test_noise_takes_any_integers():
    frame = pd.DataFrame({"id": 2**60 + np.arange(60), "size": SIZES / 2})
    assert len(corrupt("borderline", frame, LABELS, rate=0.1, random_state=0)) == 60
