"""How many samples are called errors."""

import numpy as np
import pytest

from ironbark.label_errors.cut import error_probabilities, n_flagged


def test_error_probabilities_have_the_estimated_sum_and_fall_along_the_ranking():
    rng = np.random.default_rng(0)
    doubt = rng.random(300)
    ranking = np.argsort(-doubt + rng.normal(0, 0.1, 300))
    for n_errors in (3.0, 90.0, 250.0):
        found = error_probabilities(doubt, ranking, n_errors)
        assert found.sum() == pytest.approx(n_errors) and (np.diff(found) <= 1e-12).all()


def test_no_errors():
    assert error_probabilities(np.full(10, 0.4), np.arange(10), 0.0).sum() < 1e-6


def test_cuts_by_hand():
    wrong = np.array([1.0, 0.9, 0.8, 0.5, 0.1, 0.0])
    assert n_flagged("count", 0.9, wrong, 0.5) == 3
    assert n_flagged(1 / 3, 0.9, wrong, 0.5) == 2
    assert n_flagged("precision", 0.9, wrong, 0.5) == 3  # 2.7 of 3
    assert n_flagged("precision", 0.8, wrong, 0.5) == 4  # 3.2 of 4
    assert n_flagged("precision", 1.0, wrong, 0.5) == 1
    assert n_flagged("precision", 0.9, wrong * 0.5, 0.5) == 0


@pytest.mark.parametrize("precision", [0.6, 0.75, 0.9])
def test_precision_is_calibrated(precision):
    """Errors drawn from the doubts themselves, of which the scale is unknown to the cut."""
    rng = np.random.default_rng(1)
    true = rng.beta(0.3, 0.7, 20_000)
    error = rng.random(20_000) < true
    logits = np.log(true.clip(1e-9) / (1 - true).clip(1e-9)) - 1.0  # too small
    doubt = 1 / (1 + np.exp(-logits))
    ranking = np.argsort(-doubt, kind="stable")
    flagged = ranking[: n_flagged("precision", precision, error_probabilities(doubt, ranking, error.sum()), 0.0)]
    assert error[flagged].mean() == pytest.approx(precision, abs=0.02)
