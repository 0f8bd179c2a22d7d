"""Data frames of pandas and polars: numbers, categories that are numbers, text, and labels that are categories."""

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from every_model import BINARY, CORRECTED, FOREST, GBDT, MODELS, TREE, each
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import get_scorer, roc_auc_score

import ironbark
from ironbark import InputError, LabelErrorDetector, encode, find_label_errors
from ironbark.boosting.binary import BinaryBooster
from ironbark.cli import source, tables
from ironbark.cli.labels import detect
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter
from ironbark.noise import corrupt

SIZES = np.random.default_rng(0).choice([2, 9, 10, 30], 60)
CODES = np.random.default_rng(1).integers(0, 4, 60)
LABELS = np.array(["low", "high"])[(SIZES < 10).astype(int)]


def _polars(values, dtype, *categories):
    return polars.Series(values, dtype=getattr(polars, dtype)(*categories))


#: Columns of the same numbers.
COLUMNS = {
    "category": lambda size: pd.Series(pd.Categorical(size, categories=[30, 2, 10, 9])),
    "text of numbers": lambda size: pd.Series(pd.Categorical(size.astype(str))),
    "Int64": lambda size: pd.Series(size, dtype="Int64"),
    "polars": lambda size: _polars(size, "Int64"),
    "polars text": lambda size: _polars(size.astype(str), "Categorical"),
}


def frame(column, code):
    """Of the module that the column is of."""
    module = polars if "polars" in type(column).__module__ else pd
    return module.DataFrame({"code": code, "size": column})


@pytest.mark.parametrize("name", COLUMNS)
@each([TREE, FOREST])
def test_categories_that_are_numbers_count_by_their_values(model, name):
    column = COLUMNS[name]
    plain = clone(model).fit(np.column_stack([CODES, SIZES]), LABELS)
    [expected] = {tree.threshold[0] for tree in getattr(plain, "trees_", [getattr(plain, "tree_", None)])}
    X = frame(column(SIZES), CODES)
    model = clone(model).fit(X, LABELS)
    assert expected == 9.5 and model.feature_names_in_.tolist() == ["code", "size"]
    assert np.array_equal(model.predict(X), LABELS)
    few = SIZES >= 10  # other categories, other codes
    assert np.array_equal(model.predict(frame(column(SIZES[few]), CODES[few])), LABELS[few])
    assert encode(X).levels.tolist() == [0, 1, 2, 3, 2, 9, 10, 30]


WORDS = np.array(["s", "m", "l", "xl"])[CODES]
#: Frames with a column of text.
TEXTS = {
    "text": lambda: pd.DataFrame({"size": SIZES, "cut": WORDS}),
    "string": lambda: pd.DataFrame({"size": SIZES, "cut": pd.Series(WORDS, dtype="string")}),
    "category": lambda: pd.DataFrame({"size": SIZES, "cut": pd.Categorical(WORDS)}),
    "polars": lambda: polars.DataFrame({"size": SIZES, "cut": WORDS}),
    "polars category": lambda: frame(_polars(WORDS, "Categorical"), SIZES).rename({"size": "cut", "code": "size"}),
}

RANKS = np.unique(WORDS, return_inverse=True)[1].astype(float)  # l, m, s, xl


def made(name, words, size):
    """A frame of `TEXTS` with other values."""
    frame = TEXTS[name]()
    return type(frame)({"size": size, "cut": type(frame["cut"])(words, dtype=frame["cut"].dtype)})


@pytest.mark.parametrize("name", ["text", "string", "category", "polars", "polars category"])
@each(MODELS)
def test_text_counts_by_its_rank(model, name):
    X = made(name, WORDS, SIZES)
    codes = np.column_stack([SIZES, RANKS])
    expected, fitted = clone(model).fit(codes, LABELS), clone(model).fit(X, LABELS)
    if not isinstance(model, BinaryBooster):  # which order texts by shares of a class
        assert np.array_equal(fitted.predict(X), expected.predict(codes))
    few = np.isin(WORDS, ["s", "xl"])  # other texts, the same ranks
    assert np.array_equal(fitted.predict(made(name, WORDS[few], SIZES[few])), fitted.predict(X)[few])
    assert getattr(fitted, "categories_", {1: ["l", "m", "s", "xl"]}) == {1: ["l", "m", "s", "xl"]}
    assert X["cut"][0] == WORDS[0]
    if name == "category":
        table = pyarrow.Table.from_pandas(X)
        assert np.array_equal(clone(model).fit(table, LABELS).predict(table), fitted.predict(X))


