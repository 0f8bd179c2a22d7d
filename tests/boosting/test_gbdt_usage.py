"""RobustXGBClassifier and RobustLGBMClassifier: what users of XGBoost and LightGBM know must work."""

import lightgbm
import numpy as np
import pytest
import xgboost
from gbdt_cases import PARENT, QUIET, both, make, margins, problem
from scipy.special import expit
from sklearn.metrics import log_loss

from ironbark import InputError, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt import base
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss


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
    """A function gets probabilities, as from the library itself."""

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
        assert list(history)[-1] == name and best < 400  # XGBoost keeps its log loss beside a function
        codes = np.searchsorted(model.classes_, y)
        robust = BoostingLoss("robust_focal", multi).values(codes, margins(model, X)).mean()
        expected = robust if metric == "robust_loss" else log_loss(y, model.predict_proba(X))
        assert history[name][best - 1] == pytest.approx(expected, rel=1e-4)
        assert best == int(np.argmin(history[name])) + 1


@both
def test_the_robust_loss_as_a_metric_has_weights(kind):
    X, y = problem()
    weight = np.linspace(0, 3, len(y))
    if kind is RobustXGBClassifier:
        model = make(kind, eval_metric="robust_loss")
        model.fit(X, y, eval_set=[(X, y)], sample_weight_eval_set=[weight], verbose=False)
        found = model.evals_result()["validation_0"]["robust_loss"]
    else:
        held = {"eval_X": X[1:], "eval_y": y[1:], "eval_sample_weight": [weight[1:]]}  # the weight of the first is 0
        model = make(kind).fit(X, y, eval_metric="robust_loss", **held)
        found = model.evals_result_["valid_0"]["robust_loss"]
    losses = BoostingLoss("robust_focal").values(y, margins(model, X))
    assert found[-1] == pytest.approx(np.average(losses, weights=weight), rel=1e-5)


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
    again = RobustXGBClassifier()
    again.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    for name in base.OWN:
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
    assert again.classes_.dtype == model.classes_.dtype
    assert again.fit(X, y).score(X, y) > 0.7
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
