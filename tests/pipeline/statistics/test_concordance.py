"""Rank correlations with permutation p-values, and the same best method, against enumeration and by hand."""

import itertools
from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ironbark.pipeline.statistics import concordance


def lines(theirs, ours):
    """Arrays of shape (settings, methods)."""
    cells = [
        ("d", "uniform", str(i), f"m{j}", theirs[i][j], ours[i][j])
        for i in range(len(theirs))
        for j in range(len(theirs[i]))
    ]
    frame = pd.DataFrame(cells, columns=[*concordance.SETTING, "method", "published_mean", "mean"])
    return frame.dropna(subset="mean")


def better(frame, value=True):
    return pd.Series(value, frame.index)


@pytest.mark.parametrize(("methods", "settings"), [(3, 1), (4, 3), (5, 2)])
def test_same_as_enumeration_with_ties(methods, settings):
    rng = np.random.default_rng(methods)
    theirs, ours = rng.integers(0, 4, (2, settings, methods)).astype(float)
    theirs[:, 0], ours[:, 0] = 9, 9  # no side is constant
    found = concordance.correlation(lines(theirs, ours))

    def mean_rho(order):
        pairs = zip(theirs, ours[:, list(order)], strict=True)
        return np.mean([stats.spearmanr(one, two).statistic for one, two in pairs])

    all_orders = np.array([mean_rho(order) for order in itertools.permutations(range(methods))])
    assert found.rho == pytest.approx(mean_rho(range(methods)))
    assert found.p == pytest.approx((all_orders >= found.rho - 1e-9).mean())
    assert (found.methods, found.settings) == (methods, settings)


def test_constant_settings_and_methods_that_are_not_everywhere_are_left_out():
    theirs = [[1, 2, 3, 4], [5, 5, 5, 9], [1, 2, 3, 4]]
    ours = [[1, 2, 3, 4], [1, 2, 3, 4], [3, 2, 1, np.nan]]
    found = concordance.correlation(lines(theirs, ours))
    assert (found.rho, found.methods, found.settings) == (pytest.approx(0), 3, 2)


@pytest.mark.parametrize("methods", [0, 1, 2])
def test_fewer_than_three_methods_have_no_order(methods):
    found = concordance.correlation(lines(np.ones((2, methods)), np.ones((2, methods))))
    assert np.isnan(found.rho) and np.isnan(found.p)


def test_nine_methods_are_sampled_and_eight_enumerated():
    for methods, least in ((3, 1 / factorial(3)), (8, 1 / factorial(8)), (9, 1 / (concordance.RESAMPLES + 1))):
        values = np.tile(np.arange(methods, dtype=float), (1 + 19 * (methods == 3), 1))  # settings do not count
        assert concordance.correlation(lines(values, values)).p == pytest.approx(least, rel=0.5)


def test_same_best_by_hand():
    theirs = [[3, 2, 1], [3, 3, 1], [1, 2, 3], [1, 2, 3]]
    ours = [[9, 2, 1], [1, 9, 2], [9, 2, 1], [1, 9, 9]]  # hit; hit on a tie; miss; hit on a tie of ours
    frame = lines(theirs, ours)
    found = concordance.same_best(frame, better(frame))
    assert (found.count, found.settings) == (3, 4)
    assert found.by_chance == pytest.approx(1 / 3 + 2 / 3 + 1 / 3 + 2 / 3)
    assert concordance.same_best(frame, better(frame, False)).count == 2  # of errors the smallest: hit, miss, miss, hit
