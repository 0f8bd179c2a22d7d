"""Bad input of boosters: each mistake is reported in one sentence that names it and what to do."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from gbdt_cases import FLAT, make, margins
from gbdt_cases import both as both_kinds
from gbdt_cases import problem as gbdt_problem
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import ironbark
from ironbark import RobustDecisionTreeClassifier, RobustLGBMClassifier, RobustXGBClassifier, boosting
from ironbark.boosting.gbdt import base
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.errors import InputError

for package in ("highspy", "xgboost", "lightgbm"):
    pytest.importorskip(package)

ALL = {name: getattr(boosting, name)(n_estimators=5, random_state=0) for name in boosting.__all__}
GBDT = ("RobustXGBClassifier", "RobustLGBMClassifier")  # which take missing values and any number of classes
X20, Y20 = np.arange(20.0)[:, None], np.array([0, 1] * 10)
AT_3 = X20[:, 0] == 3

#: Change of the data, boosters that take it, and words of the sentence.
DATA = {
    "one class": ({"y": ["a"] * 20}, (), "needs samples of .* classes, but y holds only one class"),
    "missing label": ({"y": np.where(AT_3, np.nan, Y20)}, (), "y holds 1 missing label; drop these samples"),
    "lengths": ({"y": Y20[1:]}, (), r"inconsistent numbers of samples: \[20, 19\]"),
    "three classes": ({"y": np.arange(20) % 3}, ("LogitBoostClassifier", *GBDT), "OneVsRestClassifier.{name}"),
    "continuous": ({"y": X20[:, 0] + 0.5}, (), "continuous|Unknown label type"),
    "missing value": ({"X": np.where(X20 == 3, np.nan, X20)}, GBDT, "{name} does not accept missing values"),
    "weights of one class": ({"sample_weight": Y20}, GBDT, "at most one class has a sample_weight above zero"),
    "negative weight": ({"sample_weight": np.where(AT_3, -1.0, 1)}, (), "must hold finite numbers >= 0, but holds -1"),
    "missing weight": ({"sample_weight": np.where(AT_3, np.nan, 1)}, (), "sample_weight holds 1 missing weight"),
    "infinite weight": ({"sample_weight": np.where(AT_3, np.inf, 1)}, (), "holds inf"),
    "three weights": ({"sample_weight": [1, 2, 3]}, (), "sample_weight has 3 entries, but there are 20"),
    "no weight": ({"sample_weight": np.zeros(20)}, (), "sample_weight is zero for all samples, .* a positive weight"),
}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("case", DATA)
def test_data(case, name):
    change, takers, words = DATA[case]
    if name in takers:
        pytest.skip(f"{name} takes it")
    with pytest.raises(ValueError, match=words.format(name=name)) as refused:
        clone(ALL[name]).fit(**{"X": X20, "y": Y20, **change})
    assert case == "missing value" or "\n" not in str(refused.value)


#: Parameters of all boosters that have them, and how what they must be ends.
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
    ({"margin_sigma": 1e-8}, "a float in the range [1e-06, inf)"),
    ({"max_depth": 0}, "an int in the range [1, inf)"),
    ({"reg_lambda": "1"}, "a float in the range [0.0, inf)"),
    ({"lam": 0}, "{'auto'} or a float in the range (0.0, inf)"),
    ({"lam": float("inf")}, "{'auto'} or a float in the range (0.0, inf)"),
    ({"redraws": -1}, "an int in the range [0, inf)"),
    ({"base": None}, "a str among {"),
    ({"lp_solution": "simplex"}, "a str among {"),
    ({"formulation": "both"}, "a str among {"),
    ({"symmetric_duals": "no"}, "an instance of 'bool'"),
    ({"prune": 2}, "an instance of 'bool'"),
    ({"tol": 0.5}, "a float in the range [1e-10, 0.1]"),
    ({"margin": "wide"}, "a str among {"),
    ({"nu": 1.5}, "a float in the range (0.0, 1.0]"),
    ({"precision": -1}, "a float in the range [0.0, inf)"),
    ({"random_state": "x"}, "None"),
    ({"record_weights": "x"}, "an instance of 'bool'"),
]


@pytest.mark.parametrize(("params", "wanted"), RANGES, ids=str)
def test_ranges_of_parameters(params, wanted):
    ((culprit, value),) = params.items()
    boosters = {name: b for name, b in ALL.items() if culprit in b.get_params() and name not in GBDT}
    assert boosters
    for name, booster in boosters.items():
        with pytest.raises(ValueError, match=f"'{culprit}' parameter of {name} must be ") as refused:
            clone(booster).set_params(**params).fit(X20, Y20)
        assert all(part in str(refused.value) for part in (wanted, f"Got {value!r} instead."))


NO_TREE = RobustDecisionTreeClassifier("ginni", ccp_alpha=0.0)
SPLIT = X20[:, 0] > 9
MINIMAX = [
    ("RMBoost", {"tol": 1e-9}, "tol=1e-09 must be at least 1e-05 with lp_solution='central'"),
    ("RMBoost", {"prune": True}, "prune=True needs lp_solution='vertex'"),
    ("RMBoost", {"estimator": NO_TREE}, "ginni"),
    ("RMBoost", {"estimator": DecisionTreeClassifier(), "max_leaf_nodes": 20}, "=20 .* set it in DecisionTreeClassi"),
    ("RMBoost", {"max_leaf_nodes": "all"}, "'max_leaf_nodes' parameter of RMBoostClassifier must be a str among"),
    ("LPBoost", {"margin": "hard", "sample_weight": np.arange(1, 21)}, "no meaning for margin='hard'.*margin='soft'"),
    *((name, {"estimator": KNeighborsClassifier(3), "base": "weighted"},
       "KNeighborsClassifier takes no sample_weight in fit, which base='weighted' needs; use base='bootstrap'")
      for name in ("RMBoost", "LPBoost")),
    *((name, {"estimator": LinearRegression()}, "LinearRegression predicts other values .*; give a classifier as `est")
      for name in ("RMBoost", "LPBoost")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "params", "words"), MINIMAX)
def test_parameters_of_linear_programs(name, params, words):
    weights = {"sample_weight": params["sample_weight"]} if "sample_weight" in params else {}
    booster = clone(ALL[f"{name}Classifier"]).set_params(**{k: v for k, v in params.items() if k not in weights})
    with pytest.raises(ValueError, match=words):
        booster.fit(X20, SPLIT, **weights)


def test_what_the_remedies_name_works():
    booster = ALL["RMBoostClassifier"]
    clone(booster).set_params(estimator=KNeighborsClassifier(3), base="bootstrap").fit(X20, SPLIT)
    clone(ALL["LPBoostClassifier"]).set_params(margin="hard").fit(X20, Y20, sample_weight=np.full(20, 2.0))
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    assert OneVsRestClassifier(clone(booster)).fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize("name", [name for name in ALL if name not in ("QuadraticXGBClassifier", *GBDT)])
def test_fewer_samples_than_a_tree_splits(name):
    words = "8 samples are fewer than min_samples_split=10 of the trees, so no tree splits .* a lower min_samples_split"
    with pytest.warns(UserWarning, match=words):
        model = clone(ALL[name]).fit(X20[:8], ["no"] * 4 + ["yes"] * 4)
    assert np.ptp(model.decision_function(X20)) < 1e-12
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        clone(ALL[name]).fit(X20, Y20, sample_weight=np.repeat([1.0, 0.0], [8, 12]))
    assert len(seen) == ALL[name].leaves_out  # samples without weight count in trees only
    if "estimator" in model.get_params():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            small = DecisionTreeClassifier(min_samples_split=2)
            clone(ALL[name]).set_params(estimator=small).fit(X20[:4], [0, 0, 1, 1])


XGB, LGBM = [RobustXGBClassifier], [RobustLGBMClassifier]
BOTH = XGB + LGBM
INFINITE = np.where(np.arange(240)[:, None] == 3, np.inf, gbdt_problem()[0])
XY = gbdt_problem()
OWN = "can't be combined with the losses of Robust"

#: Classes, parameters, arguments of `fit`, and words of the sentence.
GBDT_INPUT = [
    (BOTH, {"r": -1}, {}, "r=-1 is out of range for loss 'robust_focal'; it must be a finite number >= 0"),
    (BOTH, {"r": np.inf}, {}, "r=inf"),
    (BOTH, {"loss": "focal", "r": np.nan}, {}, "r=nan"),
    (BOTH, {"r": True}, {}, "r=True"),
    (BOTH, {"q": 1}, {}, r"q=1 .* a number in \[0, 1\)"),
    (BOTH, {"q": "0.3"}, {}, "q='0.3'"),
    (BOTH, {"loss": "generalized_cross_entropy", "q": -1e-9}, {}, "q=-1e-09"),
    (BOTH, {"loss": "symmetric_cross_entropy", "a": 0, "b": 0}, {}, "one of them must be > 0"),
    (BOTH, {"loss": "focl"}, {}, "unknown loss 'focl'; did you mean 'focal'"),
    (BOTH, {"loss": None}, {}, "unknown loss None"),
    (BOTH, {"loss": "hinge"}, {}, "choose one of robust_focal, generalized"),
    (BOTH, {"multi": "ova"}, {}, "unknown value of multi 'ova'; did you mean 'ovr'"),
    (BOTH, {"multi": None}, {}, "unknown value of multi None; choose one of softmax, ovr"),
    (BOTH, {"loss": "forward_corection"}, {}, "did you mean 'forward_correction'"),
    (BOTH, {"loss": "backward_correction"}, {}, "needs the transition matrix"),
    (BOTH, {"loss": "forward_correction", "noise_matrix": np.eye(3)}, {}, "has shape"),
    (BOTH, {"loss": "label_smoothing", "strength": 1.0}, {}, "strength=1.0"),
    (BOTH, {"loss": "bootstrap", "strength": float("nan")}, {}, "strength=nan"),
    (BOTH, {"objective": lambda y, z: (z, z)}, {}, OWN),
    (BOTH, {"objective": "reg:squarederror"}, {}, "leave `objective` out"),
    (BOTH, {"learning_rat": 0.1}, {}, "has no parameter 'learning_rat'; did you mean 'learning_"),
    *((BOTH, {"scale_pos_weight": w}, {}, "scale_pos_weight=.* must be a positive number") for w in (0, np.nan, "4")),
    (LGBM, {"scale_pos_weight": 2, "is_unbalance": True}, {}, "can't both be set"),
    (BOTH, {}, {"eval_set": [XY, (XY[0], np.where(XY[1] == 1, 5, XY[1]))]}, "set 1 holds the label 5, which y does"),
    (LGBM, {}, {"eval_X": XY[0]}, "give evaluation sets as"),
    (LGBM, {}, {"eval_X": XY[0], "eval_y": XY[1], "eval_set": [XY]}, "give evaluation sets as"),
    (LGBM, {}, {"eval_metric": "kullback_leibler"}, "'kullback_leibler' can't be computed of raw scores; choose"),
    *((BOTH, {}, {"sample_weight": np.full(240, w)}, "divide them by their mean") for w in (1e-60, 1e60)),
    (XGB, {}, {"X": INFINITE}, "holds infinity, or a number too large .*; replace it, or .*`missing=numpy.inf`"),
    (XGB, {}, {"X": 1e39 * XY[0]}, "holds infinity, or a number too large for float32"),
    (XGB, {}, {"eval_set": [(INFINITE, XY[1])]}, "an evaluation set holds infinity"),
]  # fmt: skip


@pytest.mark.parametrize(("kinds", "params", "given", "words"), GBDT_INPUT)
def test_xgboost_and_lightgbm(kinds, params, given, words):
    for kind in kinds:
        with pytest.raises(InputError, match=words):
            make(kind, **params).fit(**{"X": XY[0], "y": XY[1], **given})


@pytest.mark.parametrize("shape", [(3, 1), (4, 2), (4,), (3, 2, 2)])
def test_scores_of_a_wrong_shape(shape):
    with pytest.raises(InputError, match="don't fit 3 labels"):
        BoostingLoss("focal").derivatives(np.zeros(3, int), np.zeros(shape))


def test_odd_input_that_is_taken():
    X, y = XY
    make(RobustLGBMClassifier, feature_fraction=0.5, min_data=5, colsample_bynode=0.5, verbose=-1).fit(X, y)
    make(RobustXGBClassifier, eta=0.3, rate_drop=0.1, booster="dart").fit(X, y)
    make(RobustXGBClassifier, missing=np.inf).fit(np.nan_to_num(INFINITE, nan=0.0, posinf=np.inf), y)
    make(RobustLGBMClassifier).fit(INFINITE, y)  # to which infinity is a large number
    own = np.random.default_rng(0).normal(size=len(y))  # scores to start from
    make(RobustXGBClassifier).fit(X, y, base_margin=own)
    make(RobustLGBMClassifier).fit(X, y, init_score=own)
    make(RobustXGBClassifier, base_score=0.2).fit(X, y)


@both_kinds
def test_some_weights_may_be_too_small_for_float32(kind):
    X, y = XY
    few = np.where(np.arange(len(y)) < 2, 1e-60, 1.0)
    one, other = (make(kind).fit(X, y, sample_weight=w).predict_proba(X) for w in (few, few.round()))
    np.testing.assert_array_equal(one, other)


@both_kinds
def test_the_weight_of_one_class_has_no_effect_for_three(kind):
    X, y = gbdt_problem(3)
    with pytest.warns(UserWarning, match="scale_pos_weight has no effect for 3 classes; give `sample_weight`"):
        weighed = make(kind, scale_pos_weight=3).fit(X, y)
    np.testing.assert_array_equal(weighed.predict_proba(X), make(kind).fit(X, y).predict_proba(X))


@both_kinds
@pytest.mark.parametrize("multi", ["softmax", "ovr"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("loss", FLAT)
def test_losses_without_curvature_need_scores_to_start_from(kind, loss, n_classes, multi):
    X, y = gbdt_problem(n_classes)
    with pytest.raises(InputError, match=f"loss '{loss}' has no curvature where boosting starts"):
        make(kind, loss=loss, multi=multi).fit(X, y)
    name = "base_margin" if kind is RobustXGBClassifier else "init_score"
    scores = margins(make(kind, loss="cross_entropy", multi=multi).fit(X, y), X)
    model = make(kind, loss=loss, multi=multi).fit(X, y, **{name: scores})
    start, end = (BoostingLoss(loss, multi).values(y, z).mean() for z in (scores, scores + margins(model, X)))
    assert end < start


@both_kinds
@pytest.mark.parametrize("few", [False, True])
def test_trees_that_do_not_split_give_a_constant_and_a_warning(kind, few):
    X, y = np.ones((50, 2)), np.arange(50) % 5 == 0
    if few:
        X, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1])
    least = {RobustXGBClassifier: "min_child_weight=1", RobustLGBMClassifier: "min_child_samples=5"}[kind]
    words = f"no tree splits the {len(X)} samples, so all predictions are the same; .* a lower {least}, or features"
    with pytest.warns(UserWarning, match=words):
        model = make(kind, learning_rate=0.5, n_estimators=40).fit(X, y)
    assert np.ptp(model.predict_proba(np.random.default_rng(0).normal(size=(9, 2)))[:, 1]) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make(kind, min_child_weight=1e-3).fit(*XY)


def test_penalties_that_keep_a_rare_class_from_being_split_off_are_named():
    """From score 0 LightGBM stops in the first round; without the penalty it does not."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 3)), np.zeros(2000, int)
    y[np.argsort(-X[:, 0] - 2 * rng.normal(size=2000))[:16]] = 1
    words = "no tree splits the 2000 samples, .* a lower min_child_samples=20 or reg_lambda=2, or features that vary"
    with pytest.warns(UserWarning, match=words):
        model = RobustLGBMClassifier(reg_lambda=2).fit(X, y)
    assert np.ptp(model.predict_proba(X)[:, 1]) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.ptp(RobustLGBMClassifier().fit(X, y).predict_proba(X)[:, 1]) > 0


