"""`LabelReview`: evidence against slow twins, coverage at all looks, answers in any order, refusals."""

import functools
import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom, hypergeom
from sklearn.datasets import load_iris, make_classification

from ironbark import LabelErrorDetector
from ironbark.errors import InputError
from ironbark.label_errors import BoostingFilter, LabelReview
from ironbark.label_errors.strata import Stratum, bounds, divided, evidence, in_order
from ironbark.noise import corrupt


@pytest.fixture(scope="module")
def problem():
    X, y = make_classification(500, 8, n_informative=6, n_classes=3, class_sep=1.5, random_state=0)
    noisy = corrupt("uniform", X, y, rate=0.15, random_state=np.random.default_rng(0))
    return LabelErrorDetector(random_state=0).fit(X, noisy), noisy, y


def reviewed(problem, n):
    """A review after right answers for n rows by design, and these rows."""
    detector, noisy, true = problem
    review = LabelReview(detector, noisy)
    rows = review.sample(n)
    review.add(rows, true[rows])
    return review, rows


@pytest.mark.parametrize(("size", "n", "wrong"), [(30, 0, 0), (30, 10, 0), (30, 10, 3), (30, 30, 7), (5, 4, 4)])
def test_evidence_is_the_ratio_of_two_distributions(size, n, wrong):
    logs = evidence(size, n, wrong, 0.8, 3.2)
    for errors in range(size + 1):
        likelihood = hypergeom(size, errors, n).pmf(wrong)
        expected = math.log(betabinom(n, 0.8, 3.2).pmf(wrong) / likelihood) if likelihood > 0 else math.inf
        assert logs[errors] == pytest.approx(expected, abs=1e-9)


def test_strata_and_their_order_by_hand():
    """Ends at 1, 3 and 8 times the expected errors, or 20, as long as 20 rows are left; a tenth of all is of each."""
    for n, wrong, sizes in ((500, 0.06, [30, 60, 150, 260]), (100, 0.05, [20, 40, 40]), (180, 0.0, [20, 40, 100, 20])):
        design = divided(np.arange(n), np.full(n, wrong), 0)
        assert [len(rows) for rows in design["strata"]] == sizes
        assert sorted(row for rows in design["strata"] for row in rows) == list(range(n))
    order, numbers = in_order([Stratum(np.arange(180), 0.5), Stratum(np.arange(180, 200), 0.0)])
    _, halves = in_order([Stratum(np.arange(100), 0.5), Stratum(np.arange(100, 200), 0.1)])
    assert halves[:80].sum() == 30  # shares of 5 / 8 and 3 / 8
    assert np.cumsum(numbers)[[4, 5, 15, 16, 104]].tolist() == [0, 1, 1, 2, 10] and set(order) == set(range(200))


def test_interval_is_that_of_all_divisions_of_a_total():
    rng = np.random.default_rng(0)
    for _ in range(30):
        sizes = rng.integers(5, 14, 3)
        strata, slow = [], []
        for size in sizes:
            n = rng.integers(0, size + 1)
            answers = (int(n), int(rng.integers(0, n + 1)), 0)
            strata.append(Stratum(np.arange(size), rng.random(), answers))
            slow.append(evidence(size, *answers[:2], *strata[-1].prior))
        totals = np.argwhere(functools.reduce(np.add.outer, slow) < math.log(10)).sum(axis=1)
        assert bounds(strata, 0) == (totals.min(), totals.max())


@pytest.mark.parametrize("expected", [0.1, 0.6])
def test_interval_holds_at_all_looks_together(expected):
    """However wrong the working prior is. A plain interval that is looked at after each row misses far more often."""
    rng, misses, plain = np.random.default_rng(1), 0, 0
    for _ in range(200):
        wrong = rng.permutation(np.arange(150) < 30)
        counts = np.cumsum(wrong)
        looks = [bounds([Stratum(wrong, expected, (n, int(counts[n - 1]), 0))], 0) for n in range(1, 151, 5)]
        misses += any(not low <= 30 <= high for low, high in looks)
        share = counts[9:100] / np.arange(10, 101)
        error = 1.645 * np.sqrt(share * (1 - share) / np.arange(10, 101) * (1 - np.arange(10, 101) / 150))
        plain += (np.abs(share - 0.2) > error).any()
    assert misses <= 0.1 * 200 + 1.645 * math.sqrt(200 * 0.1 * 0.9) and plain > 0.3 * 200


