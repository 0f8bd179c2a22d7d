"""Labels, weights, groups and features of every kind of container give the same model, or one sentence before a fit."""

import datetime
import warnings

import numpy as np
import pandas as pd
import polars
import pytest
from every_model import BINARY, FOREST, GBDT, TREE
from every_model import MODELS as QUICK
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import DataConversionWarning

import ironbark
from ironbark import InputError, find_label_errors
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter

X, Y = load_iris(return_X_y=True)
X, Y = X[:100], Y[:100]
NAMES = np.array(["low", "top"])[Y]
GAP = np.arange(100) == 4

CLEANED = ironbark.CleanedClassifier(TREE, ironbark.LabelErrorDetector(n_estimators=20, random_state=0))
MODELS = [*QUICK, CLEANED]
DETECTORS = [
    ironbark.LabelErrorDetector(n_estimators=20, random_state=0),
    HighAgreementFilter(10, random_state=0),
    *(kind(random_state=0) for kind in (PartitionFilter, BoostingFilter)),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_refused_fit_changes_nothing(model):
    frame = pd.DataFrame(X).assign(of=np.where(X[:, 0] > 5, "a", "b")).rename(columns=str)
    model = clone(model).fit(frame, NAMES)
    before = vars(model).copy()
    twice, fewer = pd.concat([frame, frame[["of"]]], axis=1), frame.drop(columns="of")
    cases = (twice, NAMES[::-1], None), (frame.assign(of="c"), Y[1:], None), (fewer, Y, -np.ones(100))
    for features, labels, weights in cases:
        with pytest.raises(ValueError):
            model.fit(features, labels, sample_weight=weights)
        assert vars(model) == before


def named(estimator):
    return type(estimator).__name__


def some(estimators, argument, cases):
    """All cases for the first estimator, and every fifth for each other one, so that each is tried on some others."""
    pairs = [
        pytest.param(model, case, id=f"{named(model)}-{case}")
        for i, model in enumerate(estimators)
        for j, case in enumerate(cases)
        if i == 0 or (i + j) % 5 == 0
    ]
    return pytest.mark.parametrize(("model", argument), pairs)


#: Labels with what is wrong with them.
WRONG_LABELS = {
    "none": (lambda: None, "target y is None"),
    "object None": (lambda: np.where(GAP, None, NAMES.astype(object)), "y holds 1 missing label; drop"),
    "str NaN": (lambda: pd.Series(NAMES).mask(GAP | (np.arange(100) == 7)), "y holds 2 missing labels; drop"),
    "Int64 NA": (lambda: pd.Series(Y, dtype="Int64").mask(GAP), "y holds 1 missing label"),
    "category": (lambda: pd.Categorical.from_codes(np.where(GAP, -1, Y), ["a", "b"]), "y holds 1 missing label"),
    "list None": (lambda: [None, *NAMES[1:]], "y holds 1 missing label"),
    "NaT": (lambda: np.where(GAP, np.datetime64("NaT"), np.datetime64("2020") + Y), "y holds 1 missing label"),
    "masked": (lambda: np.ma.MaskedArray(Y, GAP), "y holds 1 missing label"),
    "infinity": (lambda: np.where(GAP, np.inf, Y), "Input y contains infinity"),
    "ragged": (lambda: [[1, 2], *([1] for _ in range(99))], "y holds labels of type list"),
    "dates": (lambda: [datetime.date(2020, 1, 1 + k) for k in Y], "y holds labels of type date; make each a number"),
    "complex": (lambda: Y + 0j, "Complex data not supported"),
    "measurements": (lambda: X[:, 0] + 0.01, "Unknown label type"),
}


@some([*MODELS, *DETECTORS], "name", WRONG_LABELS)
def test_wrong_labels_are_named(model, name):
    make, sentence = WRONG_LABELS[name]
    with pytest.raises(ValueError, match=sentence):
        clone(model).fit(X, make())


#: The same labels in other containers.
SAME_LABELS = {
    "list": lambda: NAMES.tolist(),
    "string": lambda: pd.Series(NAMES, dtype="string"),
    "category": lambda: pd.Series(pd.Categorical(NAMES, ["top", "low"])),
    "polars": lambda: polars.Series(NAMES.tolist()),
    "numpy strings": lambda: NAMES.astype(np.dtypes.StringDType()),
    "list of lists": lambda: [[name] for name in NAMES],
}


@some([*MODELS, *DETECTORS], "name", SAME_LABELS)
def test_labels_in_other_containers(model, name):
    with warnings.catch_warnings(action="ignore", category=DataConversionWarning):
        fitted = clone(model).fit(X, SAME_LABELS[name]())
    expected = clone(model).fit(X, NAMES)
    assert fitted.classes_.tolist() == ["low", "top"]
    for method in ("predict", "label_quality_"):
        if hasattr(expected, method):
            found, other = (getattr(each, method) for each in (fitted, expected))
            assert np.array_equal(found(X) if callable(found) else found, other(X) if callable(other) else other)


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "category", "string", "int8", "float32", ">i4", "datetime64[s]"])
def test_suggestions_have_the_type_of_the_labels(dtype):
    y = Y.copy()
    y[[3, 70]] = [1, 0]
    labels = pd.Series(y).astype({"boolean": bool}.get(dtype, int)).astype(dtype)
    found = find_label_errors(X, labels)
    assert found.given.dtype == found.suggested.dtype
    assert found.given.dtype == labels.dtype or dtype == ">i4"
    assert found.given.sort_index().tolist() == labels.tolist()
    assert (found[found.is_error].given != found[found.is_error].suggested).all() and found.is_error.any()
    detector = ironbark.LabelErrorDetector(random_state=0).fit(X, labels.to_numpy())
    assert detector.suggested_labels_.dtype == detector.classes_.dtype


