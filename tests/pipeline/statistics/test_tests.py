"""Tests of one or two means and against the best, equivalence, Holm's rule and bold cells, against other libraries."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_ind

from ironbark.pipeline.statistics import against_best, significance
from ironbark.pipeline.statistics.significance import highlighted


def rows(folds=1, **values):
    return result_rows({("d", "clean", method): runs for method, runs in values.items()}, folds=folds)


A = np.random.default_rng(0).normal(0.80, 0.02, 20)
B = np.random.default_rng(1).normal(0.79, 0.02, 20)
TRIALS = np.repeat(np.arange(4), 5)


@pytest.mark.parametrize(("n_samples", "share"), [(100, 1 / 4), (60, 1 / 2)])
def test_the_share_of_folds_is_that_of_all_samples_whatever_a_scale_caps(n_samples, share):
    results = rows(5, m=A, r=B)
    results = results.assign(protocol="repeated-cv", n_train=10, n_test=20, n_samples=n_samples)
    plain, _ = stats.ttest_rel(A, B)
    found = significance.verdicts(results, "m", ["r"], test="corrected")
    assert found["t"].item() == pytest.approx(plain * np.sqrt((1 / 20) / (1 / 20 + share)))


@pytest.mark.parametrize("constant", [0.0, 0.1])
@pytest.mark.parametrize("test", significance.TESTS)
def test_differences_without_variance_tie(test, constant):
    assert significance.TESTS[test]((A + constant) - A, TRIALS) == (0.0, 1.0)


def test_pairs_are_made_by_repeat_where_both_have_finished_the_same_runs():
    results = rows(m=A, r=B).iloc[::-1]
    found = significance.verdicts(results, "m", ["r"])
    assert (found["t"].item(), found["p"].item()) == pytest.approx(tuple(stats.ttest_rel(A, B)))
    broken = B.copy()
    broken[3] = np.nan
    for incomplete in (rows(m=A, r=broken), results[:-1]):
        assert significance.verdicts(incomplete, "m", ["r"]).empty
    results = rows(5, m=A, r=B).assign(n_test=20)
    assert significance.possible(results.assign(protocol="training-sizes")) == ["trial-means"]
    assert significance.possible(results.assign(protocol="repeated-cv")) == list(significance.TESTS)


@pytest.mark.parametrize("protocol", ["fixed-split", "training-sizes"])  # whose tests differ
def test_what_failed_once_is_not_worse_than_others(protocol):
    broken = np.where(np.arange(20) == 3, np.nan, A)
    among = [("d", "binary", "clean", method) for method in "mr"]
    for first, worse in ((A, set(among[1:])), (broken, set())):
        results = rows(5, m=first, r=A - 0.1 - B / 99).assign(protocol=protocol)
        assert significance.beaten(results, among) == worse


@pytest.mark.parametrize(
    ("sizes", "shift", "sds"), [((5, 5), 0.0, (1, 1)), ((50, 10), 0.4, (1, 3)), ((5, 2), -2.0, (0.2, 2))]
)
def test_same_as_statsmodels_and_scipy_on_raw_values(sizes, shift, sds):
    rng = np.random.default_rng(0)
    one, two = rng.normal(0, sds[0], sizes[0]), rng.normal(shift, sds[1], sizes[1])
    se, df = significance.standard_error(one.std(ddof=1), len(one), two.std(ddof=1), len(two))
    difference = two.mean() - one.mean()
    p = stats.ttest_ind(one, two, equal_var=False).pvalue
    assert significance.p_different(difference, se, df) == pytest.approx(p, rel=1e-9)
    for margin in (0.5, 1.0, 3.0):
        expected = ttost_ind(two, one, -margin, margin, usevar="unequal")[0]
        assert significance.p_equivalent(difference, se, df, margin) == pytest.approx(expected, rel=1e-9)


def test_needed_to_reject_by_hand():
    """One test of two means with sd 1 and five runs each: t of 8 degrees of freedom at 0.025 times sqrt(0.4)."""
    se, df = significance.standard_error([1.0], 5, [1.0], 5)
    needed = significance.needed_to_reject([0.5], se, df, 0.05)
    assert df == pytest.approx(8) and needed == pytest.approx(stats.t.isf(0.025, 8) * np.sqrt(0.4))


def test_levels_are_those_at_which_holm_rejects():
    """Each p-value moved just below its level is rejected, just above it is not, with the others as they are."""
    rng = np.random.default_rng(2)
    p = rng.uniform(0, 1, 5) ** rng.integers(1, 9, 5)
    for i, level in enumerate(significance.holm_levels(p, 0.05)):
        for factor, rejected in ((0.999, True), (1.001, False)):
            moved = p.copy()
            moved[i] = level * factor
            assert multipletests(moved, 0.05, method="holm")[0][i] == rejected


FILE = Path(__file__).parents[3] / "data/published/ane_accuracy.csv"
BY = ["table", "dataset", "noise_kind", "noise_rate"]
SLACK = 0.006  # percentage points: what the rounding of the printed values can move


def test_printed_bold_cells_follow_from_the_rule():
    cells = pd.read_csv(FILE, dtype={"noise_rate": "str"}, keep_default_na=False)
    cells["sd"], cells["n"] = cells["two_sd"] / 2, 5
    printed = cells["highlighted"] == "yes"
    marked = highlighted(cells, by=BY)
    wrong = cells[marked != printed]
    assert (len(cells), len(wrong), printed.sum()) == (1092, 5, 403)
    best = cells.loc[cells.groupby(BY)["mean"].transform("idxmax")].set_index(cells.index)
    distance = cells["mean"] - best["mean"] + 1.5632 * (cells["sd"] + best["sd"])
    assert distance[wrong.index].abs().max() <= SLACK  # only what the rounding of the published values leaves open


def frame(mean, sd, n, group=0):
    return pd.DataFrame({"dataset": "d", "task": "binary", "noise_id": group, "mean": mean, "sd": sd, "n": n})


def test_highlighted_cells():
    cells = frame([0.5, 0.9, 0.4, 0.1], 0.0, 5, group=[1, 2, 1, 2]).set_index(pd.Index([7, 3, 9, 1]))
    marked = highlighted(cells)
    assert list(marked.index) == [7, 3, 9, 1] and list(marked) == [True, True, False, False]
    assert list(highlighted(frame([0.7, np.nan, 0.6], [0.0, np.nan, 0.0], [5, 0, 5]))) == [True, False, False]
    assert not highlighted(frame([np.nan, np.nan], np.nan, 0)).any()
    assert list(highlighted(frame([0.7, 0.6], np.nan, 1))) == [True, False]  # single fits have no spread
    assert list(highlighted(frame([0.3, 0.1 + 0.2], 0.0, 5))) == [True, True]  # equal but for the last bits
    assert list(highlighted(frame([0.9, 0.9, 0.8], [0.0, 0.1, 0.0], 5))) == [True] * 3  # the widest of two best
    rng = np.random.default_rng(0)
    cells = frame(rng.normal(0.8, 0.02, 60), rng.uniform(0, 0.03, 60), rng.integers(2, 9, 60), np.arange(60) % 6)
    naive = []
    for cell in cells.itertuples():
        group = cells[cells["noise_id"] == cell.noise_id]
        best = group.loc[group["mean"].idxmax()]
        widths = [stats.t.ppf(0.9875, c.n - 1) * c.sd / c.n**0.5 for c in (cell, best)]
        naive.append(cell.mean + widths[0] >= best["mean"] - widths[1])
    assert list(highlighted(cells)) == naive and 0 < sum(naive) < 60


RUNS = 6


def best_rows(values, **about):
    """Rows of one setting from a dict method -> accuracies, NaN for a failed fit."""
    about |= {"n_samples": 100, "n_test": 20}
    found = result_rows({("d", "n", method): runs for method, runs in values.items()}, **about)
    return found.assign(error=1 - found["accuracy"])


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    return {name: 0.9 - 0.02 * place + 0.02 * rng.normal(size=RUNS) for place, name in enumerate("abcd")}


def by_method(found):
    return found.set_index("method")


@pytest.mark.parametrize("metric", ["accuracy", "error"])
def test_paired_tests_are_scipys_and_holm_is_statsmodels(values, metric):
    found = by_method(against_best.over_runs(best_rows(values), metric))
    assert set(found["best"]) == {"a"} and np.isnan(found.loc["a", "p"])
    expected = [stats.ttest_rel(values["a"], values[name]).pvalue for name in "bcd"]
    assert found.loc[list("bcd"), "p"].to_numpy() == pytest.approx(expected)
    adjusted = multipletests([*expected, 1.0, 1.0, 1.0], method="holm")[1][:3]  # of all pairs of four methods
    assert found.loc[list("bcd"), "p_holm"].to_numpy() == pytest.approx(adjusted)
    sign = 1 if metric == "accuracy" else -1
    gaps = [sign * (values["a"] - values[name]).mean() for name in "bcd"]
    assert found.loc[list("bcd"), "difference"].to_numpy() == pytest.approx(gaps)


def test_one_run_few_runs_and_partitions(values):
    single = against_best.over_runs(best_rows({name: line[:1] for name, line in values.items()}), "accuracy")
    assert single["p"].isna().all() and single["p_holm"].isna().all()
    tied = by_method(against_best.over_runs(best_rows(values | {"z": values["a"]}), "accuracy"))
    assert tied.loc["z", "p"] == 1.0 and tied.loc["z", "difference"] == 0.0 and set(tied["best"]) == {"a"}
    bits = against_best.over_runs(best_rows({"a": [0.3] * RUNS, "b": [0.1 + 0.2] * RUNS}), "accuracy")
    assert set(bits["best"]) == {"a"}  # the first of means that are equal but for their last bits
    plain = by_method(against_best.over_runs(best_rows(values), "accuracy"))
    for protocol in ("random-partitions", "grouped"):
        found = by_method(against_best.over_runs(best_rows(values, protocol=protocol), "accuracy"))
        t = stats.ttest_rel(values["a"], values["b"]).statistic * np.sqrt((1 / RUNS) / (1 / RUNS + 20 / 80))
        assert found.loc["b", "p"] == pytest.approx(2 * stats.t.sf(abs(t), RUNS - 1))
        assert (found.loc[list("bcd"), "p"] > plain.loc[list("bcd"), "p"]).all()
    values["b"][2] = values["c"][0] = values["c"][1] = np.nan
    values["d"][:] = np.nan
    found = by_method(against_best.over_runs(best_rows(values), "accuracy"))
    assert set(found.index) == set("abc") and found["runs"].to_dict() == {"a": RUNS, "b": RUNS - 1, "c": RUNS - 2}
    for name in "bc":
        known = ~np.isnan(values[name])
        expected = stats.ttest_rel(values["a"][known], values[name][known]).pvalue
        assert found.loc[name, "p"] == pytest.approx(expected)


@pytest.mark.parametrize(("n", "digits"), [(9, 6), (13, 1), (14, 1), (15, 6)])
def test_signed_ranks_over_data_sets_are_scipys(n, digits):
    values = np.random.default_rng(1).random((n, 3)) + [0.4, 0.2, 0.0]
    scores = pd.DataFrame(values.round(digits), columns=list("abc"))
    scores.loc[0, "b"] = scores.loc[0, "a"]  # which says nothing of c
    found = against_best.over_datasets(scores)
    signs = stats.PermutationMethod(n_resamples=2**n)  # all of them
    expected = [stats.wilcoxon((scores["a"] - scores[name]).round(12), method=signs).pvalue for name in "bc"]
    assert found[["b", "c"]].to_numpy() == pytest.approx(multipletests([*expected, 1.0], method="holm")[1][:2])
    assert np.isnan(found["a"]) and against_best.over_datasets(scores.assign(z=scores["a"]))["z"] == 1.0


@pytest.mark.parametrize(("n_rivals", "chosen", "least"), [(1, False, 6), (2, True, 7), (30, False, 11)])
def test_with_fewer_data_sets_nothing_is_tested(n_rivals, chosen, least):
    scores = pd.DataFrame(np.zeros((least, 1 + n_rivals)))
    scores[0] = np.arange(1, least + 1)  # the first wins everywhere
    assert (against_best.over_datasets(scores, chosen=chosen)[1:] < significance.ALPHA).all()
    assert against_best.over_datasets(scores[1:], chosen=chosen).isna().all()


def test_the_best_is_among_the_methods_with_most_runs_and_what_no_run_has_is_untested():
    score = np.where(np.arange(10) < 4, 0.9, 0.4)
    results = rows(a=score, b=np.where(score > 0.5, 0.85, np.nan))
    found = against_best.over_runs(results, "accuracy").set_index("method")
    assert (found["best"] == "a").all() and found.loc["b", "difference"] == pytest.approx(0.05)
    results["log_loss"] = results["accuracy"].where(results["method"] == "a")
    verdicts = significance.verdicts(results.assign(status="ok"), "a", ["b"], metric="log_loss")
    assert verdicts["verdict"].tolist() == ["untested"]
    assert significance.win_tie_loss(verdicts).loc["b"].tolist() == [0, 0, 0]
