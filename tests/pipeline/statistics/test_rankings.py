"""Ranks, ratings and concordance against printed values, scipy, other algorithms and enumeration."""

import itertools
from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression

from ironbark.pipeline.statistics import concordance, elo, ranks

# Demsar 2006, Table 5(a): critical values of the two-tailed Nemenyi test
DEMSAR_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
DEMSAR_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]


@pytest.mark.parametrize(("alpha", "printed", "example"), [(0.05, DEMSAR_05, 1.25), (0.10, DEMSAR_10, 1.12)])
def test_critical_values_and_the_critical_difference_of_the_example_are_the_printed_ones(alpha, printed, example):
    # the paper rounds q before and after the division by sqrt(2): half a unit each way
    found = [ranks.critical_difference(k, k * (k + 1) / 6, alpha) for k in range(2, 11)]
    assert found == pytest.approx(printed, abs=1.1e-3)
    assert ranks.critical_difference(4, 14, alpha) == pytest.approx(example, abs=0.005)  # of his section 3.2.2


def table(values):
    return pd.DataFrame(values, pd.Index(range(len(values)), name="dataset"), list("abcdefgh")[: np.shape(values)[1]])


def test_average_ranks_and_friedman():
    values = np.random.default_rng(0).integers(0, 5, (12, 4)) / 4
    averaged = ranks.dataset_ranks(table(values))
    assert averaged[list("abcd")].tolist() == pytest.approx(stats.rankdata(-values, axis=1).mean(axis=0).tolist())
    values = np.random.default_rng(1).random((9, 4))
    statistic, p = ranks.friedman(table(values))
    assert (statistic, p) == pytest.approx(tuple(stats.friedmanchisquare(*values.T)))
    assert ranks.friedman(table(np.ones((4, 3)))) == (0.0, 1.0)
    assert ranks.friedman(pd.concat([table(values)] * 5)) == (statistic, p), "noises of a data set are no more evidence"


def test_scores_drop_incomplete_settings_and_methods_that_finished_few_or_none():
    missing = np.nan
    means = {"a": [0.1, 0.3, 0.5], "b": [0.2, 0.4, missing], "c": [missing, missing, 0.6], "d": [missing] * 3}
    cells = pd.DataFrame(means, ["d1", "d2", "d3"]).melt(ignore_index=False, var_name="method", value_name="mean")
    cells = cells.rename_axis("dataset").reset_index().assign(task="binary", noise_id="clean")
    complete, dropped = ranks.scores(cells)
    assert dropped == 1 and complete.to_dict("list") == {"a": [0.1, 0.3], "b": [0.2, 0.4]}
    half, _ = ranks.scores(cells[(cells["dataset"] != "d1") & (cells["method"] != "b")])
    assert half.to_dict("list") == {"a": [0.5], "c": [0.6]}, "half of the settings is enough"
    _, notes = ranks.compared(cells, {}, {"c": "Third", "d": "Fourth"})
    assert notes[0] == "Not compared, since less than half of the settings have a value: Third, Fourth."


def score_frame(values, names=None):
    """A frame of scores, one data set for each entry of `values`, a list of settings."""
    index = [(f"d{i}", "binary", f"n{j}") for i, settings in enumerate(values) for j in range(len(settings))]
    index = pd.MultiIndex.from_tuples(index, names=["dataset", "task", "noise_id"])
    rows = [line for settings in values for line in settings]
    return pd.DataFrame(rows, index=index, columns=names or [f"m{k}" for k in range(len(rows[0]))])


def test_shares_count_each_data_set_once_and_ratings_are_finite():
    found = elo.wins(score_frame([[[3, 2, 2], [1, 2, 0]], [[1, 1, 5]]]))
    assert found[0].tolist() == [[0, 0.5, 1], [0.5, 0, 0.75], [0, 0.25, 0]]
    assert found[1].tolist() == [[0, 0.5, 0], [0.5, 0, 0], [1, 1, 0]]
    assert elo.wins(score_frame([[[0.1 + 0.2, 0.3]]])).tolist() == [[[0, 0.5], [0.5, 0]]]  # in the last bit
    counts = 1000.0 * np.triu(np.ones((30, 30)), 1)
    found = elo.ratings(counts)
    assert np.isfinite(found).all() and (np.diff(found) < 0).all()


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


