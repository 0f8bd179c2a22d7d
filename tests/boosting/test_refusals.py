"""Bad input of boosters: each mistake is reported in one sentence that names it and what to do."""

import re
import sys
import warnings
from unittest.mock import Mock

import numpy as np
import polars as pl
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
from ironbark import InputError, RobustDecisionTreeClassifier, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt import base
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss

NAMES = [name for name, module in ironbark._PUBLIC.items() if module.startswith("ironbark.boosting.")]
NAMES.remove("RobustEnsembleClassifier")  # whose forest checks its samples
ALL = {name: getattr(ironbark, name)(n_estimators=5, random_state=0) for name in NAMES}
KINDS = ("RobustXGB", "RobustLGBM", "LogitBoost", "RMBoost", "LPBoost")
XGB, LGBM, LOGIT, RM, LP = (f"{name}Classifier" for name in KINDS)
GBDT = (XGB, LGBM)  # which take any number of classes
MINIMAX = (RM, LP)
X20, Y20 = np.arange(20.0)[:, None], np.array([0, 1] * 10)
SPLIT, AT_3 = X20[:, 0] > 9, X20[:, 0] == 3
XY = gbdt_problem()
INFINITE = np.where(np.arange(240)[:, None] == 3, np.inf, XY[0])


def but(*takers):
    return [name for name in ALL if name not in takers]


def out_of_range(culprit, value, wanted):
    """A parameter of all boosters with `_parameter_constraints` that have it, and how what it must be ends."""
    having = [name for name in but(*GBDT) if culprit in ALL[name].get_params()]
    assert having
    return having, {culprit: value}, {}, f"'{culprit}' parameter of NAME must be .*{re.escape(wanted)}"


