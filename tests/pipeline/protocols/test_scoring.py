"""Scores of what fits have stored, against the scorers of scikit-learn, and facts of the models."""

import math

import numpy as np
import pytest
import scored_fits
from scored_fits import ALL
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer

from ironbark import CleanedClassifier
from ironbark.pipeline.metrics import ALWAYS, METRICS
from ironbark.pipeline.protocols import fit
from ironbark.pipeline.protocols.model_outputs import effective_size, facts
from ironbark.pipeline.protocols.scoring import outputs_in, scored, with_scores_only
from ironbark.pipeline.results import records
from ironbark.pipeline.results.array_text import to_text

LOADERS = {"binary": load_breast_cancer, "multiclass": load_iris}
IDS = ("d", "t", "p", 0, 0, "n")
LOGISTIC = {"estimator": "sklearn.linear_model.LogisticRegression", "params": {"max_iter": 1000}, "tune": {}}
SVC = {"estimator": "sklearn.svm.LinearSVC", "params": {}, "tune": {}}
OF_PROBABILITIES = ("f1", "log_loss", "roc_auc", "brier")


@pytest.fixture(params=LOADERS)
def parts(request):
    X, y = LOADERS[request.param](return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    flipped = np.where(np.random.default_rng(0).random(len(y)) < 0.2, (y + 1) % (y.max() + 1), y)
    test = np.arange(len(y)) % 2 == 0
    return X[~test], flipped[~test], X[test], y[test]


def test_as_scikit_learn_scores(parts):
    X, noisy, X_test, y = parts
    k = int(y.max()) + 1
    found = scored_fits.run(LOGISTIC, IDS, *parts, names=(*ALWAYS, *OF_PROBABILITIES))
    model = LogisticRegression(max_iter=1000, random_state=found["seed"]).fit(X, noisy)
    assert "message" not in found and found["accuracy"] == model.score(X_test, y)
    scorers = {
        "f1": get_scorer("f1" if k == 2 else "f1_macro"),
        "log_loss": get_scorer("neg_log_loss"),
        "roc_auc": get_scorer("roc_auc" if k == 2 else "roc_auc_ovr"),
        "brier": get_scorer("neg_brier_score"),
    }
    for name, scorer in scorers.items():
        assert found[name] == pytest.approx(abs(scorer(model, X_test, y)), abs=1e-12), name


def test_what_fits_store_and_what_they_lack(parts):
    found = scored_fits.run(SVC, IDS, *parts, names=OF_PROBABILITIES)
    without = {"log_loss", "brier"} | ({"roc_auc"} if parts[3].max() > 1 else set())
    assert {name for name in OF_PROBABILITIES if np.isnan(found[name])} == without
    assert "no brier: LinearSVC has no predict_proba" in found["message"]
    plain = fit.run(LOGISTIC, IDS, *parts)
    more = fit.run(LOGISTIC, IDS, *parts, wanted=records.OUTPUTS)
    assert plain["outputs"]["errors"] == more["outputs"].pop("errors") and set(more["outputs"]) == {"probabilities"}
    lacking = ["called_errors", "label_quality", "noise_rate"]
    assert more["gaps"] == dict.fromkeys(lacking, "LogisticRegression has no detector_")
    for record in (plain, more):
        for name in ("outputs", "gaps", *records.MEASURED):
            record.pop(name, None)
    assert str(plain) == str(more)


def test_a_class_that_training_lacks_has_probability_0():
    X, y = load_iris(return_X_y=True)
    found = scored_fits.run(LOGISTIC, IDS, X[y < 2], y[y < 2], X, y, names=OF_PROBABILITIES)
    assert np.isfinite([found[name] for name in OF_PROBABILITIES]).all() and found["log_loss"] > 10
    noisy = np.where(np.arange(100) == 0, 2, y[y < 2])
    found = scored_fits.run(LOGISTIC, IDS, X[y < 2], noisy, X[y < 2], y[y < 2], names=OF_PROBABILITIES)
    assert np.isnan(found["roc_auc"]) and found["message"] == "no roc_auc: the test part lacks a class"


@pytest.mark.parametrize("errors", [np.zeros(3, np.uint8), np.full(40, 7, np.uint8)])
def test_outputs_that_do_not_fit_are_refused(errors):
    y = np.arange(40) % 2
    with pytest.raises(ValueError, match="a stored fit (has 3 predictions for 40 samples|predicts class 8)"):
        scored({"outputs": {"errors": to_text(errors)}}, y, y, y, ALWAYS)


def test_a_detector_stores_its_estimate_of_the_noise_rate(parts):
    cleaned = {"estimator": "ironbark.CleanedClassifier", "params": {}, "tune": {}}
    record = fit.run(cleaned, IDS, *parts, wanted=records.OUTPUTS)
    clean = np.where(np.arange(len(parts[1])) % 4 == 0, parts[1], 0)
    found = scored(record, parts[3], clean, parts[1], ["noise_rate_error", "detection_precision", "called_recall"])
    model = CleanedClassifier(random_state=record["seed"]).fit(*parts[:2])
    wrong = clean != parts[1]
    assert found["noise_rate_error"] == abs(model.detector_.noise_rate_ - wrong.mean())
    assert found["called_recall"] == model.detector_.is_error_[wrong].mean()
    assert found["detection_precision"] == wrong[model.detector_.ranking_[: wrong.sum()]].mean()


def test_scores_alone_are_those_of_the_outputs(parts):
    X, noisy, X_test, y = parts
    record = fit.run(SVC, IDS, *parts, wanted=["probabilities"])
    light = with_scores_only(record, y, noisy, noisy)
    names = [name for name in ALL if METRICS[name].output in ("labels", "probabilities")]
    assert "outputs" not in light and set(light["scores"]) == set(names)
    found, other = (scored(one, y, noisy, noisy, names) for one in (record, light))
    assert found.keys() == other.keys() and "no brier: LinearSVC has no predict_proba" in other["message"]
    for name in found.keys() - set(records.MEASURED):
        assert str(found[name]) == str(other[name])
    assert outputs_in(light) == {"labels", "probabilities"} == outputs_in(record)
    with pytest.raises(ValueError, match="it has scores only, and not detection"):
        scored(light, y, noisy, noisy, ["detection"])


@pytest.mark.parametrize(("vector", "size"), [([0, 0, -3], 1), ([1, -1, 1, 1], 4), ([3, 1], 1.6), ([0.0, 0.0], 0)])
def test_effective_size(vector, size):
    assert effective_size(vector) == pytest.approx(size)


def test_facts_of_a_minimax_booster():
    class Booster:
        minimax_risk_ = np.float64(0.25)
        mu_ = np.array([0.5, 0.0, -0.5])
        weights_ = np.array([0.1, -0.1, 0.0, 0.1])

    found = facts(Booster())
    assert (found["minimax_risk"], found["effective_rules"]) == (0.25, 2)
    assert found["effective_samples"] == pytest.approx(3)
    assert math.isnan(found["n_leaves"]) and all(type(value) is float for value in found.values())