@each(MODELS)
def test_ordered_categories_count_by_their_order(model):
    order = ["xl", "s", "l", "m"]
    for cut in (pd.cut(-SIZES, [-31, -20, -9, -1]), pd.Categorical(WORDS, order, ordered=True)):
        X = pd.DataFrame({"size": SIZES, "cut": cut})
        codes = np.column_stack([SIZES, X["cut"].cat.codes])
        fitted, expected = clone(model).fit(X, LABELS), clone(model).fit(codes, LABELS)
        assert np.array_equal(fitted.predict_proba(X), expected.predict_proba(codes)) or "LGBM" in type(model).__name__
    assert getattr(fitted, "categories_", {1: order}) == {1: order} and not hasattr(fitted, "is_categorical_")


@pytest.mark.parametrize("name", ["text", "string", "polars"])
@each(MODELS)
def test_texts_that_fit_did_not_see_are_missing(model, name):
    fitted = clone(model).fit(made(name, WORDS, SIZES), LABELS)
    words = np.where(WORDS == "s", "xxl", WORDS).astype(object)
    new = made(name, words, SIZES)
    missing = made(name, np.where(words == "xxl", None, words), SIZES)
    assert np.array_equal(fitted.predict_proba(new), fitted.predict_proba(missing))
    if isinstance(model, BinaryBooster):  # see boosting/test_missing.py
        return
    gaps = np.column_stack([SIZES, np.where(WORDS == "s", np.nan, RANKS)])
    expected = clone(model).fit(np.column_stack([SIZES, RANKS]), LABELS).predict_proba(gaps)
    assert np.array_equal(fitted.predict_proba(new), expected)


@each([TREE, FOREST, *BINARY, CORRECTED, *GBDT])
def test_missing_texts_are_missing(model):
    for dtype in ("object", "str", "string"):
        X = pd.DataFrame({"size": SIZES, "cut": pd.Series(np.where(WORDS == "s", None, WORDS), dtype=dtype)})
        codes = np.column_stack([SIZES, np.where(WORDS == "s", np.nan, np.minimum(RANKS, 2))])
        expected = clone(model).fit(codes, LABELS).predict_proba(codes)
        assert np.array_equal(clone(model).fit(X, LABELS).predict_proba(X), expected)


#: Columns that hold neither numbers nor text, or both.
REFUSED = {
    "numbers and text": (lambda: [*SIZES[:-1].tolist(), "xl"], "column 'cut' of X holds 'xl', which is no number"),
    "dates": (lambda: pd.Series([pd.Timestamp("2020-01-31")] * 60), "column 'cut' of X holds '2020-01-31.*, a time"),
    "lists": (lambda: pd.Series([[1, 2]] * 60), r"column 'cut' of X holds \[1, 2\]; make it numbers or text"),
    "arrays": (lambda: _polars([[1.0, 2.0]] * 60, "Array", float, 2), r"column 'cut' of X holds \[1.0, 2.0\]; make it"),
    "structs": (lambda: _polars([{"a": 1}] * 60, "Struct", {"a": int}), "column 'cut' of X holds {'a': 1}; make it"),
}


@pytest.mark.parametrize(("column", "sentence"), REFUSED.values(), ids=REFUSED)
@each(MODELS)
def test_other_columns_are_refused(model, column, sentence):
    values = column()
    table = polars if "polars" in type(values).__module__ else pd
    X = table.DataFrame({"size": SIZES, "cut": values})
    with pytest.raises(InputError, match=sentence):
        clone(model).fit(X, LABELS)
    numbers = clone(model).fit(pd.DataFrame({"size": SIZES, "cut": CODES}), LABELS)
    with pytest.raises(InputError, match="column 'cut' of X holds .*; (make|write)"):
        clone(TREE).set_params(categorical_features=["cut"]).fit(X, LABELS)
    for frame in (X, pd.DataFrame({"size": SIZES, "cut": WORDS})):
        with pytest.raises(InputError, match="column 'cut' of X holds"):
            numbers.predict(frame)