def test_a_whole_review(problem):
    detector, noisy, true = problem
    review, wrong = LabelReview(detector, noisy), noisy != true
    assert review.estimate().interval[1] > 0.5  # nothing is known
    widths = []
    for _ in range(5):
        rows = review.sample(60)
        review.add(rows, true[rows])
        found = review.estimate()
        assert found.interval[0] <= wrong.mean() <= found.interval[1]
        assert found.n_confirmed == wrong[list(review.answers_)].sum()
        assert (review.cleaned() != noisy).sum() == found.n_confirmed
        widths.append(found.interval[1] - found.interval[0])
    assert widths[0] < 0.25 and widths[-1] < widths[0] / 2
    while len(rows := review.sample(60)):
        review.add(rows, true[rows])
    last = review.estimate()
    assert last.interval == (wrong.mean(), wrong.mean()) and last.n_left == 0 and not last.goes_on
    assert np.array_equal(review.cleaned(), true)


def test_order_does_not_depend_on_answers(problem):
    detector, noisy, true = problem
    first, other = (LabelReview(detector, noisy) for _ in range(2))
    rows = first.sample(100)
    assert len(set(rows.tolist())) == 100
    other.add(rows[:40], noisy[rows[:40]])
    assert np.array_equal(other.sample(60), rows[40:])
    assert not np.array_equal(LabelReview(detector, noisy, random_state=1).sample(100), rows)
    first.add([rows[0]], [(true[rows[0]] + 1) % 3])  # replaced by the next answer
    first.add(rows[::-1], true[rows[::-1]])
    other.add(rows, true[rows])
    assert first.estimate() == other.estimate()


def test_unsure_counts_both_ways(problem):
    detector, noisy, true = problem
    intervals = []
    for answer in (lambda row: noisy[row], lambda row: None, lambda row: (noisy[row] + 1) % 3):
        review = LabelReview(detector, noisy)
        rows = review.sample(60)
        review.add(rows, [true[row] if number % 3 else answer(row) for number, row in enumerate(rows)])
        intervals.append(review.estimate().interval)
    right, unsure, wrong = intervals
    assert unsure[0] <= right[0] + 1e-12 and unsure[1] >= wrong[1] - 1e-12


def test_suspects_confirm_errors_at_once_while_errors_are_expected(problem):
    detector, noisy, true = problem
    review = LabelReview(detector, noisy)
    before, rows = review.estimate(), review.suspects(250)
    assert before.goes_on and not review.estimate(cost=20.5).goes_on
    assert before.next_errors[50][1] <= (noisy != true)[rows[:50]].sum() <= before.next_errors[50][2]
    review.add(rows, true[rows])
    after = review.estimate()
    assert after.n_confirmed == (noisy != true)[rows].sum() > 50 and not after.goes_on
    assert after.interval[0] >= after.n_confirmed / 500 and after.interval[1] <= before.interval[1]
    review.add(rows[-50:], [None] * 50)  # of which all may be wrong
    sure = (noisy == true)[rows[:-50]].sum()
    assert review.estimate().interval[1] == 1 - sure / 500


def test_rows_that_are_not_judged_are_cleaned_but_not_counted():
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.repeat([0, 1, 2], [40, 19, 1])
    X[:, 0] += 5 * y
    with pytest.warns(UserWarning, match="cannot be judged"):
        review = LabelReview(LabelErrorDetector(random_state=0).fit(X, y), y)
    before = review.estimate()
    review.add([59], [1])
    assert review.estimate() == before and review.cleaned()[59] == 1 and 59 not in review.sample(60)


