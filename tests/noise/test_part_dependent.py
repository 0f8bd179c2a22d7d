"""Rates from the truncated normal distribution, and targets from random projections."""

import numpy as np
import pytest
from scipy.stats import kstest, truncnorm

from ironbark.noise import apply
from ironbark.noise.instance_dependent import _rates


def naive_targets(X, y, n_classes, rng):
    """Softmax over the other classes, one sample at a time."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    weights = [rng.standard_normal((X.shape[1], n_classes)) for _ in range(n_classes)]
    targets = np.zeros((len(y), n_classes))
    for i, true in enumerate(y):
        scores = {j: sum(X[i, d] * weights[true][d, j] for d in range(X.shape[1])) for j in range(n_classes)}
        del scores[true]
        total = sum(np.exp(score) for score in scores.values())
        for j, score in scores.items():
            targets[i, j] = np.exp(score) / total
    return targets


def test_matrix_against_a_loop_over_samples():
    rng = np.random.default_rng(0)
    y, X = rng.integers(0, 3, 90), rng.normal(size=(90, 4)) * [1, 10, 0.1, 3]
    result = apply("part_dependent", np.column_stack([X, np.ones(90)]), y, 3, 0.4, np.random.default_rng(5))
    twin = np.random.default_rng(5)
    targets = naive_targets(X, y, 3, twin)
    rates = truncnorm(-4, 6, loc=0.4, scale=0.1).rvs(90, random_state=twin)
    for true in range(3):
        expected = (rates[:, None] * targets)[y == true].mean(axis=0)
        expected[true] = 1 - expected.sum()
        np.testing.assert_allclose(result.transition[true], expected, atol=1e-12)


@pytest.mark.parametrize("rate", [0.02, 0.2, 0.6])
def test_rates_follow_the_truncated_normal(rate):
    rates = _rates(rate, 0.1, 20_000, np.random.default_rng(0))
    assert rates.min() >= 0 and rates.max() <= 1
    assert kstest(rates, truncnorm((0 - rate) / 0.1, (1 - rate) / 0.1, loc=rate, scale=0.1).cdf).pvalue > 1e-4
    if rate == 0.2:  # truncated at 0, not at the rate
        assert (rates < rate).mean() > 0.45
