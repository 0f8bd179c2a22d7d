"""Metrics against their definitions and against scikit-learn's own scorers."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from ironbark.pipeline.metrics import ALWAYS, functions
from ironbark.pipeline.metrics.functions import NoValue, Outcome, scores

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
RIGHT = np.zeros(3, bool)


def outcome(y_true, y_pred=None, n_classes=2, wrong=RIGHT, **outputs):
    y_true = np.asarray(y_true)
    y_pred = y_true if y_pred is None else np.asarray(y_pred)
    gaps = {} if "probabilities" in outputs else {"probabilities": "SVC has no predict_proba"}
    return Outcome(y_true, y_pred, n_classes, outputs, gaps, wrong)


@pytest.mark.filterwarnings("ignore:A single label", "ignore:y_pred contains")
@settings(deadline=None)
@given(PAIRS)
def test_of_labels_to_the_bit_as_scikit_learn(pairs):
    y_true, y_pred = np.array(pairs).T
    found, reasons = scores(outcome(y_true, y_pred, 4), ALWAYS)
    twins = (metrics.accuracy_score, metrics.balanced_accuracy_score, metrics.zero_one_loss)
    assert [found[name] for name in ALWAYS] == [twin(y_true, y_pred) for twin in twins]
    assert all(type(value) is float for value in found.values()) and reasons == {}


def test_a_class_that_is_only_predicted_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, _ = scores(outcome([0, 0, 1], [0, 2, 1], 3), ALWAYS)
    assert found == {"accuracy": 2 / 3, "balanced_accuracy": 0.75, "error": pytest.approx(1 / 3)}


def test_what_has_no_value_is_nan_with_a_sentence():
    y, p = np.array([0, 1, 1, 0]), np.array([0.1, 0.9, 0.8, 0.2])
    assert functions.average_precision(outcome(y, decision=p)) == 1.0
    assert functions.average_precision_labels(outcome(y)) == 1.0
    even = outcome([0, 0, 1, 1], decision=np.array([0.9, 0.1, 0.5, 0.6]))  # class 1 if both are as frequent
    assert functions.average_precision(even) == pytest.approx((1 / 2 + 2 / 3) / 2)
    for other in (outcome(y, n_classes=3, decision=p), outcome(y), outcome(0 * y, decision=p)):
        assert np.isnan(functions.average_precision(other))
        assert np.isnan(functions.average_precision_trapezoid(other))
    found, reasons = scores(outcome(y, decision=y.astype(float)), ["brier", "log_loss", "roc_auc"])
    assert np.isnan(found["brier"]) and np.isnan(found["log_loss"]) and found["roc_auc"] == 1.0
    assert reasons == dict.fromkeys(["brier", "log_loss"], "SVC has no predict_proba")
    with pytest.raises(NoValue, match="the test part lacks a class"):
        functions.roc_auc(outcome(y, n_classes=3))


@pytest.mark.parametrize("kind", ["probabilities", "decision"])
@pytest.mark.parametrize("rare", [0, 1])
def test_average_precision_is_that_of_the_rarer_class_by_steps_and_by_trapezoids(kind, rare):
    rng = np.random.default_rng(rare)
    y, p = np.where(rng.random(80) < 0.2, rare, 1 - rare), rng.random(80).round(1)
    positive, score = y == rare, p if rare == 1 else -p
    found = outcome(y, **{kind: np.column_stack([1 - p, p]) if kind == "probabilities" else p})
    assert functions.average_precision(found) == pytest.approx(metrics.average_precision_score(positive, score))
    called = (p > 0.6) == rare
    precision, recall = positive[called].mean(), called[positive].mean()
    by_hand = precision * recall + positive.mean() * (1 - recall)
    assert functions.average_precision_labels(outcome(y, (p > 0.6).astype(int))) == pytest.approx(by_hand)
    precision, recall, _ = metrics.precision_recall_curve(positive, score)
    area = -np.trapezoid(precision, recall)
    assert functions.average_precision_trapezoid(found) == pytest.approx(area) != functions.average_precision(found)


def test_metrics_of_label_errors_by_hand():
    wrong, called = np.array([True, True, False, False]), np.array([1, 0, 1, 1])
    for name, value in {"called_precision": 1 / 3, "called_recall": 1 / 2, "called_f1": 2 / 5}.items():
        score = functions.FUNCTIONS[name]
        assert score(outcome([0, 1], wrong=wrong, called_errors=called)) == pytest.approx(value)
        assert score(outcome([0, 1], wrong=wrong, called_errors=0 * called)) == 0
        assert np.isnan(score(outcome([0, 1], wrong=wrong & False, called_errors=called)))
    # ranked by suspicion: right, wrong, right, wrong; so the precision is 1/2 and 2/4
    quality, wrong = np.array([0.4, 0.1, 0.3, 0.2]), np.array([True, False, False, True])
    assert functions.detection(outcome([0, 1], wrong=wrong, label_quality=quality)) == 0.5
    assert functions.detection_precision(outcome([0, 1], wrong=wrong, label_quality=quality)) == 0.5
    for metric in (functions.detection, functions.detection_precision):
        for none in (np.zeros(4, bool), np.ones(4, bool)):
            assert np.isnan(metric(outcome([0, 1], wrong=none, label_quality=quality)))
        assert np.isnan(metric(outcome([0, 1], wrong=wrong)))
    wrong = np.array([False, True, True, False])
    for rate in (0.3, 0.7):
        found = functions.noise_rate_error(outcome([0, 1], wrong=wrong, noise_rate=np.array([rate])))
        assert found == pytest.approx(0.2)
    assert np.isnan(functions.noise_rate_error(outcome([0, 1], wrong=wrong)))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("sharpness", [0.2, 3.0])
def test_calibration_error_bin_by_bin(n_classes, sharpness):
    rng = np.random.default_rng(n_classes)
    proba, y = rng.dirichlet([1 / sharpness] * n_classes, 200), rng.integers(0, n_classes, 200)
    total = 0.0
    for k in range(15):  # 1 belongs to the last bin
        inside = [i for i in range(200) if k / 15 <= max(proba[i]) < (k + 1) / 15 or (k == 14 and max(proba[i]) == 1)]
        if inside:
            confidence = np.mean([max(proba[i]) for i in inside])
            accuracy = np.mean([list(proba[i]).index(max(proba[i])) == y[i] for i in inside])
            total += len(inside) / 200 * abs(accuracy - confidence)
    found = functions.calibration_error(outcome(y, n_classes=n_classes, probabilities=proba))
    assert found == pytest.approx(total) and found > 0.01
    last = np.zeros((2, n_classes))
    last[:, :2] = [[1.0, 0.0], [0.96, 0.04]]  # of one bin, whose distance is |1 - 0.04| / 2
    assert functions.calibration_error(outcome([1, 0], n_classes=n_classes, probabilities=last)) == pytest.approx(0.48)
    sure = np.eye(n_classes)[y]
    for labels, distance in ((y, 0.0), ((y + 1) % n_classes, 1.0)):
        assert functions.calibration_error(outcome(labels, n_classes=n_classes, probabilities=sure)) == distance
