"""Scores against their definitions."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ironbark import records
from ironbark.protocols.metrics import METRICS, scores

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@pytest.mark.filterwarnings("ignore:A single label")
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
    assert set(METRICS) <= set(records.COLUMNS)