def test_distinct_labels_are_those_of_numpy():
    for y in ([3, 1, 3, 7], [True, True, False], np.array([-128, 127] * 200, np.int8), [2**62, -(2**62)]):
        for found, known in zip(ironbark.inputs.distinct(np.array(y)), np.unique(y, return_inverse=True), strict=True):
            assert np.array_equal(found, known) and found.dtype == known.dtype, y


#: Weights with what is wrong with them.
WRONG_WEIGHTS = {
    "text": (["1"] * 100, "sample_weight holds '1', which is no number"),
    "NA": (pd.Series(np.ones(100), dtype="Float64").mask(GAP), "sample_weight holds 1 missing weight"),
    "negative": (np.where(GAP, -1.0, 1.0), r"sample_weight must hold finite numbers >= 0, but holds -1\.0"),
    "zero": (np.zeros(100), "sample_weight is zero for all samples"),
    "short": (np.ones(99), "sample_weight has 99 entries, but there are 100 samples"),
    "two columns": (np.ones((100, 2)), r"sample_weight should be a 1d array, but has shape \(100, 2\)"),
}


@some([*MODELS, *DETECTORS], "name", WRONG_WEIGHTS)
def test_wrong_weights_are_named(model, name):
    weight, sentence = WRONG_WEIGHTS[name]
    with pytest.raises(InputError, match=sentence):
        clone(model).fit(X, Y, sample_weight=weight)


@some(MODELS, "kind", ["list", "float32", ">i4", "Int64", "column", "read-only"])
def test_weights_in_other_containers(model, kind):
    weight = np.arange(100) % 3 + 1.0
    makes = {
        "list": lambda: weight.tolist(),
        "Int64": lambda: pd.Series(weight, dtype="Int64"),
        "column": lambda: weight[:, None],
        "read-only": lambda: np.frombuffer(weight.tobytes()),
    }
    other = makes.get(kind, lambda: weight.astype(kind))()
    expected = clone(model).fit(X, Y, sample_weight=weight).predict(X)
    assert np.array_equal(clone(model).fit(X, Y, sample_weight=other).predict(X), expected)


#: The same features, exact in float16, in other containers.
ROUND = np.round(X * 4) / 4
SAME_FEATURES = {
    "list": lambda: ROUND.tolist(),
    "float16": lambda: ROUND.astype(np.float16),
    ">f4": lambda: ROUND.astype(">f4"),
    "objects": lambda: ROUND.astype(object),
    "objects and integers": lambda: np.where(ROUND % 1, ROUND, ROUND.astype(int).astype(object)),
    "read-only": lambda: np.frombuffer(ROUND.tobytes()).reshape(ROUND.shape),
    "frame": lambda: pd.DataFrame(ROUND),
    "one column of >f4": lambda: pd.DataFrame(ROUND).assign(d=ROUND[:, 0].astype(">f4")).drop(columns="d"),
    "arrow": lambda: pd.DataFrame(ROUND).astype("float64[pyarrow]"),
    "polars": lambda: polars.DataFrame({name: ROUND[:, j] for j, name in enumerate("abcd")}),
    "masked": lambda: np.ma.MaskedArray(ROUND, False),
}


@some(MODELS, "name", SAME_FEATURES)
def test_features_in_other_containers(model, name):
    expected = clone(model).fit(ROUND, NAMES)
    other = SAME_FEATURES[name]()
    assert np.array_equal(expected.predict(other), expected.predict(ROUND))
    assert np.array_equal(clone(model).fit(other, NAMES).predict(other), expected.predict(ROUND))
    gaps = np.ma.MaskedArray(ROUND, ROUND > 4)
    if name == "masked" and model is MODELS[0]:
        expected = clone(model).fit(gaps.filled(np.nan), NAMES).predict_proba(gaps.filled(np.nan))
        assert np.array_equal(clone(model).fit(gaps, NAMES).predict_proba(gaps), expected)


BEYOND = np.where(GAP, 2**60, np.arange(100))
LARGE = {
    "array": lambda: np.column_stack([BEYOND, BEYOND]),
    "list": lambda: [[int(value)] * 2 for value in BEYOND],
    "frame": lambda: pd.DataFrame({"a": BEYOND, "b": BEYOND}),
    "category": lambda: pd.DataFrame({"a": pd.Categorical(BEYOND), "b": X[:, 0]}),
    "polars UInt64": lambda: polars.DataFrame({"a": BEYOND.astype(np.uint64), "b": BEYOND}),
}


@some([TREE, FOREST, *BINARY, *GBDT], "name", LARGE)
def test_integers_beyond_float64_are_refused_at_fit_and_predict(model, name):
    wide = LARGE[name]()
    if name == "category" and named(model) == "RobustLGBMClassifier":
        pytest.skip("LightGBM takes categories as categories")
    with pytest.raises(InputError, match=r"X holds 115\d+, an integer beyond 2\*\*53"):
        clone(model).fit(wide, Y)
    with pytest.raises(InputError, match=r"beyond 2\*\*53"):
        clone(model).fit(X[:, :2], Y).predict(wide)


@pytest.mark.parametrize("frames", [pd, polars])
@some(MODELS, "change", ["order", "other names", "fewer"])
def test_other_columns_than_at_fit_are_refused(model, frames, change):
    data = {name: X[:, j] for j, name in enumerate("abcd")}
    order = {"order": "dcba", "other names": "abce", "fewer": "abc"}[change]
    fitted = clone(model).fit(frames.DataFrame(data), Y)
    with pytest.raises(ValueError, match="feature names should match|features as input"):
        fitted.predict(frames.DataFrame({name: data.get(name, X[:, 3]) for name in order}))
