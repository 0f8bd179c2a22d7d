"""RobustXGBClassifier and RobustLGBMClassifier: what users of XGBoost and LightGBM know must work."""

import copy
import doctest
import importlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from scipy.special import expit
from scipy.special import softmax as shares
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

import ironbark
from ironbark import InputError, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting import gbdt
from ironbark.boosting.losses import LOSSES
from ironbark.boosting.losses.evaluation import BoostingLoss
from ironbark.protocols import fit

QUIET = {RobustXGBClassifier: {}, RobustLGBMClassifier: {"verbose": -1, "min_child_samples": 5}}
FLAT = ("mean_absolute_error", "normalized_cross_entropy")  # no curvature at score 0
PARENT = {
    RobustXGBClassifier: lambda **p: xgboost.XGBClassifier(base_score=0.5, n_jobs=1, **p),
    RobustLGBMClassifier: lambda **p: lightgbm.LGBMClassifier(boost_from_average=False, n_jobs=1, **p),
}
both = pytest.mark.parametrize("kind", [RobustXGBClassifier, RobustLGBMClassifier])


def make(kind, **params):
    return kind(**{"n_estimators": 15, **QUIET[kind], **params})


def problem(n_classes=2, n=240, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    y = (X @ rng.normal(size=(5, n_classes)) + rng.normal(size=(n, n_classes))).argmax(axis=1)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


def margins(model, X):
    option = "output_margin" if isinstance(model, RobustXGBClassifier) else "raw_score"
    return model.predict(X, **{option: True})


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


@both
@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [False, True], [-1, 1], [3.0, 7.0], np.array(["b", "a"], object), pd.Categorical(["u", "v"])],
    ids=str,
)
def test_labels_of_any_type(kind, labels):
    X, y = problem()
    named = np.asarray(labels)[y] if not isinstance(labels, pd.Categorical) else labels[y]
    model = make(kind).fit(X, named)
    assert model.classes_.tolist() == sorted(set(np.asarray(named).tolist()))
    assert set(model.predict(X)) == set(model.classes_)
    assert (model.predict(X) == np.asarray(named)).mean() > 0.8
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def held_out(kind, metric, **params):
    """A model that stops early on a held-out part, and what it recorded there."""
    X, y = problem(params.pop("n_classes", 2), n=400)
    y = np.array(["a", "b", "c"])[y]
    sets = {"eval_set": [(X[250:], y[250:])]}
    if kind is RobustXGBClassifier:
        model = make(kind, n_estimators=400, early_stopping_rounds=5, eval_metric=metric, **params)
        model.fit(X[:250], y[:250], verbose=False, **sets)
        return model, model.evals_result()["validation_0"], model.best_iteration + 1, X[250:], y[250:]
    model = make(kind, n_estimators=400, **params)
    stop = lightgbm.early_stopping(5, verbose=False)
    sets = {"eval_X": X[250:], "eval_y": y[250:]}
    model.fit(X[:250], y[:250], eval_metric=metric, callbacks=[stop], **sets)
    return model, model.evals_result_["valid_0"], model.best_iteration_, X[250:], y[250:]


@both
@pytest.mark.parametrize("n_classes", [2, 3])
def test_early_stopping_on_the_robust_and_on_a_clean_metric(kind, n_classes):
    prefix = "binary_" if n_classes == 2 else "multi_"
    clean = "logloss" if kind is RobustXGBClassifier and n_classes == 2 else "mlogloss"
    clean, recorded = (clean, clean) if kind is RobustXGBClassifier else ("logloss", prefix + "logloss")
    for metric, name in (("robust_loss", "robust_loss"), (clean, recorded)):
        model, history, best, X, y = held_out(kind, metric, n_classes=n_classes)
        assert list(history)[-1] == name and best < 400  # XGBoost keeps its log loss beside a function
        codes = np.searchsorted(model.classes_, y)
        robust = BoostingLoss("robust_focal").values(codes, margins(model, X)).mean()
        expected = robust if metric == "robust_loss" else log_loss(y, model.predict_proba(X))
        assert history[name][best - 1] == pytest.approx(expected, rel=1e-4)
        assert best == int(np.argmin(history[name])) + 1


