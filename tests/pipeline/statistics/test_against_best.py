import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.pipeline.statistics import against_best

RUNS = 6


def rows(values, **about):
    """Rows of one setting from a dict method -> accuracies, NaN for a failed fit."""
    found = result_rows({("d", "n", method): runs for method, runs in values.items()}, n_train=80, n_test=20, **about)
    return found.assign(error=1 - found["accuracy"])


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    return {name: 0.9 - 0.02 * place + 0.02 * rng.normal(size=RUNS) for place, name in enumerate("abcd")}


def by_method(found):
    return found.set_index("method")


@pytest.mark.parametrize("metric", ["accuracy", "error"])
def test_paired_tests_are_scipys_and_holm_is_statsmodels(values, metric):
    found = by_method(against_best.over_runs(rows(values), metric))
    assert set(found["best"]) == {"a"} and np.isnan(found.loc["a", "p"])
    expected = [stats.ttest_rel(values["a"], values[name]).pvalue for name in "bcd"]
    assert found.loc[list("bcd"), "p"].to_numpy() == pytest.approx(expected)
    assert found.loc[list("bcd"), "p_holm"].to_numpy() == pytest.approx(multipletests(expected, method="holm")[1])
    sign = 1 if metric == "accuracy" else -1
    gaps = [sign * (values["a"] - values[name]).mean() for name in "bcd"]
    assert found.loc[list("bcd"), "difference"].to_numpy() == pytest.approx(gaps)


def test_failed_runs_leave_the_others_paired(values):
    values["b"][2] = values["c"][0] = values["c"][1] = np.nan
    values["d"][:] = np.nan
    found = by_method(against_best.over_runs(rows(values), "accuracy"))
    assert set(found.index) == set("abc") and found["runs"].to_dict() == {"a": RUNS, "b": RUNS - 1, "c": RUNS - 2}
    for name in "bc":
        known = ~np.isnan(values[name])
        expected = stats.ttest_rel(values["a"][known], values[name][known]).pvalue
        assert found.loc[name, "p"] == pytest.approx(expected)


def test_one_run_has_no_test_and_equal_methods_tie(values):
    single = against_best.over_runs(rows({name: line[:1] for name, line in values.items()}), "accuracy")
    assert single["p"].isna().all() and single["p_holm"].isna().all()
    tied = by_method(against_best.over_runs(rows(values | {"z": values["a"]}), "accuracy"))
    assert tied.loc["z", "p"] == 1.0 and tied.loc["z", "difference"] == 0.0 and set(tied["best"]) == {"a"}
    plain = by_method(against_best.over_runs(rows(values), "accuracy"))
    found = by_method(against_best.over_runs(rows(values, protocol="random-partitions"), "accuracy"))
    t = stats.ttest_rel(values["a"], values["b"]).statistic * np.sqrt((1 / RUNS) / (1 / RUNS + 20 / 80))
    assert found.loc["b", "p"] == pytest.approx(2 * stats.t.sf(abs(t), RUNS - 1))
    assert (found.loc[list("bcd"), "p"] > plain.loc[list("bcd"), "p"]).all()


def test_signed_ranks_over_data_sets_are_scipys():
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.random((9, 3)) + [0.4, 0.2, 0.0], columns=list("abc"))
    found = against_best.over_datasets(scores)
    expected = [stats.wilcoxon(scores["a"], scores[name]).pvalue for name in "bc"]
    assert found[["b", "c"]].to_numpy() == pytest.approx(multipletests(expected, method="holm")[1])
    assert np.isnan(found["a"])
    assert against_best.over_datasets(scores.assign(z=scores["a"]))["z"] == 1.0
    assert against_best.over_datasets(scores.head(against_best.LEAST_DATASETS - 1)).isna().all()


@pytest.mark.parametrize(("n", "digits"), [(6, 1), (9, 1), (14, 1), (13, 6), (14, 6)])
def test_the_signed_rank_test_is_scipys(n, digits):
    """One digit makes ties and zeros."""
    gaps = np.random.default_rng(n).normal(0.1, 0.3, (n, 3)).round(digits)
    wanted = [stats.wilcoxon(column).pvalue for column in gaps.T]
    np.testing.assert_allclose(against_best.signed_rank(gaps), wanted, rtol=1e-12)
