"""Scores against their definitions."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ironbark.pipeline.protocols.metrics import METRICS, SCORE_METRICS, minority, score_metrics, scores, scores_of
from ironbark.pipeline.results import records

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@pytest.mark.filterwarnings("ignore:A single label")
@settings(deadline=None)
@given(PAIRS)
def test_by_definition(pairs):
    y_true, y_pred = np.array(pairs).T
    found = scores(y_true, y_pred)
    recalls = [np.mean(y_pred[y_true == k] == k) for k in np.unique(y_true)]
    assert found["accuracy"] == pytest.approx(sum(a == b for a, b in pairs) / len(pairs), abs=1e-15)
    assert found["error"] == pytest.approx(1 - found["accuracy"], abs=1e-15)
    assert found["balanced_accuracy"] == pytest.approx(np.mean(recalls), abs=1e-12)
    assert all(type(value) is float for value in found.values())


def test_a_class_that_is_only_predicted_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert scores(np.array([0, 0, 1]), np.array([0, 2, 1])) == {
            "accuracy": 2 / 3,
            "balanced_accuracy": 0.75,
            "error": pytest.approx(1 / 3),
        }


def test_every_metric_has_a_column():
    assert set(METRICS) | set(SCORE_METRICS) <= set(records.COLUMNS)


class Scored:
    """Gives fixed scores, as probabilities or as a decision function."""

    def __init__(self, p, name="predict_proba", classes=(0, 1)):
        self.classes_ = np.array(classes)
        found = {"predict_proba": np.column_stack([1 - p, p][-len(classes) :]), "decision_function": p}
        setattr(self, name, lambda X: found[name])


def precision_by_hand(positive, score):
    """Sum over the thresholds, from above, of precision times the gain in recall."""
    total, recall = 0.0, 0.0
    for threshold in sorted(set(score), reverse=True):
        chosen = score >= threshold
        reached = positive[chosen].sum() / positive.sum()
        total += positive[chosen].mean() * (reached - recall)
        recall = reached
    return total


@pytest.mark.parametrize("name", ["predict_proba", "decision_function"])
@pytest.mark.parametrize("rare", [0, 1])
@pytest.mark.parametrize("seed", range(5))
def test_average_precision_is_that_of_the_rarer_class(name, rare, seed):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(80) < 0.2, rare, 1 - rare)
    p = rng.random(80).round(1)
    found = score_metrics(Scored(p, name), np.zeros((80, 1)), y, 2)["average_precision"]
    assert found == pytest.approx(precision_by_hand(y == rare, p if rare == 1 else -p))


def test_average_precision_has_a_meaning_or_is_nan():
    X, y, p = np.zeros((4, 1)), np.array([0, 1, 1, 0]), np.array([0.1, 0.9, 0.8, 0.2])
    assert minority(y) == 1
    assert score_metrics(Scored(p), X, y, 2) == {"average_precision": 1.0}
    for model, labels, n_classes in ((Scored(p), y, 3), (object(), y, 2), (Scored(p), 0 * y, 2)):
        assert np.isnan(score_metrics(model, X, labels, n_classes)["average_precision"])
    assert scores_of(Scored(p, classes=(0,)), X, 1).tolist() == [0, 0, 0, 0]