@both
def test_several_metrics_and_the_default_one(kind):
    _, history, *_ = held_out(kind, ["error", "auc", "robust_loss"])
    assert set(history) in ({"error", "auc", "robust_loss"}, {"binary_error", "auc", "robust_loss"})
    _, history, *_ = held_out(kind, None)
    assert set(history) in ({"logloss"}, {"binary_logloss"})


def test_lightgbm_s_metrics_are_those_of_probabilities():
    X, y = problem()
    metrics = ["auc", "average_precision", "binary_error", "binary_logloss"]
    fits = [
        model.fit(X, y, eval_X=X[:200], eval_y=y[:200], eval_sample_weight=[weight], eval_metric=metrics)
        for weight in [np.linspace(0, 3, 200)]
        for model in (
            make(RobustLGBMClassifier, r=0, q=0),
            PARENT[RobustLGBMClassifier](**QUIET[RobustLGBMClassifier], n_estimators=15),
        )
    ]
    ours, theirs = (fit.evals_result_["valid_0"] for fit in fits)
    assert set(ours) == set(theirs) == set(metrics)
    for name in metrics:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-6, err_msg=name)
    in_constructor = make(RobustLGBMClassifier, metric="auc,error").fit(X, y, eval_X=X[:200], eval_y=y[:200])
    assert set(in_constructor.evals_result_["valid_0"]) == {"auc", "binary_error"}
    with pytest.raises(InputError, match="metric 'kullback_leibler' can't be computed of raw scores; choose one of"):
        make(RobustLGBMClassifier).fit(X, y, eval_metric="kullback_leibler")


@both
def test_categorical_features(kind):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"colour": pd.Categorical(rng.choice(list("abcdefgh"), 300)), "x": rng.normal(size=300)})
    y = np.where(X["colour"].isin(list("aceg")), "odd", "even")
    params = {"enable_categorical": True} if kind is RobustXGBClassifier else {}
    model = make(kind, learning_rate=0.5, **params).fit(X, y)
    assert model.score(X, y) == 1
    assert model.feature_importances_.shape == (2,) and model.feature_importances_[0] > 0


def test_sample_weights_are_copies():
    X, y = problem()
    times = np.random.default_rng(2).integers(1, 4, len(y))
    options = {"r": 1, "q": 0.5, "tree_method": "exact"}
    weighted = make(RobustXGBClassifier, **options).fit(X, y, sample_weight=times)
    copied = make(RobustXGBClassifier, **options).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.predict_proba(X), copied.predict_proba(X), atol=1e-4)


@both
def test_parameters_clone_and_search(kind):
    X, y = problem()
    model = make(kind, r=1.0, loss="focal", random_state=3)
    copied = clone(model)
    assert copied.get_params() == model.get_params() and copied.r == 1.0 and copied.loss == "focal"
    assert copied.n_jobs == 1
    assert model.fit(X, y).set_params(q=0.4).q == 0.4
    assert model.fit(X, y).score(X, y) > 0.8
    search = GridSearchCV(make(kind), {"r": [0.0, 1.0], "q": [0.1], "multi": ["ovr"]}, cv=2).fit(X, y)
    assert set(search.best_params_) == {"r", "q", "multi"}


@both
def test_the_library_is_told_nothing_that_it_does_not_know(kind, capfd):
    X, y = problem(3)
    model = make(kind, **({"verbosity": 2} if kind is RobustXGBClassifier else {"verbose": 1})).fit(X, y)
    model.predict(X)
    text = "".join(capfd.readouterr())
    assert "not used" not in text and "Unknown" not in text and "Found 'loss'" not in text


