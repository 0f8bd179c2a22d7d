"""Features into fits and scores out of them: by definition, by scikit-learn, and never from test samples."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scored_fits
from scipy.stats import zscore
from scored_fits import ALL
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer

from ironbark import CleanedClassifier
from ironbark.encoding import encode
from ironbark.pipeline.data import bundle
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt, shard
from ironbark.pipeline.metrics import ALWAYS, METRICS, outputs
from ironbark.pipeline.protocols import fit, preprocessing
from ironbark.pipeline.protocols.imputation import imputed, of_split
from ironbark.pipeline.protocols.model_outputs import facts
from ironbark.pipeline.protocols.scoring import outputs_in, scored, with_scores_only
from ironbark.pipeline.results import noisy_labels, records
from ironbark.pipeline.results.noisy_labels import Split
from ironbark.pipeline.results.store import to_text

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
    of_labels = {"labels", "f1", "average_precision_labels"}
    assert outputs_in(light) == of_labels | {"probabilities"} == outputs_in(record)
    del light["scores"]["f1"], light["scores"]["brier"]  # as in a pack that is older than these metrics
    assert outputs_in(light) == of_labels - {"f1"} and not {"labels", *outputs(["f1"], "binary")} <= outputs_in(light)
    with pytest.raises(ValueError, match="it has scores only, and not detection"):
        scored(light, y, noisy, noisy, ["detection"])


def test_facts_of_a_minimax_booster():
    class Booster:
        minimax_risk_ = np.float64(0.25)
        mu_, mu_path_ = np.array([0.5, 0.0, -0.5]), []
        weights_ = np.array([0.1, -0.3, 0.0])

    found = facts(Booster())
    assert (found["minimax_risk"], found["effective_rules"]) == (0.25, 2)
    assert found["effective_samples"] == pytest.approx(1.6)
    Booster.mu_ = np.zeros(2)
    assert facts(Booster())["effective_rules"] == 0
    assert math.isnan(found["n_leaves"]) and all(type(value) is float for value in found.values())


def test_rows_are_scaled_as_by_scipy():
    X = np.random.default_rng(0).normal(3, 5, size=(7, 4))
    np.testing.assert_allclose(preprocessing.apply("zscore-rows", X), zscore(X, axis=1), atol=1e-14)
    assert preprocessing.apply("zscore-rows", [[2.0, 2.0], [1.0, 3.0]]).tolist() == [[0, 0], [-1, 1]]
    X = np.eye(2)
    assert preprocessing.apply(None, X) is X


def test_training_and_test_features_are_scaled():
    """The class is the sign of the difference to the other feature, which scaled rows show in one split."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 1)) * 50 + rng.normal(size=(400, 2))
    y = (X[:, 0] > X[:, 1]).astype(int)
    method = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": 1}, "tune": {}}
    parts = X[:200], y[:200], X[200:], y[200:]
    ids = ("d", "binary", "p", 0, 0, "clean")
    plain, scaled = (scored_fits.run(method | {"preprocess": name}, ids, *parts) for name in (None, "zscore-rows"))
    assert scaled["accuracy"] == 1 and plain["accuracy"] < 0.7


NAN = np.nan
TRAIN = np.array([[1.0, 0.0, NAN], [2.0, NAN, NAN], [NAN, 2.0, NAN], [6.0, 2.0, NAN]])
TEST = np.array([[NAN, NAN, 5.0], [100.0, 1.0, NAN]])


@pytest.mark.parametrize(("strategy", "first"), [("mean", 3.0), ("median", 2.0), ("most_frequent", 1.0)])
def test_by_definition(strategy, first):
    train, test = imputed(TRAIN, TEST, strategy, categorical=[1])
    assert train.tolist() == [[1, 0, 0], [2, 2, 0], [first, 2, 0], [6, 2, 0]]
    assert test.tolist() == [[first, 2, 5], [100, 1, 0]]


TABLE = pd.DataFrame({"a": [1.0, None, 3.0, 4.0, 5.0, None] * 5, "b": ["x", "y", None, "x", "x", "y"] * 5})


