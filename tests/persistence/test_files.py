"""Models come back from a file as they were, bit for bit."""

import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from tree.shared import Forest, Tree

import ironbark
from ironbark import InputError, RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.tree.structure import Tree as Structure

SETTINGS = {
    "tree": Tree(),
    "chosen-alpha": RobustDecisionTreeClassifier("entropy", max_features="sqrt"),
    "alphas": Tree(ccp_alpha=(0.0, 0.01, np.float64(0.1))),
    "alpha-array": Tree(ccp_alpha=np.array([0.0, 0.01])),
    "parameter": Tree("negative_exponential", lam=0.3, max_depth=4),
    "classes": Tree("credal", class_weight={0: 1, 1: 2.5}),
    "balanced": Tree("twoing", class_weight="balanced"),
    "compat": Tree("twoing", compat="rdts", min_weight_fraction_leaf=0.01),
    "one-leaf": Tree(min_samples_split=10**6),
    "forest": RobustRandomForestClassifier(4, max_leaf_nodes=7, max_samples=0.5),
    "out-of-bag": Forest(4, oob_score=True, max_features=np.int64(2)),
    "warm": RobustRandomForestClassifier(4, warm_start=True, bootstrap=np.True_, max_features=0.5),
    "all-samples": Forest(4, bootstrap=False, ccp_alpha=0.001),
}


def saved_and_loaded(model, folder):
    ironbark.save(model, folder / "model.npz")
    return ironbark.load(folder / "model.npz")


def same(one, other):
    """Whether two values of attributes are equal, arrays and trees by type and bits."""
    if isinstance(one, Structure):
        return all(same(value, vars(other)[name]) for name, value in vars(one).items() if name != "packed")
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tolist() == other.tolist()
    return one == other


def assert_same(model, again, X):
    assert type(again) is type(model) and vars(again).keys() == vars(model).keys()
    for name, value in vars(model).items():
        found = vars(again)[name]
        with np.errstate(invalid="ignore"):
            equal = np.array_equal(value, found, equal_nan=True) if name.startswith("oob_") else same(value, found)
        assert equal, name
    for method in ("predict", "predict_proba", "apply"):
        assert np.array_equal(getattr(again, method)(X), getattr(model, method)(X)), method
    assert np.array_equal(again.feature_importances_, model.feature_importances_)


@pytest.mark.filterwarnings("ignore:.*out-of-bag votes")
@pytest.mark.parametrize(("weights", "gaps"), [(None, False), (np.arange(120) % 3, True), (np.arange(120) / 7, True)])
@pytest.mark.parametrize("name", SETTINGS)
def test_round_trip(name, weights, gaps, problem, tmp_path):
    X, y = problem[0] if gaps else pd.DataFrame(problem[0], columns=["height", "width", "ä", ""]), problem[1]
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X) if gaps else X
    model = clone(SETTINGS[name]).set_params(random_state=3).fit(X, y, weights)
    assert_same(model, saved_and_loaded(model, tmp_path), X)


@pytest.mark.parametrize(
    "labels",
    [
        *([False, True], [-5, 7], np.array([1, 200], np.uint8), [-1.0, 2.0], ["no", "yes"]),
        np.array(["no", "yés"], object),
        pd.Series(["no", "yes"]),
        np.array(["a", "b"], "U12"),
    ],
    ids=repr,
)
def test_labels_of_every_type(labels, problem, tmp_path):
    X, y = problem
    labels = np.asarray(labels)
    model = RobustRandomForestClassifier(3, random_state=0).fit(X, labels[y % 2])
    again = saved_and_loaded(model, tmp_path)
    assert_same(model, again, X)
    assert again.predict(X).dtype == labels.dtype


@pytest.mark.parametrize("options", [{}, {"max_samples": 300}, {"bootstrap": False}], ids=str)
def test_bootstrap_samples_are_known_after_loading(options, problem, tmp_path):
    X, y = problem
    model = RobustRandomForestClassifier(3, random_state=0, **options).fit(X, y, np.arange(120) / 7)
    again = saved_and_loaded(model, tmp_path)
    assert same(again.estimators_samples_, model.estimators_samples_)
    wrong = [("n_samples_", 119), ("n_samples_", 2**40), ("n_draws_", 0), ("sample_weight_", np.full(120, -1.0))]
    for name, value in [] if options else wrong:
        damaged = copy.copy(model)
        setattr(damaged, name, value)
        with pytest.raises(InputError, match="damaged|not a model|no model"):
            saved_and_loaded(damaged, tmp_path)
    for name in ("n_samples_", "n_draws_", "sample_weight_"):
        vars(model).pop(name, None)  # as in files of earlier versions
    with pytest.raises(AttributeError, match="an earlier version of ironbark saved the forest"):
        saved_and_loaded(model, tmp_path).estimators_samples_  # noqa: B018


