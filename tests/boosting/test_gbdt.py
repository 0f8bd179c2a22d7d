"""RobustXGBClassifier and RobustLGBMClassifier: what they learn, and what they refuse."""

import copy
import os
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from gbdt_cases import FLAT, PARENT, QUIET, both, make, margins, problem
from scipy.special import expit
from scipy.special import softmax as shares
from sklearn.utils.estimator_checks import parametrize_with_checks

import ironbark
from ironbark import InputError, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting import gbdt
from ironbark.boosting.losses import LOSSES
from ironbark.boosting.losses.evaluation import BoostingLoss


@both
@pytest.mark.parametrize("n_classes", [2, 4])
def test_without_focus_and_robustness_it_is_the_library_s_own_log_loss(kind, n_classes):
    """With missing values and weights. For several classes both libraries multiply the Hessian by a factor
    of their own, so the parents get the textbook's gradient and Hessian there.
    """
    X, y = problem(n_classes)
    weight = np.random.default_rng(1).uniform(0.2, 3, len(y))

    def textbook(y_true, scores, sample_weight):
        p = shares(scores.astype(float), axis=1)
        label = np.arange(n_classes) == y_true[:, None]
        return (p - label) * sample_weight[:, None], p * (1 - p) * sample_weight[:, None]

    own = {} if n_classes == 2 else {"objective": textbook}
    parent = PARENT[kind](n_estimators=15, **QUIET[kind], **own).fit(X, y, sample_weight=weight)
    ours = make(kind, r=0, q=0).fit(X, y, sample_weight=weight)
    expected = parent.predict_proba(X)
    if n_classes > 2 and kind is RobustLGBMClassifier:
        expected = shares(expected, axis=1)
    np.testing.assert_allclose(ours.predict_proba(X), expected, atol=2e-5)


@pytest.mark.parametrize("rare", [0, 1])
@pytest.mark.parametrize(
    ("kind", "params"),
    [
        (RobustXGBClassifier, {"scale_pos_weight": 4.5}),
        (RobustLGBMClassifier, {"scale_pos_weight": 4.5}),
        (RobustLGBMClassifier, {"is_unbalance": True}),
        (RobustLGBMClassifier, {"unbalanced_sets": True}),
    ],
)
def test_classes_are_weighed_as_by_the_library_s_own_log_loss(kind, params, rare):
    X, y = problem(n=600)
    kept = (y != rare) | (np.arange(len(y)) % 4 == 0)
    X, y = X[kept], y[kept]
    weight = np.random.default_rng(1).uniform(0.2, 3, len(y))
    ours = make(kind, r=0, q=0, **params).fit(X, y, sample_weight=weight)
    plain = make(kind, r=0, q=0).fit(X, y, sample_weight=weight)
    parent = PARENT[kind](n_estimators=15, **QUIET[kind], **params).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict_proba(X), parent.predict_proba(X), atol=2e-5)
    assert np.abs(ours.predict_proba(X) - plain.predict_proba(X)).max() > 0.1


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


@pytest.mark.parametrize(("kind", "factor"), [(RobustXGBClassifier, 2), (RobustLGBMClassifier, 4 / 3)])
def test_steps_for_four_classes_are_longer_than_the_library_s_by_the_documented_factor(kind, factor):
    X, y = problem(4)
    options = {**QUIET[kind], "n_estimators": 1, "reg_lambda": 0, "min_child_weight": 0, "max_depth": 2}
    start = 0.5 if kind is RobustXGBClassifier else 0
    option = {"output_margin" if kind is RobustXGBClassifier else "raw_score": True}
    ours, theirs = (model.fit(X, y).predict(X, **option) for model in (kind(0, 0, **options), PARENT[kind](**options)))
    np.testing.assert_allclose(ours - start, factor * (theirs - start), rtol=1e-4)


@both
@pytest.mark.parametrize(("n_classes", "multi"), [(2, "softmax"), (2, "ovr"), (3, "softmax"), (3, "ovr")])
@pytest.mark.parametrize("loss", [name for name in LOSSES if name not in FLAT])
def test_every_loss_learns_and_predicts_probabilities(kind, loss, n_classes, multi):
    X, y = problem(n_classes)
    steps = {"learning_rate": 0.3, "min_child_weight": 0.001}
    model = make(kind, loss=loss, multi=multi, **steps).fit(X, y)
    p = model.predict_proba(X)
    assert p.shape == (len(y), n_classes) and (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(model.predict(X), p.argmax(axis=1))
    assert model.score(X, y) > 0.75
    start = make(kind, loss=loss, multi=multi, n_estimators=1, **steps).fit(X, y)
    own = BoostingLoss(loss, multi)
    assert own.values(y, margins(model, X)).mean() < own.values(y, margins(start, X)).mean()


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
def test_one_against_the_rest_are_models_of_two_classes(kind):
    X, y = problem(3)
    model = make(kind, multi="ovr", r=0.7).fit(X, y)
    each = np.column_stack([margins(make(kind, r=0.7).fit(X, y == k), X) for k in range(3)])
    np.testing.assert_allclose(margins(model, X), each, atol=1e-5)
    p = expit(each)
    np.testing.assert_allclose(model.predict_proba(X), p / p.sum(axis=1, keepdims=True), atol=1e-5)


def test_sample_weights_are_copies():
    X, y = problem()
    times = np.random.default_rng(2).integers(1, 4, len(y))
    options = {"r": 1, "q": 0.5, "tree_method": "exact"}
    weighted = make(RobustXGBClassifier, **options).fit(X, y, sample_weight=times)
    copied = make(RobustXGBClassifier, **options).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.predict_proba(X), copied.predict_proba(X), atol=1e-4)


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
    with pytest.raises(ValueError, match="NaN"):
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
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[240, 240, 3\]"):
        make(kind).fit(X, y, sample_weight=[1, 2, 3])
    for wrong in (-1, np.nan, np.inf):
        with pytest.raises(InputError, match="sample_weight holds a negative number, NaN or infinity"):
            make(kind).fit(X, y, sample_weight=np.where(np.arange(240) == 7, wrong, 1))


@both
def test_weights_that_are_all_zero_are_refused(kind):
    X, y = problem()
    with pytest.raises(InputError, match="weights are all zero"):
        make(kind).fit(X, y, sample_weight=np.zeros(len(y)))


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
    objective = gbdt.Objective(BoostingLoss("focal"), n_classes, start)
    with pytest.raises(RuntimeError, match=words):
        objective(np.zeros(3), scores)


def test_scores_of_the_user_s_own_are_no_wrong_start():
    X, y = problem()
    own = np.random.default_rng(0).normal(size=len(y))
    make(RobustXGBClassifier).fit(X, y, base_margin=own)
    make(RobustLGBMClassifier).fit(X, y, init_score=own)
    make(RobustXGBClassifier, base_score=0.2).fit(X, y)


@pytest.mark.parametrize("loss", LOSSES)
def test_objectives_can_be_copied_and_pickled(loss):
    one = gbdt.Objective(BoostingLoss(loss), 2, None)
    y, z = np.array([0, 1, 1]), np.array([0.0, -1.0, 2.0])
    for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        np.testing.assert_array_equal(other(y, z), one(y, z))


@pytest.mark.filterwarnings("ignore:Unknown data type", "ignore:Converting data to scipy sparse")
@parametrize_with_checks([make(RobustXGBClassifier, n_estimators=5), RobustLGBMClassifier(n_estimators=5)])
def test_scikit_learn_checks(estimator, check):
    """All of them: the parents fail some, ours none."""
    check(estimator)


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
