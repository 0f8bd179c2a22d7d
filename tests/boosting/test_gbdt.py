"""RobustXGBClassifier and RobustLGBMClassifier: what they learn, and what users of XGBoost and LightGBM know works."""

import warnings

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from gbdt_cases import FLAT, PARENT, QUIET, both, make, margins, problem
from scipy.sparse import csr_array
from scipy.special import expit
from scipy.special import softmax as shares
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit

from ironbark import InputError, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt import base
from ironbark.boosting.gbdt.losses.corrections import CORRECTIONS, NEED_MATRIX
from ironbark.boosting.gbdt.losses.definitions import LOSSES
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.noise import corrupt


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
    ours = make(kind, r=0, q=0, multi="softmax").fit(X, y, sample_weight=weight)
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


@pytest.mark.parametrize(("kind", "factor"), [(RobustXGBClassifier, 2), (RobustLGBMClassifier, 4 / 3)])
def test_steps_for_four_classes_are_longer_than_the_library_s_by_the_documented_factor(kind, factor):
    X, y = problem(4)
    options = {**QUIET[kind], "n_estimators": 1, "reg_lambda": 0, "min_child_weight": 0, "max_depth": 2}
    start = 0.5 if kind is RobustXGBClassifier else 0
    option = {"output_margin" if kind is RobustXGBClassifier else "raw_score": True}
    models = kind(0, 0, multi="softmax", **options), PARENT[kind](**options)
    ours, theirs = (model.fit(X, y).predict(X, **option) for model in models)
    np.testing.assert_allclose(ours - start, factor * (theirs - start), rtol=1e-4)