#: Boosters, parameters, arguments of `fit`, and words of the sentence, where NAME is the class.
REFUSED = [
    (but(), {}, {"y": ["a"] * 20}, "needs samples of .* classes, but y holds only one class"),
    (but(), {}, {"y": np.where(AT_3, np.nan, Y20)}, "y holds 1 missing label; drop these samples"),
    (but(), {}, {"y": Y20[1:]}, r"inconsistent numbers of samples: \[20, 19\]"),
    (but(LOGIT, *GBDT), {}, {"y": np.arange(20) % 3}, "OneVsRestClassifier.NAME"),
    (but(), {}, {"y": X20[:, 0] + 0.5}, "continuous|Unknown label type"),
    (but(*GBDT), {}, {"sample_weight": Y20}, "at most one class has a sample_weight above zero"),
    (but(), {}, {"sample_weight": np.where(AT_3, np.inf, 1)}, "holds inf"),
    out_of_range("n_estimators", 0, "an int in the range [1, inf)"),
    out_of_range("max_leaf_nodes", 1, "an int in the range [2, inf)"),
    out_of_range("min_samples_split", 0.5, "an int in the range [2, inf)"),
    out_of_range("learning_rate", 0, "a float in the range (0.0, "),
    out_of_range("learning_rate", float("nan"), "a float in the range (0.0, "),
    (["QuadraticXGBClassifier"], {"learning_rate": 2}, {}, r"must be a float in the range \(0.0, 2.0\)"),
    out_of_range("c", -1, "a float in the range (0.0, 700.0]"),
    out_of_range("error_goal", 1.0, "a float in the range [1e-09, 1.0)"),
    out_of_range("max_margin", -0.1, "a float in the range [0.0, inf)"),
    out_of_range("margin_sigma", 1e160, "a float in the range [1e-06, 1000000.0]"),
    out_of_range("lam", 0, "{'auto'} or a float in the range (0.0, inf)"),
    out_of_range("redraws", -1, "an int in the range [0, inf)"),
    out_of_range("margin", "wide", "a str among {"),
    out_of_range("nu", 1.5, "a float in the range (0.0, 1.0]"),
    out_of_range("precision", -1, "a float in the range [0.0, inf)"),
    ([RM], {"max_leaf_nodes": "all"}, {}, "'max_leaf_nodes' parameter of NAME must be a str among"),
    ([RM], {"tol": 1e-9}, {}, "tol=1e-09 must be at least 1e-05 with lp_solution='central'"),
    ([RM], {"estimator": RobustDecisionTreeClassifier("ginni", ccp_alpha=0.0)}, {}, "ginni"),
    ([RM], {"estimator": DecisionTreeClassifier(), "max_leaf_nodes": 20}, {}, "=20 .* set it in DecisionTreeClassi"),
    ([LP], {"margin": "hard"}, {"sample_weight": np.arange(1, 21)}, "no meaning for margin='hard'.*margin='soft'"),
    (MINIMAX, {"estimator": KNeighborsClassifier(3), "base": "weighted"}, {"y": SPLIT},
     "KNeighborsClassifier takes no sample_weight in fit, which base='weighted' needs; use base='bootstrap'"),
    (MINIMAX, {"estimator": KNeighborsClassifier(3)}, {"X": np.where(AT_3[:, None], np.nan, X20), "y": SPLIT},
     "X holds missing values, which KNeighborsClassifier does not take; fill them, or give a tree"),
    (MINIMAX, {"estimator": LinearRegression()}, {"y": SPLIT}, "predicts other values .*; give a classifier as `est"),
    (GBDT, {"r": -1}, {}, "r=-1 is out of range for loss 'robust_focal'; it must be a finite number >= 0"),
    *((GBDT, {"r": r}, {}, f"r={r}") for r in (np.inf, np.nan, True)),
    (GBDT, {"q": 1}, {}, r"q=1 .* a number in \[0, 1\)"),
    (GBDT, {"loss": "generalized_cross_entropy", "q": -1e-9}, {}, "q=-1e-09"),
    (GBDT, {"loss": "symmetric_cross_entropy", "a": 0, "b": 0}, {}, "one of them must be > 0"),
    (GBDT, {"loss": "focl"}, {}, "unknown loss 'focl'; did you mean 'focal'"),
    (GBDT, {"loss": "hinge"}, {}, "choose one of robust_focal, generalized"),
    (GBDT, {"multi": "ova"}, {}, "unknown value of multi 'ova'; did you mean 'ovr'"),
    (GBDT, {"loss": "backward_correction"}, {}, "needs the transition matrix"),
    (GBDT, {"loss": "forward_correction", "noise_matrix": np.eye(3)}, {}, "has shape"),
    *((GBDT, {"loss": name, "noise_matrix": np.eye(2)}, {}, "no use of noise_matrix") for name in ("focal", "peer")),
    (GBDT, {"loss": "label_smoothing", "strength": 1.0}, {}, "strength=1.0"),
    *((GBDT, {"loss": "bootstrap", "strength": s}, {}, f"strength={s!r}") for s in (float("nan"), None, "0.3", True)),
    (GBDT, {"objective": lambda y, z: (z, z)}, {}, "can't be combined with the losses of NAME"),
    (GBDT, {"objective": "reg:squarederror"}, {}, "leave `objective` out"),
    (GBDT, {"application": "binary"}, {}, "leave `application` out"),
    (GBDT, {"learning_rat": 0.1}, {}, "has no parameter 'learning_rat'; did you mean 'learning_"),
    *((GBDT, {"scale_pos_weight": w}, {}, "scale_pos_weight=.* must be a positive number") for w in (0, np.nan, "4")),
    ([LGBM], {"validation_fraction": 0.2, "num_trees": 9}, {}, "can't use validation_fraction and num_trees together"),
    ([LGBM], {}, {"y": np.arange(20) % 3, "eval_metric": "auc"}, "'auc' can't be .* choose one of robust_loss, logl"),
    ([LGBM], {}, {"X": 0 * X20}, "all features of X are zero, or as near as 1e-35"),
    ([LGBM], {"scale_pos_weight": 2, "is_unbalance": True}, {}, "can't both be set"),
    (GBDT, {}, {"eval_set": [(X20, Y20), (X20, 5 * Y20)]}, "set 1 holds the label 5, which is none"),
    ([LGBM], {}, {"eval_X": X20, "eval_y": Y20, "eval_set": [(X20, Y20)]}, "give evaluation sets as"),
    ([LGBM], {}, {"eval_metric": "kullback_leibler"}, "'kullback_leibler' can't be computed of raw scores; choose"),
    *((GBDT, {}, {"sample_weight": np.full(20, w)}, "divide them by their mean") for w in (1e-60, 1e60)),
    ([XGB], {}, {"X": INFINITE, "y": XY[1]}, "infinity, or a number too large .*; replace it, or .*missing=numpy.inf"),
    ([XGB], {}, {"X": 1e39 * X20}, "holds infinity, or a number too large for float32"),
    ([XGB], {}, {"eval_set": [(INFINITE[:, :1], XY[1])]}, "an evaluation set holds infinity"),
    *(((LOGIT, *GBDT), {"validation_fraction": f}, {}, "validation_fraction=.* None or a finite number > 0 and < 1")
      for f in (0, 1.0, -0.1, "auto", True, np.nan)),
    ((LOGIT, *GBDT), {"validation_fraction": 0.2}, {"y": AT_3}, "=0.2 leaves no sample to fit of a class that has 1"),
    (GBDT, {"validation_fraction": 0.2, "early_stopping_rounds": 5}, {}, "and early_stopping_rounds together"),
    ([LGBM], {"validation_fraction": 0.2}, {"eval_X": X20, "eval_y": Y20}, "evaluation sets together; leave one"),
    ([XGB], {"validation_fraction": 0.2}, {"eval_set": [(X20, Y20)]}, "eval_set together; leave one"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:The argument 'eval_set'")
@pytest.mark.parametrize(
    ("name", "params", "given", "words"),
    [(name, params, given, words) for names, params, given, words in REFUSED for name in names],
)
def test_refusals(name, params, given, words):
    with pytest.raises(ValueError, match=words.replace("NAME", name)) as refused:
        clone(ALL[name]).set_params(**params).fit(**{"X": X20, "y": Y20, **given})
    assert "\n" not in str(refused.value) or "missing values" in words  # scikit-learn's


def test_odd_input_that_is_taken_and_what_the_remedies_name():
    X, y = XY
    own = np.random.default_rng(0).normal(size=len(y))  # scores to start from
    make(RobustLGBMClassifier, feature_fraction=0.5, min_data=5, colsample_bynode=0.5, verbose=-1).fit(X, y)
    make(RobustLGBMClassifier).fit(INFINITE, y, init_score=own)  # to which infinity is a large number
    make(RobustXGBClassifier, eta=0.3, rate_drop=0.1, booster="dart").fit(X, y, base_margin=own)
    make(RobustXGBClassifier, missing=np.inf).fit(np.nan_to_num(INFINITE, nan=0.0, posinf=np.inf), y)
    make(RobustXGBClassifier, base_score=0.2).fit(X, y)
    clone(ALL[RM]).set_params(estimator=KNeighborsClassifier(3), base="bootstrap").fit(X20, SPLIT)
    clone(ALL[LP]).set_params(margin="hard").fit(X20, Y20, sample_weight=np.full(20, 2.0))
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    assert OneVsRestClassifier(clone(ALL[RM])).fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize("as_", [np.asarray, np.ndarray.tolist, ironbark.encode, pl.DataFrame])
def test_numbers_that_float32_merges_are_warned_of(as_):
    X = np.column_stack([np.arange(40.0), np.arange(2**25, 2**25 + 40)])  # there it holds every fourth number
    with pytest.warns(UserWarning, match="float32 merges 40 values of column 1 to 11; subtract an offset"):
        clone(ALL[LOGIT]).fit(as_(X), np.repeat(Y20, 2))


@pytest.mark.parametrize("name", but("QuadraticXGBClassifier", *GBDT))
def test_fewer_samples_than_a_tree_splits(name):
    words = "8 samples are fewer than min_samples_split=10 of the trees, so no tree splits .* a lower min_samples_split"
    with pytest.warns(UserWarning, match=words):
        model = clone(ALL[name]).fit(X20[:8], ["no"] * 4 + ["yes"] * 4)
    assert np.ptp(model.decision_function(X20)) < 1e-12
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        clone(ALL[name]).fit(X20, Y20, sample_weight=np.repeat([1.0, 0.0], [8, 12]))
    assert sum("fewer" in str(one.message) for one in seen) == ALL[name].leaves_out  # others count in trees only
    if name in MINIMAX:
        with warnings.catch_warnings(action="error"):
            clone(ALL[name]).set_params(estimator=DecisionTreeClassifier()).fit(X20[:4], [0, 0, 1, 1])


@both_kinds
def test_weights_of_samples_too_small_for_float32_and_of_one_of_three_classes(kind):
    X, y = XY
    few = np.where(np.arange(len(y)) < 2, 1e-60, 1.0)
    one, other = (make(kind).fit(X, y, sample_weight=w).predict_proba(X) for w in (few, few.round()))
    np.testing.assert_array_equal(one, other)
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
    with pytest.raises(ValueError, match=f"loss '{loss}' has no curvature where boosting starts"):
        make(kind, loss=loss, multi=multi).fit(X, y)
    name = "base_margin" if kind is RobustXGBClassifier else "init_score"
    scores = margins(make(kind, loss="cross_entropy", multi=multi).fit(X, y), X)
    model = make(kind, loss=loss, multi=multi).fit(X, y, **{name: scores})
    start, end = (BoostingLoss(loss, multi).values(y, z).mean() for z in (scores, scores + margins(model, X)))
    assert end < start


@both_kinds
@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize("penalty", [{}, {"reg_lambda": 2}])
def test_trees_that_do_not_split_give_a_constant_and_a_warning(kind, few, penalty):
    X, y = np.ones((50, 2)), np.arange(50) % 5 == 0
    if few:
        X, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1])
    least = {RobustXGBClassifier: "min_child_weight=1", RobustLGBMClassifier: "min_child_samples=5"}[kind]
    least += "".join(f" or {name}={value}" for name, value in penalty.items())
    words = f"no tree splits the {len(X)} samples, so {kind._constant}; .* a lower {least}, or features"
    with pytest.warns(UserWarning, match=words):
        model = make(kind, learning_rate=0.5, n_estimators=40, **penalty).fit(X, y)
    assert np.ptp(model.predict_proba(np.random.default_rng(0).normal(size=(9, 2)))[:, 1]) == 0
    with warnings.catch_warnings(action="error"):
        make(kind, min_child_weight=1e-3).fit(*XY)


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