def test_intervals_are_percentiles_over_data_sets_as_far_out_as_t():
    values = score_frame([[[1, 2, 3]], [[3, 1, 2]], [[2, 3, 1]], [[3, 2, 1]], [[1, 3, 2]], [[2, 1, 3]]])
    shares = elo.wins(values)
    low, high = elo.intervals(shares)
    draws = np.array([np.bincount(draw, minlength=6) for draw in itertools.product(range(6), repeat=6)])
    tail = stats.norm.cdf(-stats.t.ppf(0.975, 5) * np.sqrt(6 / 5))
    each = elo.ratings(np.tensordot(draws, shares, 1))
    expected = np.quantile(each.round(6), [tail, 1 - tail], axis=0, method="inverted_cdf")
    np.testing.assert_allclose([low, high], expected, atol=1e-5)
    assert (low <= elo.ratings(shares.sum(axis=0))).all() and (high >= elo.ratings(shares.sum(axis=0))).all()
    assert elo.resamples(7)[1].sum() == pytest.approx(1) and len(elo.resamples(8)[0]) == elo.DRAWS


def lines(theirs, ours):
    """Arrays of shape (settings, methods)."""
    pairs = [(i, j) for i, line in enumerate(theirs) for j in range(len(line))]
    cells = [("d", "binary", "error", "uniform", str(i), f"m{j}", theirs[i][j], ours[i][j]) for i, j in pairs]
    frame = pd.DataFrame(cells, columns=[*concordance.SETTING, "method", "published_mean", "mean"])
    return frame.dropna(subset="mean")


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
    assert found["rho"] == pytest.approx(mean_rho(range(methods)))
    assert found["p"] == pytest.approx((all_orders >= found["rho"] - 1e-9).mean())
    assert (found["methods"], found["settings"]) == (methods, settings)


def test_interval_of_a_rank_correlation_is_that_of_all_draws_of_data_sets():
    first, second = (pd.DataFrame(np.random.default_rng(seed).random((4, 6))) for seed in (36, 37))
    draws = [list(rows) for rows in itertools.product(range(4), repeat=4)]
    rho = [stats.spearmanr(first.loc[rows].mean(), second.loc[rows].mean()).statistic for rows in draws]
    found = concordance.spearman_interval(first, second)
    assert found == pytest.approx(np.quantile(rho, [0.05, 0.95]), abs=0.1)  # 0.28 less at 0.025
    assert np.isnan(concordance.spearman_interval(first[:2], second[:2])).all()


def test_constant_settings_are_left_out_and_nine_methods_sampled():
    theirs = [[1, 2, 3, 4], [5, 5, 5, 9], [1, 2, 3, 4]]
    ours = [[1, 2, 3, 4], [1, 2, 3, 4], [3, 2, 1, np.nan]]
    found = concordance.correlation(lines(theirs, ours))
    assert (found["rho"], found["methods"], found["settings"]) == (pytest.approx(0), 3, 2)
    for methods, least in ((3, 1 / factorial(3)), (8, 1 / factorial(8)), (9, 1 / (concordance.RESAMPLES + 1))):
        values = np.tile(np.arange(methods, dtype=float), (1 + 19 * (methods == 3), 1))  # settings do not count
        assert concordance.correlation(lines(values, values))["p"] == pytest.approx(least, rel=0.5)


def test_same_best_by_hand():
    theirs = [[3, 2, 1], [3, 3, 1], [1, 2, 3], [1, 2, 3]]
    ours = [[9, 2, 1], [1, 9, 2], [9, 2, 1], [1, 9, 9]]  # hit; hit on a tie; miss; hit on a tie of ours
    frame = lines(theirs, ours)
    found = concordance.same_best(frame, pd.Series(True, frame.index))
    assert (found["count"], found["settings"]) == (3, 4)
    assert found["by_chance"] == pytest.approx(1 / 3 + 2 / 3 + 1 / 3 + 2 / 3)
    found = concordance.same_best(frame, pd.Series(False, frame.index))
    assert found["count"] == 2  # of errors the smallest: hit, miss, miss, hit
    assert concordance.same_best(lines([[1, 2]], [[1, 2]]), True) == {"count": 1, "settings": 1, "by_chance": 0.5}


def test_means_that_differ_in_their_last_bits_are_tied_and_two_have_no_correlation():
    theirs, ours = [0.3, 0.1 + 0.2, 0.5], [2.0, 1.0, 3.0]
    tied = stats.spearmanr([1, 1, 2], ours).statistic
    assert concordance.spearman(pd.Series(theirs), pd.Series(ours)) == pytest.approx(tied)
    assert concordance.correlation(lines([theirs], [ours]))["rho"] == pytest.approx(tied)
    assert concordance.same_best(lines([theirs[:2]], [ours[:2]]), True)["count"] == 1
    assert np.isnan(concordance.spearman(pd.Series([1.0, 2.0]), pd.Series([1.0, 2.0])))
    for few in (np.ones((2, methods)) for methods in range(3)):
        assert np.isnan(concordance.correlation(lines(few, few))["p"])