@both
@pytest.mark.parametrize(("n_classes", "multi"), [(2, "softmax"), (2, "ovr"), (3, "softmax"), (3, "ovr")])
@pytest.mark.parametrize("loss", [name for name in (*LOSSES, *CORRECTIONS) if name not in FLAT])
def test_every_loss_learns_and_predicts_probabilities(kind, loss, n_classes, multi):
    X, y = problem(n_classes)
    matrix = 0.8 * np.eye(n_classes) + 0.2 / n_classes
    steps = {"learning_rate": 0.3, "min_child_weight": 5.0 if loss in CORRECTIONS else 0.001}
    steps |= {"noise_matrix": matrix} if loss in NEED_MATRIX else {}
    model = make(kind, loss=loss, multi=multi, **steps).fit(X, y)
    p = model.predict_proba(X)
    assert p.shape == (len(y), n_classes) and (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(model.predict(X), p.argmax(axis=1))
    assert model.score(X, y) > (0.6 if loss in CORRECTIONS else 0.75)
    start = make(kind, loss=loss, multi=multi, n_estimators=1, **steps).fit(X, y)
    own = base.loss_of(model, n_classes)
    assert own.values(y, margins(model, X)).mean() < own.values(y, margins(start, X)).mean()
    assert model._link == ("softmax" if loss in CORRECTIONS else multi)


@both
def test_one_against_the_rest_are_models_of_two_classes(kind):
    X, y = problem(3)
    model = make(kind, multi="ovr", r=0.7).fit(X, y)
    each = np.column_stack([margins(make(kind, r=0.7).fit(X, y == k), X) for k in range(3)])
    np.testing.assert_allclose(margins(model, X), each, atol=1e-5)
    p = expit(each)
    np.testing.assert_allclose(model.predict_proba(X), p / p.sum(axis=1, keepdims=True), atol=1e-5)


@both
@pytest.mark.parametrize(("load", "rows", "repeats"), [(load_digits, 900, 2), (load_wine, 178, 16)])
def test_the_default_loses_at_most_one_point_to_the_library(kind, load, rows, repeats):
    X, y = load(return_X_y=True)
    kept = np.random.default_rng(0).permutation(len(y))[:rows]
    plain = kind.__bases__[1](n_jobs=1, **({"verbose": -1} if kind is RobustLGBMClassifier else {}))  # the library's
    X, y, differences = X[kept], y[kept], []
    for train, test in StratifiedShuffleSplit(repeats, test_size=0.3, random_state=0).split(X, y):
        ours, theirs = (model.fit(X[train], y[train]).score(X[test], y[test]) for model in (kind(), plain))
        differences.append(ours - theirs)
    assert np.mean(differences) > -0.01


def test_the_softmax_of_the_authors_code_is_warned_of_on_digits():
    X, y = load_digits(return_X_y=True)
    with pytest.warns(UserWarning, match="diverged: its log loss is .*, that of the class shares 2.3; use multi"):
        model = RobustLGBMClassifier(multi="softmax").fit(X, y)
    assert log_loss(y, model.predict_proba(X)) > np.log(10) and model.score(X, y) < 0.6


LONG = {"q": 0.9, "max_depth": 1, "n_estimators": 60}


@both
@pytest.mark.parametrize("n_classes", [2, 6])
@pytest.mark.parametrize("rate", [0.0, 0.4])
@pytest.mark.parametrize(
    "params", [{}, {"n_estimators": 1}, {"learning_rate": 0.001}, {**LONG, "learning_rate": 0.1}], ids=str
)
def test_slow_learning_and_wrong_labels_are_not_warned_of(kind, n_classes, rate, params):
    X, y = problem(n_classes, n=400)
    y = np.where((y == 1) & (np.arange(len(y)) % 4 > 0), 0, y)  # a rare class, far from p = 1 / K
    noisy = corrupt("uniform", None, y, rate=rate, random_state=0) if rate else y
    with warnings.catch_warnings(action="error"):
        make(kind, min_child_weight=1e-3, **params).fit(X, noisy)


def test_long_steps_of_a_loss_that_is_far_from_convex_are_warned_of():
    X, y = problem(6, n=400)
    long, short = (make(RobustLGBMClassifier, learning_rate=r, min_child_weight=1e-3, **LONG) for r in (1.0, 0.1))
    with pytest.warns(UserWarning, match="use a smaller learning_rate, a larger reg_lambda, or smaller r and q"):
        long.fit(X, y)
    assert long.score(X, y) < short.fit(X, y).score(X, y) - 0.2


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
@pytest.mark.parametrize(("n_classes", "multi"), [(2, "ovr"), (3, "ovr"), (3, "softmax")])
def test_early_stopping_on_robust_clean_and_custom_metrics(kind, n_classes, multi):
    def deviance(y_true, p):
        value = log_loss(y_true, p, labels=range(n_classes))
        return value if kind is RobustXGBClassifier else ("deviance", value, False)

    clean = "logloss" if kind is RobustXGBClassifier and n_classes == 2 else "mlogloss"
    clean, recorded = (clean, clean) if kind is RobustXGBClassifier else ("logloss", "multi_logloss")
    if kind is RobustLGBMClassifier and n_classes == 2:
        recorded = "binary_logloss"
    metrics = {"robust_loss": "robust_loss", clean: recorded, None: recorded, deviance: "deviance"}
    for metric, name in metrics.items():
        model, history, best, X, y = held_out(kind, metric, n_classes=n_classes, multi=multi)
        assert list(history)[-1] == name and best == model.n_estimators_ < 400  # XGBoost keeps its log loss, too
        codes = np.searchsorted(model.classes_, y)
        robust = BoostingLoss("robust_focal", multi).values(codes, margins(model, X)).mean()
        expected = robust if metric == "robust_loss" else log_loss(y, model.predict_proba(X))
        assert history[name][best - 1] == pytest.approx(expected, rel=1e-4)
        assert best == int(np.argmin(history[name])) + 1


@both
@pytest.mark.parametrize("loss", ["robust_focal", "peer"])
def test_the_robust_loss_as_a_metric_has_weights(kind, loss):
    X, y = problem()
    weight = np.linspace(0, 3, len(y)) * (1 + 3 * y)
    if kind is RobustXGBClassifier:
        model = make(kind, loss=loss, eval_metric="robust_loss")
        model.fit(X, y, sample_weight=weight, eval_set=[(X, y)], sample_weight_eval_set=[weight], verbose=False)
        found = model.evals_result()["validation_0"]["robust_loss"]
    else:
        held = {"eval_X": X[1:], "eval_y": y[1:], "eval_sample_weight": [weight[1:]]}  # the weight of the first is 0
        model = make(kind, loss=loss).fit(X, y, weight, eval_metric="robust_loss", **held)
        found = model.evals_result_["valid_0"]["robust_loss"]
    losses = BoostingLoss("robust_focal").values(y, margins(model, X))
    if loss == "peer":  # less a part of the mean loss over the labels of training
        labels = np.eye(2)[y] - model.strength * np.bincount(y, weight) / weight.sum()
        losses = -(labels * np.log(model.predict_proba(X))).sum(axis=1)
    assert found[-1] == pytest.approx(np.average(losses, weights=weight), rel=1e-4)


def test_lightgbm_s_metrics_are_those_of_probabilities():
    X, y = problem()
    metrics = ["auc", "average_precision", "binary_error", "binary_logloss"]
    held = {"eval_X": X[:200], "eval_y": y[:200], "eval_sample_weight": [np.linspace(0, 3, 200)]}
    parent = PARENT[RobustLGBMClassifier](**QUIET[RobustLGBMClassifier], n_estimators=15)
    models = make(RobustLGBMClassifier, r=0, q=0), parent
    ours, theirs = (model.fit(X, y, eval_metric=metrics, **held).evals_result_["valid_0"] for model in models)
    assert set(ours) == set(theirs) == set(metrics)
    for name in metrics:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-6, err_msg=name)
    in_constructor = make(RobustLGBMClassifier, metric="auc,error").fit(X, y, eval_X=X[:200], eval_y=y[:200])
    assert set(in_constructor.evals_result_["valid_0"]) == {"auc", "binary_error"}


