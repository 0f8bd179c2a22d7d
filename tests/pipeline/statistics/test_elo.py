"""Ratings against closed forms and an independent logistic regression, intervals against their definition."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from ironbark.pipeline.statistics import elo


def scores(values, names=None):
    """A frame of scores, one data set for each entry of `values`, a list of settings."""
    index = [(f"d{i}", "binary", f"n{j}") for i, settings in enumerate(values) for j in range(len(settings))]
    index = pd.MultiIndex.from_tuples(index, names=["dataset", "task", "noise_id"])
    rows = [line for settings in values for line in settings]
    return pd.DataFrame(rows, index=index, columns=names or [f"m{k}" for k in range(len(rows[0]))])


def test_shares_count_each_data_set_once_and_ties_half():
    found = elo.wins(scores([[[3, 2, 2], [1, 2, 0]], [[1, 1, 5]]]))
    assert found[0].tolist() == [[0, 0.5, 1], [0.5, 0, 0.75], [0, 0.25, 0]]
    assert found[1].tolist() == [[0, 0.5, 0], [0.5, 0, 0], [1, 1, 0]]
    assert elo.wins(scores([[[0.1 + 0.2, 0.3]]])).tolist() == [[[0, 0.5], [0.5, 0]]]  # unequal in the last bit only


@pytest.mark.parametrize(("won", "lost"), [(7.0, 3.0), (20.0, 0.0), (1.5, 1.5)])
def test_two_methods_have_the_log_odds_of_their_wins(won, lost):
    first, second = elo.ratings(np.array([[0, won], [lost, 0]]))
    assert first - second == pytest.approx(400 * np.log10((won + 0.5) / (lost + 0.5)), abs=1e-8)
    assert first + second == pytest.approx(2000)


def test_ratings_are_those_of_a_logistic_regression():
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 9, (6, 6)) * (1.0 - np.eye(6))
    rows, labels, weights = [], [], []
    for i, j in itertools.permutations(range(6), 2):
        rows += [np.eye(6)[i] - np.eye(6)[j]] * 2
        labels += [1, 0]
        weights += [counts[i, j] + 0.5 * elo.VIRTUAL, counts[j, i] + 0.5 * elo.VIRTUAL]
    model = LogisticRegression(C=1e10, fit_intercept=False, tol=1e-12, max_iter=10_000)
    strength = model.fit(rows, labels, weights).coef_[0]
    expected = 1000 + 400 / np.log(10) * (strength - strength.mean())
    np.testing.assert_allclose(elo.ratings(counts), expected, atol=1e-3)


def test_a_method_that_always_wins_has_a_finite_rating():
    counts = 1000.0 * np.triu(np.ones((30, 30)), 1)
    found = elo.ratings(counts)
    assert np.isfinite(found).all() and (np.diff(found) < 0).all()


def test_intervals_are_percentiles_over_data_sets():
    values = scores([[[1, 2, 3]], [[3, 1, 2]], [[2, 3, 1]], [[3, 2, 1]]])
    shares = elo.wins(values)
    low, high = elo.intervals(shares)
    draws = np.random.default_rng(0).multinomial(4, [0.25] * 4, size=elo.DRAWS)
    each = [elo.ratings(sum(n * share for n, share in zip(draw, shares, strict=True))) for draw in draws]
    np.testing.assert_allclose([low, high], np.quantile(each, [0.025, 0.975], axis=0), atol=1e-6)
    assert (low <= elo.ratings(shares.sum(axis=0))).all() and (high >= elo.ratings(shares.sum(axis=0))).all()
