"""How many samples are called errors."""

import numpy as np
import pytest

from ironbark.label_errors.noise_estimate import error_probabilities, n_flagged


def problem(n=30_000, noise_rate=0.3, seed=0):
    """Probabilities of true classes that are too flat, labels after uniform noise, and which of them are wrong."""
    rng = np.random.default_rng(seed)
    clean = rng.dirichlet(np.full(4, 0.2), n)
    true = (rng.random((n, 1)) > clean.cumsum(axis=1)).sum(axis=1).clip(0, 3)
    error = rng.random(n) < noise_rate
    labels = np.where(error, (true + rng.integers(1, 4, n)) % 4, true)
    flat = clean**0.7
    return flat / flat.sum(axis=1, keepdims=True), labels, error


def ranked(probabilities, labels):
    return np.argsort(probabilities[np.arange(len(labels)), labels], kind="stable")


@pytest.mark.parametrize("noise_rate", [0.0, 0.1, 0.4])
def test_error_probabilities(noise_rate):
    probabilities, labels, error = problem(noise_rate=noise_rate)
    ranking = ranked(probabilities, labels)
    found = error_probabilities(probabilities, labels, ranking, error.mean())
    assert (np.diff(found) <= 1e-12).all() and found.min() >= 0 and found.max() <= 1
    assert found.mean() == pytest.approx(noise_rate, abs=0.02)
    for part in np.array_split(np.arange(len(ranking)), 20):
        assert found[part].mean() == pytest.approx(error[ranking[part]].mean(), abs=0.1)


def test_cuts_by_hand():
    wrong = np.array([1.0, 0.9, 0.8, 0.5, 0.1, 0.0])
    assert n_flagged("count", 0.9, wrong, 0.5) == 3
    assert n_flagged(1 / 3, 0.9, wrong, 0.5) == 2
    assert n_flagged("precision", 0.9, wrong, 0.5) == 3  # 2.7 of 3
    assert n_flagged("precision", 0.8, wrong, 0.5) == 4  # 3.2 of 4
    assert n_flagged("precision", 1.0, wrong, 0.5) == 1
    assert n_flagged("precision", 0.9, wrong * 0.5, 0.5) == 0


@pytest.mark.parametrize("precision", [0.8, 0.9, 0.97])
def test_precision_is_calibrated(precision):
    probabilities, labels, error = problem(seed=1)
    ranking = ranked(probabilities, labels)
    wrong = error_probabilities(probabilities, labels, ranking, 0.3)
    flagged = ranking[: n_flagged("precision", precision, wrong, 0.3)]
    assert error[flagged].mean() == pytest.approx(precision, abs=0.03)