@pytest.mark.parametrize(
    ("n_classes", "start", "scores", "words"),
    [
        (2, "zero", np.full(3, 0.5), "does not start from constant scores"),
        (3, "constant", np.array([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0, 0.5]]), "does not start from constant"),
        (3, "zero", np.zeros(9), r"scores of shape \(9,\), not \(3, 3\)"),
    ],
)
def test_a_version_that_behaves_otherwise_is_noticed(n_classes, start, scores, words):
    objective = base.Objective(BoostingLoss("focal"), n_classes, start)
    with pytest.raises(RuntimeError, match=words):
        objective(np.zeros(3), scores)


FIT = "ironbark.{}.fit([[0.], [1.]] * 9, [0, 1] * 9)"


@pytest.mark.parametrize(
    ("package", "code", "error", "words"),
    [
        ("xgboost", "ironbark.RobustXGBClassifier", "ImportError('no')", "run `pip install xgboost`, or xgboost-cpu"),
        ("lightgbm", "ironbark.RobustLGBMClassifier", "ImportError('no')", "run `pip install lightgbm`"),
        ("lightgbm", "ironbark.RobustLGBMClassifier", "OSError('libgomp.so.1: cannot')", "apt-get install libgomp1"),
        ("xgboost", FIT.format("QuadraticXGBClassifier()"), "ImportError('no')", "QuadraticXGBClassifier needs the"),
        ("highspy", FIT.format("LPBoostClassifier()"), "ImportError('no')", "need the package highspy; install it, or"),
        ("highspy", FIT.format("RMBoostClassifier(lp_solution='vertex')"), "ImportError('no')", "solution='central'"),
    ],
)  # fmt: skip
def test_a_missing_library_is_named(package, code, error, words, tmp_path):
    (tmp_path / f"{package}.py").write_text(f"raise {error}")
    paths = os.pathsep.join([str(tmp_path), str(Path(ironbark.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", f"import ironbark; {code}"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ironbark.errors.InputError: ") and words in last