@pytest.fixture
def prepared_with(tmp_path):
    """Function of a strategy: the prepared data set."""
    TABLE.assign(target=[0, 1, 2] * 10).to_csv(tmp_path / "own.csv", index=False)

    def prepared_(strategy):
        entry = {"title": "Own", "source": "file", "path": str(tmp_path / "own.csv"), "missing": strategy}
        raw = fetch("own", entry, tmp_path / strategy / "raw", None)
        return prepare("own", entry, raw, tmp_path / strategy / "prepared")

    return prepared_


def test_what_test_samples_hold_changes_nothing_in_training(prepared_with):
    data = bundle.load(prepared_with("mean"))
    split = Split(0, 0, np.arange(12), np.arange(12, 30))
    train, test = of_split(data.features, split, data.meta)
    a = TABLE["a"][:12]
    assert np.array_equal(train.decode()[:, 0], a.fillna(a.mean()))
    assert np.array_equal(test[:, 0], TABLE["a"][12:].fillna(a.mean()))
    assert np.array_equal(train.decode()[:, 1], (TABLE["b"][:12].fillna("x") == "y").astype(float))
    other = of_split(data.features, split._replace(test=np.arange(20, 25)), data.meta)[0]
    assert np.array_equal(other.decode(), train.decode())


def test_strategies_do_not_share_fits_and_noise_sees_no_missing_value(prepared_with, tmp_path):
    """The prepared arrays are the same, so the key has to tell them apart."""
    keys = []
    for strategy in ("mean", "median"):
        folder, labels = prepared_with(strategy), tmp_path / f"{strategy}.npz"
        noises = {"mahalanobis": {"model": "mahalanobis", "rate": None, "params": {}}}
        protocol = {"kind": "repeated-cv", "repeats": 1, "options": {"folds": 3}}
        corrupt.run(Labels("own", "multiclass", noises, protocol), folder, labels)
        found = noisy_labels.read(labels, "mahalanobis")
        data, place = bundle.load(folder), (("own", "multiclass"), found.splits[0], found.noisy[0])
        keys.append(shard.depends_on(data, {}, *place) | {"labels": ""})
    assert keys[0] != keys[1] and keys[0] == keys[1] | {"imputed": "mean"}
    text = replace(data, meta=data.meta | {"categories": {data.meta["features"][1]: ["a", "b"]}})
    assert shard.depends_on(text, {}, *place)["categories"] == [1], "text is not imputed as numbers are"
    del text.meta["imputed"]
    found = [shard.depends_on(text, {"preprocess": name}, *place) for name in (None, "categories")]
    assert "categories" not in found[0] and found[1] == found[0] | {"categories": [1]}


def test_few_rows_get_levels_of_their_own_unless_features_are_categories():
    X, split = encode(np.random.default_rng(0).normal(size=(1000, 2))), Split(0, 0, np.array([3, 5, 9]), np.arange(2))
    for categories, n_levels in (({}, 6), ({"b": []}, 2000)):
        data = SimpleNamespace(features=X, meta={"features": ["a", "b"], "categories": categories}, y=lambda _: None)
        train, _ = shard.Parts(data, "binary").features(split, encoded=True)
        assert np.array_equal(train.decode(), X.take(split.train).decode()) and len(train.levels) == n_levels


def test_trees_part_the_categories_of_a_prepared_table():
    words = np.tile(["ash", "elm", "fir", "oak"], 20)
    y, ranks = np.tile([1, 0, 1, 0], 20), np.tile([0.0, 1.0, 2.0, 3.0], 20)
    X = encode(np.column_stack([np.arange(80.0), ranks]))
    meta = {"features": ["x", "tree"], "categories": {"tree": sorted(set(words))}, "digest": "d"}
    data = SimpleNamespace(features=X, meta=meta, y=lambda task: y)
    split = SimpleNamespace(train=np.arange(60), test=np.arange(60, 80), repeat=0, fold=0)
    method = {"estimator": "ironbark.RobustDecisionTreeClassifier", "params": {"max_depth": 1}, "tune": {}}
    for preprocess, accuracy in ((None, 0.75), ("categories", 1.0)):
        parts = shard.Parts(data, "binary")
        record = shard.trained(parts, {**method, "preprocess": preprocess}, ("t", "binary"), split, y[:60])
        assert record["status"] == "ok" and record["train_accuracy"] == pytest.approx(accuracy, abs=0.02)