@pytest.mark.parametrize("params", [{}, {"multi": "ovr", "q": 0.1, "loss": "generalized_cross_entropy"}])
@pytest.mark.parametrize("labels", [["x", "y", "z"], [10, 20, 30]])
def test_xgboost_models_can_be_saved_and_loaded(params, labels, tmp_path):
    X, y = problem(3)
    model = make(RobustXGBClassifier, **params).fit(X, np.array(labels)[y])
    model.save_model(tmp_path / "model.json")
    again = RobustXGBClassifier()
    again.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert {name: getattr(again, name) for name in gbdt.OWN} == {name: getattr(model, name) for name in gbdt.OWN}
    assert again.classes_.dtype == model.classes_.dtype
    assert again.fit(X, y).score(X, y) > 0.7
    plain = xgboost.XGBClassifier(n_estimators=3).fit(X, y)
    plain.save_model(tmp_path / "plain.json")
    again.load_model(tmp_path / "plain.json")
    assert again.classes_.tolist() == [0, 1, 2]


def test_lightgbm_s_file_and_xgboost_s_labels_that_no_file_can_hold(tmp_path):
    X, y = problem()
    model = make(RobustLGBMClassifier).fit(X, y)
    model.booster_.save_model(tmp_path / "model.txt")
    raw = lightgbm.Booster(model_file=tmp_path / "model.txt").predict(X)
    np.testing.assert_allclose(expit(raw), model.predict_proba(X)[:, 1], rtol=1e-12)
    dated = make(RobustXGBClassifier).fit(X, np.array([np.datetime64("2020-01-01"), np.datetime64("2021-01-01")])[y])
    with pytest.raises(InputError, match="can't be saved with the model; train on numbers or strings"):
        dated.save_model(tmp_path / "model.json")


@both
def test_training_can_go_on_from_a_model(kind):
    X, y = problem()
    whole = make(kind, n_estimators=20).fit(X, y)
    half = make(kind, n_estimators=10).fit(X, y)
    name = "xgb_model" if kind is RobustXGBClassifier else "init_model"
    both_halves = make(kind, n_estimators=10).fit(X, y, **{name: half})
    np.testing.assert_allclose(both_halves.predict_proba(X), whole.predict_proba(X), atol=1e-5)


def test_the_device_reaches_xgboost():
    X, y = problem()
    model = make(RobustXGBClassifier, device="cpu").fit(X, y)
    assert '"device":"cpu"' in model.get_booster().save_config().replace(" ", "")
    with pytest.raises(xgboost.core.XGBoostError, match="(?i)device"):
        make(RobustXGBClassifier, device="abacus").fit(X, y)


@both
def test_xgboost_and_lightgbm_predictions_of_other_kinds(kind):
    X, y = problem()
    model = make(kind).fit(X, np.array(["a", "b"])[y])
    np.testing.assert_allclose(expit(margins(model, X)), model.predict_proba(X)[:, 1], atol=1e-6)
    if kind is RobustLGBMClassifier:
        assert model.predict(X, pred_leaf=True).shape == (len(y), 15)
        np.testing.assert_allclose(model.predict(X, pred_contrib=True).sum(axis=1), margins(model, X), atol=1e-8)
        np.testing.assert_array_equal(model.predict_proba(X, True), margins(model, X))


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


@both
def test_features_that_do_not_vary_give_a_constant(kind):
    p = (
        make(kind, learning_rate=0.5, n_estimators=40)
        .fit(np.ones((50, 2)), np.arange(50) % 5 == 0)
        .predict_proba(np.zeros((3, 2)))
    )
    assert np.ptp(p[:, 1]) == 0


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


@both
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_pipeline_can_fit_them(kind, n_classes):
    X, y = problem(n_classes)
    grid = {"r": [0.0, 1.0], "reg_lambda": [0.1]}
    method = {
        "estimator": f"ironbark.{kind.__name__}",
        "params": {"n_estimators": 10},
        "tune": {"grid": grid, "test_size": 0.2, "refit": True},
    }
    record = fit.run(method, ("test", "t", "p", 0, 0, "clean"), X[:180], y[:180], X[180:], y[180:])
    assert record["status"] == "ok", record
    assert record["accuracy"] > 0.6 and "reg_lambda" in record["tuned"]


@pytest.mark.parametrize("name", ["robust_xgb", "robust_lgbm"])
def test_examples(name):
    module = importlib.import_module(f"ironbark.boosting.{name}")
    assert doctest.testmod(module).failed == 0 < doctest.testmod(module).attempted


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
