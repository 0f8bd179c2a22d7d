"""Bad input of boosters: each mistake is reported in one sentence."""

import builtins
import re
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from ironbark import boosting
from ironbark.errors import InputError

for package in ("highspy", "xgboost", "lightgbm"):
    pytest.importorskip(package)

ALL = [getattr(boosting, name)(n_estimators=5, random_state=0) for name in boosting.__all__]
GBDT = ("RobustXGBClassifier", "RobustLGBMClassifier")  # which take missing values and any number of classes
X20, Y20 = np.arange(20.0)[:, None], [0, 1] * 10


def named(booster):
    return type(booster).__name__


def but(*names):
    """All boosters but these."""
    return pytest.mark.parametrize("booster", [b for b in ALL if named(b) not in names], ids=named)


def whole(sentence):
    """Pattern of nothing but this sentence."""
    return f"^{re.escape(sentence)}$"


def booster_of(name):
    return next(booster for booster in ALL if named(booster) == f"{name}Classifier")


@but("LogitBoostClassifier", *GBDT)
def test_more_classes_need_one_vs_rest(booster):
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    sentence = (
        "Only binary classification is supported. The type of the target is multiclass. For 3 classes wrap the "
        f"booster: sklearn.multiclass.OneVsRestClassifier({named(booster)}())."
    )
    with pytest.raises(InputError, match=whole(sentence)):
        clone(booster).fit(X, y)
    assert OneVsRestClassifier(clone(booster)).fit(X, y).score(X, y) > 0.8


@but()
@pytest.mark.parametrize("weight", [None, np.ones(20)], ids=["plain", "weighted"])
def test_constant_labels(booster, weight):
    sentence = f"{named(booster)} needs samples of two classes, but y holds only one class."
    if named(booster) in GBDT:
        sentence = f"{named(booster)} needs samples of at least two classes, but y holds only one class, 'a'."
    with pytest.raises(InputError, match=whole(sentence)):
        clone(booster).fit(X20, ["a"] * 20, sample_weight=weight)


@but(*GBDT)
def test_weights_of_one_class(booster):
    sentence = f"{named(booster)} needs samples of two classes, but at most one class has a sample_weight above zero."
    with pytest.raises(InputError, match=whole(sentence)):
        clone(booster).fit(X20, Y20, sample_weight=Y20)


@but(*GBDT)
def test_negative_weights_and_zero_weights(booster):
    with pytest.raises(ValueError, match=whole("sample_weight must hold finite numbers >= 0, but holds -1.0.")):
        clone(booster).fit(X20, Y20, sample_weight=[-1.0] + [1.0] * 19)
    sentence = "sample_weight is zero for all samples, so there is nothing to fit on; give some a positive weight."
    with pytest.raises(InputError, match=whole(sentence)):
        clone(booster).fit(X20, Y20, sample_weight=[0.0] * 20)


@but(*GBDT)
def test_missing_values_of_features(booster):
    """scikit-learn's sentence, which goes on with what to do."""
    sentence = f"Input X contains NaN.\n{named(booster)} does not accept missing values encoded as NaN natively."
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        clone(booster).fit(np.where(X20 == 3, np.nan, X20), Y20)


@but()
def test_missing_labels(booster):
    with pytest.raises(ValueError, match=whole("y holds 1 missing label; drop these samples.")):
        clone(booster).fit(X20, np.where(X20[:, 0] == 3, np.nan, Y20))


@but("QuadraticXGBClassifier", *GBDT)  # whose trees split two samples, or count second derivatives
def test_fewer_samples_than_a_tree_splits(booster):
    sentence = (
        "8 samples are fewer than min_samples_split=10 of the trees, so no tree splits and all predictions are the "
        "same; give more samples, or trees of a lower min_samples_split."
    )
    with pytest.warns(UserWarning, match=whole(sentence)):
        model = clone(booster).fit(X20[:8], ["no"] * 4 + ["yes"] * 4)
    assert np.ptp(model.decision_function(X20)) < 1e-12
    kept = np.repeat([1.0, 0.0], [8, 12])  # samples without weight count in trees only
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        clone(booster).fit(X20, Y20, sample_weight=kept)
    assert [str(warning.message) for warning in seen] == ([sentence] if booster.leaves_out else [])


@pytest.mark.parametrize("name", ["RMBoost", "LPBoost"])
def test_trees_that_split_few_samples_are_not_warned_about(name):
    for least in (2, 0.5):
        tree = DecisionTreeClassifier(min_samples_split=least)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            booster_of(name).set_params(estimator=tree).fit(X20[:4], [0, 0, 1, 1])


@pytest.mark.parametrize("name", ["RMBoost", "LPBoost"])
def test_base_learner_without_sample_weights(name):
    sentence = "KNeighborsClassifier takes no sample_weight in fit, which base='weighted' needs; use base='bootstrap'."
    booster = clone(booster_of(name)).set_params(estimator=KNeighborsClassifier(3), base="weighted")
    with pytest.raises(InputError, match=whole(sentence)):
        booster.fit(X20, Y20)
    booster.set_params(base="bootstrap").fit(X20, X20[:, 0] > 9)