def test_files_of_version_1():
    """Of an earlier ironbark: a forest grown on weights, and columns and classes of text."""
    model = ironbark.load(Path(__file__).with_name("version_1.npz"))
    X = pd.DataFrame({"size": np.arange(12) % 5 / 2, "cut": list("smlxsmlxsmlx")})
    assert model.predict(X).tolist() == ["yes" if i in (4, 9) else "no" for i in range(12)]
    assert model.categories_ == {1: ["l", "m", "s", "x"]} and len(model.estimators_samples_) == 2


def test_levels_that_are_truth_values_come_back_and_dates_are_refused(tmp_path):
    model = ironbark.RobustDecisionTreeClassifier(categorical_features=[0])
    frame = pd.DataFrame({"of": [True, False] * 9})
    assert saved_and_loaded(model.fit(frame, frame["of"]), tmp_path).predict(frame).tolist() == [True, False] * 9
    model.categories_ = {0: list(pd.date_range("2020", periods=2))}
    with pytest.raises(InputError, match="make them text, or use pickle"):
        saved_and_loaded(model, tmp_path)


def test_the_same_model_gives_the_same_bytes_which_need_no_pickle(problem, tmp_path):
    tree = Tree().fit(*problem)
    for name in "ab":
        ironbark.save(tree, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    with np.load(tmp_path / "a", allow_pickle=False) as arrays:
        assert np.array_equal(arrays["tree_.threshold.float64"], tree.tree_.threshold)


def test_what_cannot_be_saved_is_named(problem, tmp_path):
    X, y = problem
    values = {"random_state": np.random.RandomState(0), "oob_score": lambda *_: 1.0, "criterion": lambda *_: 1.0}
    for parameter, value in values.items():
        model = RobustRandomForestClassifier(2, ccp_alpha=0.0).fit(X, y).set_params(**{parameter: value})
        with pytest.raises(InputError, match=f"{parameter}=.* cannot be saved"):
            ironbark.save(model, tmp_path / "model")
    with pytest.raises(InputError, match="save takes a .*, not a GentleBoostClassifier"):
        ironbark.save(ironbark.GentleBoostClassifier(), tmp_path / "model")
    with pytest.raises(NotFittedError):
        ironbark.save(RobustDecisionTreeClassifier(), tmp_path / "model")
    odd = RobustDecisionTreeClassifier().fit(X, y)
    odd.note_ = "of the user"
    with pytest.raises(InputError, match="'note_' cannot be saved"):
        ironbark.save(odd, tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_a_score_of_a_function_is_saved_as_a_number(problem, tmp_path):
    X, y = problem
    forest = RobustRandomForestClassifier(5, oob_score=lambda true, found: int((true == found).sum()), random_state=0)
    forest.fit(X, y).set_params(oob_score=True)
    ironbark.save(forest, tmp_path / "model")
    assert ironbark.load(tmp_path / "model").oob_score_ == forest.oob_score_
    forest.oob_score_ = {"wrong": 1}
    with pytest.raises(InputError, match="'oob_score_' is no float; set it to one"):
        ironbark.save(forest, tmp_path / "model")


def test_a_custom_criterion_is_restored_only_if_trusted(problem, tmp_path):
    """And is not imported, since predictions do without."""
    X, y = problem
    model = Tree().fit(X, y).set_params(criterion="absent.gain")
    model.tree_ = replace(model.tree_, criterion="absent.gain", parameters={"criterion_params": None})
    ironbark.save(model, tmp_path / "model")
    with pytest.raises(InputError, match=r"load with trusted=\['absent.gain'\]"):
        ironbark.load(tmp_path / "model")
    again = ironbark.load(tmp_path / "model", trusted=["absent.gain"])
    assert again.criterion == again.tree_.criterion == "absent.gain"
    assert ironbark.load(tmp_path / "model", trusted="absent.gain").criterion == "absent.gain"
    with pytest.raises(InputError, match="load with trusted"):
        ironbark.load(tmp_path / "model", trusted="absent.gains")
    assert np.array_equal(again.predict(X), model.predict(X))