@each(MODELS)
def test_names_of_columns(model):
    """Names that XGBoost or LightGBM refuses, one that is a method of lazy frames, and duplicate names."""
    names = ["explain", 'b[0]: "<c>, {d}"']
    plain, X = np.column_stack([SIZES, CODES]).astype(float), pd.DataFrame({names[0]: SIZES, names[1]: CODES})
    expected = clone(model).fit(plain, LABELS).predict_proba(plain)
    for frame in (X, polars.DataFrame(X.to_dict("list"))):
        fitted = clone(model).fit(frame, LABELS)
        assert np.array_equal(fitted.predict_proba(frame), expected) and fitted.feature_names_in_.tolist() == names
    X.set_axis(["b[", "b__0"], axis=1).pipe(clone(model).fit, LABELS)
    if model in GBDT:
        X.set_axis([1, "1"], axis=1).pipe(clone(model).fit, LABELS)
    several = "X has several columns 'explain'; rename or drop all but one"
    none, parts = r"X has 0 feature\(s\) .*; give it columns", "Complex data not supported"
    for bad, why in ((X.set_axis(names[:1] * 2, axis=1), several), (X.iloc[:, :0], none), (plain + 1j, parts)):
        with pytest.raises(InputError, match=why):
            clone(model).fit(bad, LABELS)


@each([*MODELS, ironbark.CleanedClassifier()])
def test_text_is_read_after_the_names_and_by_scorers(model):
    X = pd.DataFrame({"size": SIZES, "cut": WORDS})
    fitted = clone(model).fit(X, LABELS)
    expected = roc_auc_score(LABELS, fitted.predict_proba(X)[:, 1])
    assert get_scorer("roc_auc")(fitted, X, LABELS) == pytest.approx(expected)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(X[["cut", "size"]])
    with pytest.raises(NotFittedError):
        clone(model).predict(X)


def test_a_text_among_few_numbers_makes_levels_unless_it_says_that_a_value_is_missing():
    X = pd.DataFrame({"doors": np.array(["2", "3", "4", "5more"])[CODES]})
    assert TREE.fit(X, LABELS).categories_ == {0: ["2", "3", "4", "5more"]}
    assert TREE.fit(X.replace({"5more": "1_1"}), LABELS).categories_ == {0: ["1_1", "2", "3", "4"]}  # no 11
    with pytest.raises(InputError, match=r"column 'doors' of X holds '\?', which is no number; write others"):
        TREE.fit(X.replace("5more", "?"), LABELS)
    fitted, few = clone(TREE).fit(X, LABELS), X[X["doors"] != "5more"]
    for dtype in (int, float):  # as pandas reads a part of the table
        assert np.array_equal(fitted.predict_proba(few.astype(dtype)), fitted.predict_proba(few))
        new = pd.DataFrame({"doors": [7, 8]}, dtype=dtype)
        assert np.array_equal(fitted.predict(new), fitted.predict(new.assign(doors="x")))
    many = pd.DataFrame({"doors": ["5more", *map(str, range(59))]})
    with pytest.raises(InputError, match="column 'doors' of X holds '5more', which is no number"):
        TREE.fit(many, np.arange(60) % 2)


@each(MODELS)
def test_a_column_of_text_may_be_missing_in_a_part_of_the_table(model):
    for kind in ("object", "category", "string"):
        X = pd.DataFrame({"size": SIZES, "rare": pd.Series(["p", *[None] * (len(SIZES) - 2), "q"], dtype=kind)})
        fitted = clone(model).fit(X[1:-1], LABELS[1:-1])
        assert np.array_equal(fitted.predict(X), fitted.predict(X.assign(rare=pd.Series(None, X.index, dtype=kind))))


@each(MODELS)
def test_columns_of_text_stay_columns_of_text(model):
    fitted = clone(model).fit(pd.DataFrame({"size": SIZES, "cut": WORDS}), LABELS)
    with pytest.raises(InputError, match="column 'cut' of X holds 1, but held text in fit"):
        fitted.predict(pd.DataFrame({"size": SIZES, "cut": 1}))
    with pytest.raises(InputError, match="X had columns of text in fit, but has none"):
        fitted.predict(np.column_stack([SIZES, CODES]))
    assert not hasattr(fitted.fit(np.column_stack([SIZES, CODES]), LABELS), "categories_")


