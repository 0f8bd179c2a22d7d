"""RobustXGBClassifier and RobustLGBMClassifier: what they refuse and warn of."""

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from gbdt_cases import FLAT, both, make, margins, problem

import ironbark
from ironbark import InputError, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt import base
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss


@both
def test_weights_of_classes_that_make_no_sense_are_refused(kind):
    X, y = problem()
    for wrong in (0, -1, np.nan, np.inf, "4"):
        with pytest.raises(InputError, match="scale_pos_weight=.* must be a positive number"):
            make(kind, scale_pos_weight=wrong).fit(X, y)
    with pytest.raises(InputError, match="can't both be set"):
        make(RobustLGBMClassifier, scale_pos_weight=2, is_unbalance=True).fit(X, y)
    X, y = problem(3)
    with pytest.warns(UserWarning, match="scale_pos_weight has no effect for 3 classes; give `sample_weight`"):
        weighed = make(kind, scale_pos_weight=3).fit(X, y)
    np.testing.assert_array_equal(weighed.predict_proba(X), make(kind).fit(X, y).predict_proba(X))


@both
@pytest.mark.parametrize("multi", ["softmax", "ovr"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("loss", FLAT)
def test_losses_without_curvature_need_scores_to_start_from(kind, loss, n_classes, multi):
    X, y = problem(n_classes)
    with pytest.raises(InputError, match=f"loss '{loss}' has no curvature where boosting starts"):
        make(kind, loss=loss, multi=multi).fit(X, y)
    name = "base_margin" if kind is RobustXGBClassifier else "init_score"
    scores = margins(make(kind, loss="cross_entropy", multi=multi).fit(X, y), X)
    model = make(kind, loss=loss, multi=multi).fit(X, y, **{name: scores})
    start, end = (BoostingLoss(loss, multi).values(y, z).mean() for z in (scores, scores + margins(model, X)))
    assert end < start


@both
@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"r": -1}, "r=-1 is out of range"),
        ({"q": 1}, "q=1 is out of range"),
        ({"q": -0.1}, "q=-0.1"),
        ({"loss": "focl"}, "unknown loss 'focl'; did you mean 'focal'"),
        ({"multi": "ovo"}, "unknown value of multi 'ovo'"),
        ({"objective": lambda y, z: (z, z)}, "can't be combined with the losses of Robust"),
        ({"objective": "reg:squarederror"}, "leave `objective` out"),
    ],
)
def test_bad_parameters_are_refused(kind, params, words):
    with pytest.raises(InputError, match=words):
        make(kind, **params).fit(*problem())


@both
def test_misspelt_parameters_are_refused(kind):
    X, y = problem()
    for model in (make(kind, learning_rat=0.1), make(kind).set_params(learning_rat=0.1)):
        with pytest.raises(
            InputError, match=f"{kind.__name__} has no parameter 'learning_rat'; did you mean 'learning_"
        ):
            model.fit(X, y)
    make(RobustLGBMClassifier, feature_fraction=0.5, min_data=5, colsample_bynode=0.5, verbose=-1).fit(X, y)
    make(RobustXGBClassifier, eta=0.3, rate_drop=0.1, booster="dart").fit(X, y)


@both
def test_bad_labels_are_refused(kind):
    X, y = problem()
    with pytest.raises(InputError, match="needs samples of at least two classes, but y holds only one class, 'no'"):
        make(kind).fit(X, ["no"] * len(y))
    with pytest.raises(InputError, match="evaluation set 1 holds the label 5, which y does not"):
        make(kind).fit(X, y, eval_set=[(X, y), (X, np.where(y == 1, 5, y))])
    with pytest.raises(InputError, match="y holds .* missing labels"):
        make(kind).fit(X, np.where(y == 1, np.nan, 0.0))
    with pytest.raises(ValueError, match="Unknown label type"):
        make(kind).fit(X, np.random.default_rng(0).normal(size=len(y)))


LEAST = {RobustXGBClassifier: "min_child_weight=1", RobustLGBMClassifier: "min_child_samples=5"}


@both
@pytest.mark.parametrize("case", ["flat features", "few samples"])
def test_trees_that_do_not_split_give_a_constant_and_a_warning(kind, case):
    X, y = np.ones((50, 2)), np.arange(50) % 5 == 0
    if case == "few samples":
        X, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1])
    sentence = (
        f"no tree splits the {len(X)} samples, so all predictions are the same; give more samples, a lower "
        f"{LEAST[kind]}, or features that vary."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(sentence)}$"):
        model = make(kind, learning_rate=0.5, n_estimators=40).fit(X, y)
    assert np.ptp(model.predict_proba(np.random.default_rng(0).normal(size=(9, 2)))[:, 1]) == 0