@pytest.mark.parametrize("name", ["RMBoost", "LPBoost"])
def test_base_learner_that_is_no_classifier(name):
    sentence = (
        "LinearRegression predicts other values than the labels -1 and +1 that it was fitted to; give a classifier as "
        "`estimator`."
    )
    with pytest.raises(InputError, match=whole(sentence)):
        clone(booster_of(name)).set_params(estimator=LinearRegression()).fit(X20, X20[:, 0] > 9)


def test_missing_highspy_is_named(monkeypatch):
    find = builtins.__import__
    monkeypatch.setattr(
        builtins, "__import__", lambda name, *a, **k: find("no_highspy" if name == "highspy" else name, *a, **k)
    )
    booster = clone(booster_of("RMBoost")).fit(X20, Y20)
    sentence = (
        "vertex solutions need the package highspy; install it, or use lp_solution='central' of RMBoostClassifier."
    )
    for needy in (booster.set_params(lp_solution="vertex"), booster_of("LPBoost")):
        with pytest.raises(InputError, match=whole(sentence)):
            clone(needy).fit(X20, Y20)


def test_weights_under_the_hard_margin():
    sentence = "sample_weight has no meaning for margin='hard'; leave it out, or use margin='soft'."
    booster = clone(booster_of("LPBoost")).set_params(margin="hard")
    with pytest.raises(InputError, match=whole(sentence)):
        booster.fit(X20, Y20, sample_weight=np.arange(1, 21))
    booster.fit(X20, Y20, sample_weight=np.full(20, 2.0))


#: Parameters of all boosters that have them, and how what the last one must be ends.
RANGES = [
    ({"n_estimators": 0}, "an int in the range [1, inf)"),
    ({"n_estimators": 2.5}, "an int in the range [1, inf)"),
    ({"max_leaf_nodes": 1}, "an int in the range [2, inf)"),
    ({"min_samples_split": 0.5}, "an int in the range [2, inf)"),
    ({"learning_rate": 0}, "a float in the range (0.0, inf)"),
    ({"learning_rate": float("nan")}, "a float in the range (0.0, inf)"),
    ({"c": -1}, "a float in the range (0.0, 700.0]"),
    ({"error_goal": 1.0}, "a float in the range (0.0, 1.0)"),
    ({"max_margin": -0.1}, "a float in the range [0.0, inf)"),
    ({"margin_sigma": float("inf")}, "a float in the range [1e-06, inf)"),
    ({"max_depth": 0}, "an int in the range [1, inf)"),
    ({"reg_lambda": "1"}, "a float in the range [0.0, inf)"),
    ({"lam": 0}, "{'auto'} or a float in the range (0.0, inf)"),
    ({"lam": float("nan")}, "{'auto'} or a float in the range (0.0, inf)"),
    ({"lam": float("inf")}, "{'auto'} or a float in the range (0.0, inf)"),
    ({"lam": "big"}, "{'auto'} or a float in the range (0.0, inf)"),
    ({"redraws": -1}, "an int in the range [0, inf)"),
    ({"base": "bagging"}, "a str among {"),
    ({"base": None}, "a str among {"),
    ({"lp_solution": "simplex"}, "a str among {"),
    ({"formulation": "both"}, "a str among {"),
    ({"symmetric_duals": "no"}, "an instance of 'bool'"),
    ({"prune": 2}, "an instance of 'bool'"),
    ({"tol": 0.5}, "a float in the range [1e-10, 0.1]"),
    ({"margin": "wide"}, "a str among {"),
    ({"nu": 0}, "a float in the range (0.0, 1.0]"),
    ({"nu": 1.5}, "a float in the range (0.0, 1.0]"),
    ({"precision": -1}, "a float in the range [0.0, inf)"),
    ({"random_state": "x"}, "None"),
    ({"record_weights": "x"}, "an instance of 'bool'"),
]


@pytest.mark.parametrize(("params", "wanted"), RANGES, ids=str)
def test_ranges_of_parameters(params, wanted):
    ((culprit, value),) = params.items()
    boosters = [booster for booster in ALL if culprit in booster.get_params() and named(booster) not in GBDT]
    assert boosters
    for booster in boosters:
        with pytest.raises(ValueError, match=f"'{culprit}' parameter of {named(booster)} must be ") as refused:
            clone(booster).set_params(**params).fit(X20, Y20)
        assert all(part in str(refused.value) for part in (wanted, f"Got {value!r} instead."))


def test_a_central_solution_is_not_so_exact():
    sentence = "tol=1e-09 must be at least 1e-05 with lp_solution='central'."
    with pytest.raises(InputError, match=whole(sentence)):
        clone(booster_of("RMBoost")).set_params(tol=1e-9).fit(X20, Y20)


def test_pruning_needs_vertices():
    sentence = "prune=True needs lp_solution='vertex', since no rule is idle near the centre."
    with pytest.raises(InputError, match=whole(sentence)):
        clone(booster_of("RMBoost")).set_params(prune=True).fit(X20, Y20)