PARTING = [clone(GBDT[0]).set_params(enable_categorical=True), clone(GBDT[1]).set_params(verbose=-1)]
KINDS = [[7, 3, 9, 2], [0.7, 0.3, 0.9, 0.2], [False, True] * 2, list("7392"), pd.date_range("2020", periods=4)]


@pytest.mark.parametrize("levels", KINDS)
@each(PARTING)
def test_levels_of_any_kind_count_as_in_fit_in_any_table(model, levels):
    codes = np.tile(CODES, 20)
    values = pd.Series(levels, dtype=object)[codes].reset_index(drop=True)
    X = pd.DataFrame({"cut": values.astype("category"), "size": np.tile(SIZES, 20)})
    fitted = clone(model).fit(X, codes % 2)
    plain = X.assign(cut=values.map(str) if isinstance(levels[0], pd.Timestamp) else values.tolist())
    numbers = [X.to_numpy(float)] * isinstance(levels[0], float | int)
    for table in (X, plain, polars.from_pandas(plain), *numbers):
        assert np.array_equal(fitted.predict_proba(table[:9]), fitted.predict_proba(X)[:9])
    assert fitted.score(X, codes % 2) == 1


@each(PARTING)
def test_libraries_that_part_levels_get_text_as_a_category(model):
    words = np.random.default_rng(0).choice(list("abcdefghijklmnop"), 600)
    X, y = pd.DataFrame({"word": words}), np.isin(words, list("acegikmo")).astype(int)
    fitted, categories = clone(model).fit(X, y), X.astype("category")
    expected = clone(model).fit(categories, y).predict_proba(categories)
    assert np.array_equal(fitted.predict_proba(X), expected) and fitted.score(X, y) > 0.9
    for parameters, sets in (({"validation_fraction": 0.2}, {}), ({}, {"eval_set": [(X, y)]})):
        assert clone(model).set_params(**parameters).fit(X, y, **sets).score(X, y) > 0.9
    few = X.iloc[np.flatnonzero(words != "a")[:9]]
    assert np.array_equal(fitted.predict_proba(few), fitted.predict_proba(X)[few.index])
    missing = fitted.predict_proba(pd.DataFrame({"word": pd.Series(["new", None], dtype=object)}))
    assert np.array_equal(missing[0], missing[1])
    more = clone(model).fit(polars.from_pandas(X), y)
    assert np.array_equal(more.predict_proba(polars.DataFrame({"word": ["new", None]})), missing)


def test_xgboost_models_of_text_are_stored(tmp_path):
    X = pd.DataFrame({"size": SIZES, "cut": WORDS})
    fitted, again = clone(GBDT[0]).fit(X, LABELS), clone(GBDT[0])
    fitted.save_model(tmp_path / "model.json")
    again.load_model(tmp_path / "model.json")
    assert np.array_equal(again.predict_proba(X), fitted.predict_proba(X))
    with pytest.raises(ValueError, match="feature names should match"):
        again.predict(X[["cut", "size"]])


@pytest.mark.parametrize(
    "detector", [LabelErrorDetector(), HighAgreementFilter(9), BoostingFilter(), PartitionFilter()]
)
def test_detectors_take_text(detector):
    X = pd.DataFrame({"size": SIZES, "cut": WORDS})
    detector.set_params(random_state=0)
    found = find_label_errors(X, LABELS, detector=detector)
    expected = find_label_errors(np.column_stack([SIZES, RANKS]), LABELS, detector=detector)
    assert np.array_equal(found.quality, expected.quality) and found.index.tolist() == expected.index.tolist()


def test_find_label_errors_ranks_as_the_command_does(tmp_path):
    words = np.where(np.arange(60) % 11 == 3, None, WORDS)
    frame = pd.DataFrame({"size": SIZES, "cut": words, "kind": LABELS})
    frame.to_csv(path := tmp_path / "table.csv", index=False)
    detector, _ = detect(tables.read(source.find(path, "kind"), "kind"))
    found = find_label_errors(frame[["size", "cut"]], LABELS, detector=LabelErrorDetector(random_state=0))
    assert np.array_equal(found.quality, detector.label_quality_[detector.ranking_])
    assert found.index.tolist() == detector.ranking_.tolist()


def test_noise_takes_any_integers():
    frame = pd.DataFrame({"id": 2**60 + np.arange(60), "size": SIZES / 2})
    assert len(corrupt("borderline", frame, LABELS, rate=0.1, random_state=0)) == 60
