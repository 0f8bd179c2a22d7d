import numpy as np
import pytest
from result_rows import result_rows
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.pipeline.statistics import significance


def rows(folds=1, **values):
    return result_rows({("d", "clean", method): runs for method, runs in values.items()}, folds=folds)


A = np.random.default_rng(0).normal(0.80, 0.02, 20)
B = np.random.default_rng(1).normal(0.79, 0.02, 20)
TRIALS = np.repeat(np.arange(4), 5)


@pytest.mark.parametrize(("n_train", "share"), [(80, 1 / 4), (10, 2)])
def test_the_share_of_folds_is_that_of_the_samples_they_train_on(n_train, share):
    results = rows(5, m=A, r=B)
    results = results.assign(protocol="repeated-cv", n_train=n_train, n_test=20)
    plain, _ = stats.ttest_rel(A, B)
    found = significance.verdicts(results, "m", ["r"], test="corrected")
    assert found["t"].item() == pytest.approx(plain * np.sqrt((1 / 20) / (1 / 20 + share)))


@pytest.mark.parametrize(("sd", "difference", "n"), [(1.0, 1.0, 10), (2.0, 1.0, 34), (1.0, 0.2, 199), (0.0, 1.0, 2)])
def test_pairs_needed_are_those_of_textbooks(sd, difference, n):
    assert significance.pairs_needed(sd, difference) == n  # G*Power 3.1, two dependent means


def test_so_many_pairs_find_the_difference_as_often_as_asked():
    n, rng = significance.pairs_needed(3.0, 1.5, power=0.9), np.random.default_rng(0)
    for size, enough in ((n, True), (n - 4, False)):
        found = stats.ttest_1samp(rng.normal(1.5, 3.0, (20_000, size)), 0, axis=1).pvalue < 0.05
        assert (found.mean() > 0.895) == enough and found.mean() > 0.85


def test_training_sizes_are_no_folds():
    results = rows(5, m=A, r=B).assign(n_train=10, n_test=20)
    assert significance.possible(results.assign(protocol="training-sizes")) == ["trial-means"]
    assert significance.possible(results.assign(protocol="repeated-cv")) == list(significance.TESTS)


@pytest.mark.parametrize("constant", [0.0, 0.1])
@pytest.mark.parametrize("test", significance.TESTS)
def test_differences_without_variance_tie(test, constant):
    assert significance.TESTS[test]((A + constant) - A, TRIALS) == (0.0, 1.0)


def test_runs_are_paired_by_repeat_and_not_by_position():
    results = rows(m=A, r=B).iloc[::-1]
    found = significance.verdicts(results, "m", ["r"])
    assert (found["t"].item(), found["p"].item()) == pytest.approx(tuple(stats.ttest_rel(A, B)))


def test_failed_fits_leave_their_pair_out_and_are_counted():
    broken = B.copy()
    broken[3] = np.nan
    found = significance.verdicts(rows(m=A, r=broken), "m", ["r"])
    assert (found["n"].item(), found["failed"].item()) == (19, 1)
    assert found["p"].item() == pytest.approx(stats.ttest_rel(np.delete(A, 3), np.delete(B, 3)).pvalue)


@pytest.mark.parametrize("size", [1, 2, 7, 60])
def test_holm_is_that_of_statsmodels(size):
    p = np.random.default_rng(size).random(size) ** 3
    assert significance.holm(p).tolist() == multipletests(p, method="holm")[1].tolist()