def test_goes_on_with_a_detector_that_learnt_from_the_answers(problem):
    """The design and the interval stay; the order of the suspects is that of the new detector."""
    _, noisy, true = problem
    X, _ = make_classification(500, 8, n_informative=6, n_classes=3, class_sep=1.5, random_state=0)
    review = LabelReview(problem[0], noisy)
    rows = np.concatenate([review.sample(60), review.suspects(40)])
    review.add(rows, true[rows])
    learnt = LabelErrorDetector(random_state=0).fit(X, review.cleaned(), trusted=review.is_trusted())
    again = LabelReview(learnt, noisy, random_state=7, design=json.loads(json.dumps(review.design_)))
    again.add(rows, true[rows])
    assert np.array_equal(again.sample(500), review.sample(500))
    assert again.estimate().interval == review.estimate().interval
    assert again.forecast(500)[-1, 0] == pytest.approx(review.forecast(500)[-1, 0])  # with answers out of turn
    suspects = again.suspects(20)
    assert not set(suspects) & set(rows) and np.array_equal(suspects, learnt.ranking_[:20])


def test_noise_matrix_weights_answers_by_their_stratum(problem):
    """The plain shares among the checked rows, most of them suspicious, are far off."""
    detector, noisy, true = problem
    (first, rows), (all_, _) = (reviewed(problem, n) for n in (150, 500))
    counts = np.zeros((3, 3))
    np.add.at(counts, (true, noisy), 1)
    expected = counts + 5 * detector.noise_matrix_
    np.testing.assert_allclose(all_.noise_matrix(), expected / expected.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(first.noise_matrix().sum(axis=1), 1)
    plain = np.mean(true[rows] != noisy[rows])
    assert np.abs(1 - np.diag(first.noise_matrix()) - 0.15).max() < 0.1 < plain - 0.15


def review_of(odds, given):
    """A review of labels of two classes, of which the first ones are the most suspicious."""
    detector = LabelErrorDetector()
    detector.classes_, detector.is_judged_ = np.arange(2), np.ones(len(odds), bool)
    detector.ranking_, detector._error_probabilities = np.arange(len(odds)), odds
    detector.noise_matrix_ = np.array([[0.85, 0.15], [0.15, 0.85]])
    return LabelReview(detector, given)


def calibrated(rng, unsure):
    """Estimates against the truth after two rounds, where the detector's probabilities are those of the errors."""
    odds = np.sort(rng.beta(0.3, 1.7, 600))[::-1]
    wrong, given = rng.random(600) < odds, rng.integers(0, 2, 600)
    review, skipped = review_of(odds, given), rng.random(600) < unsure * (odds > 0.3)
    for rows in (part for _ in range(2) for part in (review.sample(40), review.suspects(20))):
        review.add(rows, [None if skipped[i] else int(given[i] ^ wrong[i]) for i in rows])
    found, following = review.estimate(), review.suspects(20)
    matrix = np.bincount(given ^ wrong, wrong) / np.bincount(given ^ wrong)
    noise = review.noise_matrix()[[0, 1], [1, 0]]
    answered = [row for row, label in review.answers_.items() if label is not None]
    others = found.others - 20 * np.delete(wrong, answered).mean()
    ahead = found.next_errors[20][0] - wrong[following].sum()
    return found.n_errors - wrong.sum(), ahead, others, (noise - matrix).mean()


@pytest.mark.parametrize("unsure", [0.0, 0.4])
def test_estimates_are_right_on_average_after_suspects_and_unsure_answers(unsure):
    found = np.array([calibrated(np.random.default_rng(seed), unsure) for seed in range(150)])
    assert (abs(found.mean(axis=0)) < [4.0, 1.8, 0.2, 0.01]).all(), found.mean(axis=0)


def test_a_review_goes_on_where_suspicion_finds_nothing_but_random_rows_do():
    """Of the 60 most suspicious rows none is wrong, of the others a fifth."""
    given = np.zeros(600, int)
    given[-1], true = 1, np.where(np.arange(600) % 5 * (np.arange(600) >= 60) == 4, 1, 0)
    review = review_of(np.linspace(0.2, 0.01, 600), given)
    review.add(rows := review.sample(60)[1:], true[rows])
    assert review.estimate().n_waiting == 59 and review.estimate().n_rows == 600
    for rows in (review.sample(60), review.suspects(20)):
        review.add(rows, true[rows])
    found = review.estimate()
    assert found.next_errors[20][0] < 2 < 20 * found.n_left / (600 - found.n_answered)
    assert found.n_waiting == 0 and found.goes_on and review.estimate(cost=2).goes_on


def test_forecast_adds_up(problem):
    _, noisy, true = problem
    review, _ = reviewed(problem, 60)
    ahead, estimate = review.forecast(500), review.estimate()
    assert ahead.shape == (440, 3) and ahead[-1, 0] == pytest.approx(estimate.n_left)
    mean, low, high = ahead.T
    assert (np.diff(mean) >= 0).all() and (low <= mean).all() and (mean <= high).all()
    found = (noisy != true)[review.suspects(440)].cumsum()
    assert ((low <= found) & (found <= high)).mean() > 0.8 and estimate.next_errors[20] == tuple(ahead[19])


def test_rows_that_are_left_share_the_rate_of_their_stratum(problem):
    """4 rows of rate 0.2 are the prior of all; those that were answered before were the less suspicious ones."""
    detector, noisy, true = problem
    design = {"strata": [list(range(500))], "wrong": [[0.1] * 250 + [0.3] * 250]}
    review = LabelReview(detector, noisy, design=design)
    review.add(rows := review.sample(250), true[rows])
    expected = 250 * (0.8 + (noisy != true)[:250].sum()) / 254
    assert review.forecast(500)[-1, 0] == pytest.approx(expected) == review.estimate().n_left


@pytest.mark.parametrize(
    ("rows", "labels", "words"),
    [
        ([500], [0], "there is no row 500; rows are numbered from 0 to 499"),
        ([-1], [0], "there is no row -1"),
        ([3, 4], [0, 7], "7, the answer for row 4, is no label of the data; known are 0, 1, 2"),
        ([3, 4], [0], "2 rows, but 1 labels"),
        ([3, 4], "no", "2 rows, but 1 labels"),
        (3, [[7]], "7, the answer for row 3"),
    ],
)
def test_bad_answers_change_nothing(problem, rows, labels, words):
    review = LabelReview(*problem[:2])
    with pytest.raises(InputError, match=words):
        review.add(rows, labels)
    assert not review.answers_


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_labels_may_be_dates(problem, unit):
    dates = np.array(["2020", "2021", "2022"], f"M8[{unit}]")[problem[1][:200]]
    review = LabelReview(LabelErrorDetector(random_state=0).fit(np.arange(200.0)[:, None], dates), dates)
    review.add([0], pd.Series(dates[:1]))
    review.add([1, 2, 3, 4, 5], [*pd.Series(dates[1:2]), None, np.nan, pd.NaT, pd.NA])
    assert review.estimate().n_confirmed == 0 and list(review.answers_.values())[2:] == [None] * 4
    with pytest.raises(InputError, match="'zzz', the answer for row 0, is no label of the data; known are 2020"):
        review.add([0], ["zzz"])


def test_labels_of_another_table_are_refused(problem):
    with pytest.raises(InputError, match="y has 499 labels, but the detector was fitted on 500"):
        LabelReview(problem[0], problem[1][:-1])
    with pytest.raises(InputError, match="was not fitted on y: it knows no label 3"):
        LabelReview(problem[0], problem[1] + 1)
    with pytest.raises(InputError, match="needs a fitted LabelErrorDetector, but detector is BoostingFilter"):
        LabelReview(BoostingFilter().fit(*load_iris(return_X_y=True)), problem[1])
    with pytest.raises(InputError, match="design is of another table"):
        LabelReview(*problem[:2], design={"strata": [[0, 500]], "wrong": [[0.1, 0.1]]})
    designs = [{"strata": [rows], "wrong": [[wrong]]} for rows, wrong in (([0, 5], 0.1), ([0.5], 0.1))]
    designs += [{"strata": [[0]], "wrong": [[wrong]]} for wrong in (-3, np.nan, "x")]
    for design in ([1], {"strata": [[0]]}, {"strata": [[]], "wrong": [[]]}, *designs):
        with pytest.raises(InputError, match="design is not the design_ of a review by this version"):
            LabelReview(*problem[:2], design=design)


def test_labels_that_are_corrected_meanwhile_count_as_corrected(problem):
    labels = problem[1].copy()
    review = LabelReview(problem[0], labels)
    rows = review.suspects(20)
    labels[rows] = (labels[rows] + 1) % 3
    review.add(rows, labels[rows])
    assert review.estimate().n_confirmed == 20