def test_penalties_that_keep_a_rare_class_from_being_split_off_are_named():
    """From score 0 LightGBM stops in the first round; without the penalty it does not."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 3)), np.zeros(2000, int)
    y[np.argsort(-X[:, 0] - 2 * rng.normal(size=2000))[:16]] = 1
    said = "no tree splits the 2000 samples, .* a lower min_child_samples=20 or reg_lambda=2, or features that vary"
    with pytest.warns(UserWarning, match=said):
        model = RobustLGBMClassifier(reg_lambda=2).fit(X, y)
    assert np.ptp(model.predict_proba(X)[:, 1]) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        free = RobustLGBMClassifier().fit(X, y)
    assert np.ptp(free.predict_proba(X)[:, 1]) > 0


@both
def test_trees_that_split_are_not_warned_about(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make(kind, min_child_weight=1e-3).fit(*problem())
    linear = make(RobustXGBClassifier, booster="gblinear")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        linear.fit(np.nan_to_num(problem()[0]), problem()[1])


def test_infinity_is_told_in_one_sentence():
    X, y = problem()
    wrong = np.where(np.arange(len(X))[:, None] == 3, np.inf, X)
    sentence = (
        "X or an evaluation set holds infinity, or a number too large for float32; replace it, or say with "
        "`missing=numpy.inf` that it stands for a missing value."
    )
    for arguments, options in (((wrong, y), {}), ((X, y), {"eval_set": [(wrong, y)]}), ((1e39 * X, y), {})):
        with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
            make(RobustXGBClassifier).fit(*arguments, **options)
    make(RobustXGBClassifier, missing=np.inf).fit(np.nan_to_num(wrong, nan=0.0, posinf=np.inf), y)
    make(RobustLGBMClassifier).fit(wrong, y)  # to which infinity is a large number


@both
def test_lengths_that_differ_and_weights_that_are_none_are_refused(kind):
    X, y = problem()
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[240, 239\]"):
        make(kind).fit(X, y[1:])
    with pytest.raises(ValueError, match="sample_weight has 3 entries, but there are 240"):
        make(kind).fit(X, y, sample_weight=[1, 2, 3])
    for wrong, words in ((-1, "holds -1"), (np.nan, "sample_weight holds 1 missing weight"), (np.inf, "holds inf")):
        with pytest.raises(ValueError, match=words):
            make(kind).fit(X, y, sample_weight=np.where(np.arange(240) == 7, wrong, 1))


@both
def test_weights_that_are_all_zero_are_refused(kind):
    X, y = problem()
    with pytest.raises(InputError, match="sample_weight is zero for all samples"):
        make(kind).fit(X, y, sample_weight=np.zeros(len(y)))


@both
@pytest.mark.parametrize("scale", [1e-60, 1e60])
def test_weights_that_float32_does_not_hold_are_refused(kind, scale):
    X, y = problem()
    with pytest.raises(InputError, match="divide them by their mean"):
        make(kind).fit(X, y, sample_weight=np.full(len(y), scale))
    few = np.where(np.arange(len(y)) < 2, 1e-60, 1.0)  # some may become zero
    np.testing.assert_array_equal(
        make(kind).fit(X, y, sample_weight=few).predict_proba(X),
        make(kind).fit(X, y, sample_weight=few.round()).predict_proba(X),
    )


def test_evaluation_sets_given_twice_are_refused():
    X, y = problem()
    for wrong in ({"eval_X": X}, {"eval_X": X, "eval_y": y, "eval_set": [(X, y)]}):
        with pytest.raises(InputError, match="give evaluation sets as"):
            make(RobustLGBMClassifier).fit(X, y, **wrong)


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


def test_scores_of_the_user_s_own_are_no_wrong_start():
    X, y = problem()
    own = np.random.default_rng(0).normal(size=len(y))
    make(RobustXGBClassifier).fit(X, y, base_margin=own)
    make(RobustLGBMClassifier).fit(X, y, init_score=own)
    make(RobustXGBClassifier, base_score=0.2).fit(X, y)


@pytest.mark.parametrize(
    ("package", "estimator", "code", "words"),
    [
        ("xgboost", "RobustXGBClassifier", "raise ImportError('no')", "run `pip install xgboost`, or xgboost-cpu"),
        ("lightgbm", "RobustLGBMClassifier", "raise ImportError('no')", "run `pip install lightgbm`"),
        ("lightgbm", "RobustLGBMClassifier", "raise OSError('libgomp.so.1: cannot open')", "apt-get install libgomp1"),
    ],
)
def test_a_missing_library_is_named(package, estimator, code, words, tmp_path):
    (tmp_path / f"{package}.py").write_text(code)
    places = os.pathsep.join([str(tmp_path), str(Path(ironbark.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", f"import ironbark; ironbark.{estimator}"],
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("ironbark.errors.InputError: " + estimator)
    assert words in done.stderr