@both
def test_the_library_is_told_nothing_that_it_does_not_know(kind, capfd):
    X, y = problem(3)
    model = make(kind, **({"verbosity": 2} if kind is RobustXGBClassifier else {"verbose": 1})).fit(X, y)
    model.predict(X)
    text = "".join(capfd.readouterr())
    assert "not used" not in text and "Unknown" not in text and "Found 'loss'" not in text


SAVED = [{}, {"multi": "softmax", "q": 0.1, "loss": "generalized_cross_entropy"}]
SAVED += [{"r": np.int64(1), "q": np.float32(0.5)}]
SAVED += [{"loss": "forward_correction", "noise_matrix": 0.7 * np.eye(3) + 0.1}]


@pytest.mark.parametrize("params", SAVED)
@pytest.mark.parametrize("labels", [["x", "y", "z"], [10, 20, 30]])
def test_xgboost_models_can_be_saved_and_loaded(params, labels, tmp_path):
    X, y = problem(3)
    model = make(RobustXGBClassifier, **params).fit(X, np.array(labels)[y])
    model.save_model(tmp_path / "model.json")
    again = make(RobustXGBClassifier).fit(pd.DataFrame({"text": ["a", "b"] * 20}), ["c", "d"] * 20)
    again.load_model(tmp_path / "model.json")
    with pytest.raises(ValueError, match="inf"):
        model.fit(np.full_like(X, np.inf), y)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    for name in base.OWN:
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
    assert again.classes_.dtype == model.classes_.dtype and again.fit(X, y).score(X, y) > 0.7
    plain = xgboost.XGBClassifier(n_estimators=3).fit(X, y)
    plain.save_model(tmp_path / "plain.json")
    again.load_model(tmp_path / "plain.json")
    assert again.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(again.predict_proba(X), plain.predict_proba(X))


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
    with pytest.raises(InputError, match="other classes, or X other texts, than the model"):
        make(kind).fit(X, np.where(y, "c", "b"), **{name: half})
    text = pd.DataFrame({"t": np.resize(list("abc"), len(X))})
    with pytest.raises(InputError, match="other classes, or X other texts, than the model"):
        make(kind).fit(text.replace("a", "b"), y, **{name: make(kind).fit(text, y)})


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_integers_that_float32_cannot_tell_apart(kind):
    X, y = kind(np.arange(2**30, 2**30 + 90)[:, None]), np.arange(90) > 44
    assert RobustLGBMClassifier(min_child_samples=5, verbose=-1).fit(X, y).score(X, y) > 0.95


@pytest.mark.parametrize("kind", [RobustXGBClassifier, RobustLGBMClassifier])
def test_only_columns_that_a_library_cannot_name_have_other_names(kind):
    names = ["a", "b[<]{", "b_______1", "dtype\n\0"]
    frame = pd.DataFrame(np.random.default_rng(0).integers(0, 4, (90, 4)), columns=names)
    two = pd.DataFrame(frame.to_numpy(), columns=pd.MultiIndex.from_product([["p"], list("abcd")]))
    assert (make(kind, n_estimators=2).fit(two, frame["a"] > 1).predict(two) == (frame["a"] > 1)).all()
    model = make(kind, n_estimators=2).fit(frame, frame["a"] > 1)
    booster = model.get_booster() if kind is RobustXGBClassifier else model.booster_
    names = booster.feature_names if kind is RobustXGBClassifier else booster.feature_name()
    assert names[:3:2] == ["a", "b_______1"] and names[1].startswith("b_") and names[1].endswith("_1")
    assert model.feature_names_in_.tolist() == list(frame) and (model.predict(frame) == (frame["a"] > 1)).all()