LIBGOMP = OSError("libgomp.so.1: cannot open shared object file")


@pytest.mark.parametrize(
    ("package", "error", "words"),
    [
        ("xgboost", ImportError(), "user needs the package xgboost; run `pip install xgboost`, or xgboost-cpu, and"),
        ("lightgbm", ImportError(), "user needs the package lightgbm; run `pip install lightgbm` and try again"),
        ("lightgbm", LIBGOMP, "user needs the system library libgomp.so.1; .* `apt-get install libgomp1`"),
    ],
)
def test_a_missing_library_is_named(package, error, words, monkeypatch):
    monkeypatch.setattr(base.importlib, "import_module", Mock(side_effect=error))
    with pytest.raises(InputError, match=words) as found:
        base.required(package, "user")
    assert isinstance(found.value, ImportError) == isinstance(error, ImportError)


@pytest.mark.parametrize(
    ("name", "params", "package", "words"),
    [
        ("QuadraticXGBClassifier", {}, "xgboost", "QuadraticXGBClassifier needs the package xgboost"),
        (LP, {}, "highspy", "need the package highspy; install it, or use lp_solution='central'"),
        (RM, {"lp_solution": "vertex"}, "highspy", "need the package highspy; install it, or use lp_solution="),
    ],
)
def test_packages_are_needed_in_fit_only(name, params, package, words, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=words):
        clone(ALL[name]).set_params(**params).fit(X20, Y20)
