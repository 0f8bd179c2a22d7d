import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.pipeline.jobs.artefacts import unlike
from ironbark.pipeline.published import comparison, comparison_page
from ironbark.pipeline.results.records import frame
from ironbark.pipeline.statistics.significance import holm

ROOT = Path(__file__).parents[3]
MAPPING = {"DT": {"ane": "dt-ane", "mse": "dt-gini", "ce": "dt-entropy"}}
CRITERIA = ["p_equivalent", "equivalent", "within_two_sd", "needed_to_reject"]
NOISES = [("clean", "0"), ("uniform", "0.2")]


def fits(values, method="dt-gini", noise=NOISES[0], dataset="d1", noise_id=None):
    for repeat, value in enumerate(values):
        yield {"dataset": dataset, "task": "binary", "method": method, "noise": noise[0], "rate": noise[1]} | {
            "noise_id": noise_id or "-".join(noise),
            "repeat": repeat,
            "status": "ok",
            "accuracy": value,
        }


def printed(cells, table=2, rounding=0.005):
    """cells: (method, noise, mean, sd) in percent, as is half a unit of the last digit."""
    rows = [(table, "d1", "binary", "DT", m, *noise, mean / 100, sd / 100, 5) for m, noise, mean, sd in cells]
    names = ["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n"]
    return pd.DataFrame(rows, columns=names).assign(rounding=rounding / 100)


def test_columns_and_units():
    rows = frame(fits([0.90, 0.92]))
    found = comparison.compare(rows, printed([("mse", NOISES[0], 90.5, 0.5)]), MAPPING)
    names = ["table", "dataset", "task", "method", "noise", "rate", "published_mean", "published_spread"]
    names += ["mean", "spread", "n", "difference", "verdict"]
    assert list(found.columns)[: len(names)] == names  # scripts lean on these; more may follow
    assert list(found.columns)[len(names) :] == [
        "p_holm",
        "within_margin",
        "reason",
        "metric",
        *CRITERIA,
        *comparison.PUBLISHED_AS,
    ]
    line = found.iloc[0]
    assert (line["method"], line["n"], line["verdict"]) == ("dt-gini", 2, "not rejected")
    assert line["mean"] == pytest.approx(91) and line["spread"] == pytest.approx(np.sqrt(2))
    assert (line["published_mean"], line["published_spread"]) == (pytest.approx(90.5), pytest.approx(0.5))
    assert line["difference"] == pytest.approx(0.5)


def test_verdicts_equal_welch_on_raw_values_with_holm_within_the_table():
    rng = np.random.default_rng(3)
    shift = {"ane": 0.0, "mse": 0.012, "ce": 0.03}
    theirs, ours, cells, p = {}, [], [], []
    for (method, delta), noise in itertools.product(shift.items(), NOISES):
        theirs[method, noise] = values = rng.normal(0.8, 0.01, 5)
        own = rng.normal(0.8 + delta, 0.01, 5)
        ours += fits(own, MAPPING["DT"][method], noise)
        cells.append((method, noise, 100 * values.mean(), 100 * values.std(ddof=1)))
        p.append(stats.ttest_ind(values, own, equal_var=False).pvalue)
    found = comparison.compare(frame(ours), printed(cells, rounding=0), MAPPING)
    expected = np.where(holm(p) < 0.05, "differs", "not rejected")
    assert list(found["verdict"]) == list(expected)
    assert list(found["p_holm"]) == pytest.approx(list(multipletests(p, method="holm")[1]), rel=1e-6)
    assert set(expected) == {"not rejected", "differs"}
    assert (
        np.where(np.array(p) < 0.05, "differs", "not rejected") != expected
    ).any()  # so that Holm's rule is seen to act


def test_each_table_is_adjusted_by_itself():
    rows = frame([*fits([0.80, 0.81, 0.82, 0.805, 0.815]), *fits([0.5, 0.51], "dt-ane")])
    cells = [("mse", NOISES[0], 79.5, 0.8)]
    own = comparison.compare(rows, printed(cells), MAPPING)
    assert own["verdict"].item() == "differs"
    crowd = printed([*cells, *[("ane", NOISES[0], 50.5, 0.7)] * 9])
    assert comparison.compare(rows, crowd, MAPPING)["verdict"].iloc[0] == "not rejected"
    other = pd.concat([printed(cells), printed([("ane", NOISES[0], 50.5, 0.7)] * 9, table=3)])
    assert comparison.compare(rows, other, MAPPING)["verdict"].iloc[0] == "differs"


def test_the_variances_are_not_pooled():
    # ours 82 +- 1.41 (n = 2), printed 80 +- 0.1 (n = 5): Welch t = 2.0 with 1 df; pooled t = 3.7 with 5 df, p = 0.01
    rows = frame(fits([0.81, 0.83]))
    found = comparison.compare(rows, printed([("mse", NOISES[0], 80, 0.1)]), MAPPING)
    assert found["verdict"].item() == "not rejected"


@pytest.mark.parametrize(("mean", "verdict"), [(100.0, "not rejected"), (99.995, "not rejected"), (99.98, "differs")])
def test_without_any_spread_the_rounding_decides(mean, verdict):
    rows = frame(fits([1.0, 1.0, 1.0]))
    found = comparison.compare(rows, printed([("mse", NOISES[0], mean, 0.0)]), MAPPING)
    assert found["verdict"].item() == verdict


def test_a_difference_within_the_rounding_agrees_whatever_the_test_says():
    rows = frame(fits([0.90004, 0.90004001]))
    found = comparison.compare(rows, printed([("mse", NOISES[0], 90.0, 0.0)]), MAPPING)
    assert found["verdict"].item() == "not rejected"


def test_what_cannot_be_compared_is_said_so():
    rows = frame([*fits([0.9]), *fits([0.9, 0.8], "dt-ane")])
    cells = [("mse", NOISES[0], 90, 1), ("ane", NOISES[1], 90, 1), ("ranking", NOISES[0], 90, 1)]
    found = comparison.compare(rows, printed(cells), MAPPING)
    assert set(found["verdict"]) == {"not comparable"}
    assert list(found["method"]) == ["dt-gini", "dt-ane", "ranking"]
    assert list(found["n"]) == [1, 0, 0]
    assert list(found["reason"]) == ["fewer than two fits", "not run", "no method of ours stands for it"]
    assert found["p_holm"].isna().all()


def test_by_hand():
    """Ours 81, 82, 83, 84, 85: mean 83, variance 2.5; printed 80 with sd 2, five fits.

    t = 3 / sqrt(4 / 5 + 2.5 / 5) = 2.6312, df = 1.3^2 / (0.8^2 / 4 + 0.5^2 / 4) = 7.596.
    """
    rows = frame(fits([0.81, 0.82, 0.83, 0.84, 0.85]))
    line = comparison.compare(rows, printed([("mse", NOISES[0], 80.0, 2.0)], rounding=0), MAPPING).iloc[0]
    assert line["p_holm"] == pytest.approx(2 * stats.t.sf(3 / np.sqrt(1.3), 1.3**2 / (0.64 / 4 + 0.25 / 4)), rel=1e-9)
    assert (line["verdict"], line["within_margin"]) == ("differs", False)


@pytest.fixture
def compared():
    means = {"dt-ane": (0.90, 0.80), "dt-gini": (0.85, 0.70), "dt-entropy": (0.80, 0.75)}
    ours = [
        fit
        for method, pair in means.items()
        for mean, noise in zip(pair, NOISES, strict=True)
        for fit in fits([mean - 0.001, mean, mean + 0.001], method, noise)
    ]
    cells = [("ane", NOISES[0], 90.0, 0.1), ("mse", NOISES[0], 86.5, 0.1), ("ce", NOISES[0], 79.5, 2.0)]
    cells += [("ane", NOISES[1], 70.0, 0.1), ("mse", NOISES[1], 75.0, 0.1), ("ce", NOISES[1], 80.0, 0.1)]
    cells += [("ranking", NOISES[1], 60.0, 0.1)]
    return comparison.compare(frame(ours), printed(cells), MAPPING)


def test_summary_by_hand(compared):
    line = comparison.summary(compared).iloc[0]
    counts = ["table", "cells", "comparable", "not_rejected", "with_mean"]
    assert list(line[counts]) == [2, 7, 6, 2, 6]
    assert line["mean_absolute_difference"] == pytest.approx((0 + 1.5 + 0.5 + 10 + 5 + 5) / 6)
    assert line["within_margin"] == 2
    # clean: same order, 1; uniform: published 1 2 3 against ours 3 1 2, 1 - 6 (4 + 1 + 1) / 24 = -0.5
    assert line["rho"] == pytest.approx(0.25)
    assert (line["methods"], line["settings"]) == (3, 2)
    assert (line["best_count"], line["best_settings"]) == (1, 2)  # ane at clean, not ce at 0.2
    assert line["best_by_chance"] == pytest.approx(2 / 3)
    # differences of 0 (sd 0.1) and 0.5 (sd 2); only the first is known to be small, only the second within 2 sd too
    assert (line["equivalent"], line["within_two_sd"]) == (1, 2)


def test_few_repeats_with_a_large_spread_are_not_rejected_but_not_equivalent_either():
    rows = frame(fits([0.80, 0.92]))
    line = comparison.compare(rows, printed([("mse", NOISES[0], 90.0, 0.5)]), MAPPING).iloc[0]
    assert (line["verdict"], line["equivalent"], line["within_two_sd"]) == ("not rejected", False, False)
    assert line["needed_to_reject"] > 50  # one degree of freedom: t is 12.7, and the standard error 6 points


def test_a_small_but_certain_difference_is_rejected_and_equivalent():
    rows = frame(fits([0.9050, 0.9051, 0.9049, 0.9050, 0.9050]))
    line = comparison.compare(rows, printed([("mse", NOISES[0], 90.0, 0.05)]), MAPPING).iloc[0]
    assert (line["verdict"], line["equivalent"], line["within_two_sd"]) == ("differs", True, False)
    assert line["needed_to_reject"] < 0.5


def test_two_published_standard_deviations_are_those_of_single_runs_and_not_of_the_mean():
    """A difference of 1.9 with a published sd of 1 and five runs: within 2 sd, but 4.2 standard errors of 0.45."""
    rows = frame(fits([0.919, 0.919, 0.919]))
    found = comparison.compare(rows, printed([("mse", NOISES[0], 90.0, 1.0)]), MAPPING)
    assert found["within_two_sd"].item() is True and found["verdict"].item() == "differs"
    other = comparison.compare(frame(fits([0.921, 0.921, 0.921])), printed([("mse", NOISES[0], 90.0, 1.0)]), MAPPING)
    assert other["within_two_sd"].item() is False


def test_what_is_published_without_a_spread_is_not_judged():
    rows = frame(fits([0.9, 0.91]))
    line = comparison.compare(rows, printed([("mse", NOISES[0], 90.5, np.nan)]), MAPPING).iloc[0]
    assert (line["verdict"], line["reason"]) == ("not comparable", "published without a standard deviation")
    assert line["within_margin"] is True and pd.isna(line["within_two_sd"]) and pd.isna(line["equivalent"])


def test_needed_to_reject_separates_what_is_rejected_from_what_is_not():
    rng = np.random.default_rng(5)
    ours, cells = [], []
    for noise in (("uniform", str(rate)) for rate in range(8)):
        for name, method in MAPPING["DT"].items():
            ours += fits(rng.normal(0.8, 0.01, 4), method, noise)
            cells.append((name, noise, 80 + rng.choice([0, 1, 4]), 1.0))
    found = comparison.compare(frame(ours), printed(cells), MAPPING)
    beyond = found["difference"].abs() > found["needed_to_reject"]
    assert list(beyond) == list(found["verdict"] == "differs") and 0 < beyond.sum() < len(found)


def test_files(compared, tmp_path):
    comparison_page.write(compared, tmp_path / "ane", "Scale lite.")
    back = pd.read_csv(tmp_path / "ane.csv", dtype={"rate": "str", "reason": "str"}).fillna({"reason": ""})
    pd.testing.assert_frame_equal(back, compared[comparison.COLUMNS], check_dtype=False, atol=1e-6)
    text = (tmp_path / "ane.md").read_text(encoding="utf-8")
    assert "| 2 | 6 of 7 | 2 of 6 | 1 of 6 | 2 of 6 | " in text
    assert " | 3.67 | 0.25 (0.500; 3 methods, 2 settings) | 1 of 2; 0.7 by chance |" in text
    assert "| 2 | d1 | dt-ane | uniform | 0.2 | 70.00 | 0.10 | 80.00 | 0.10 | 10.00 | < 0.001 |" in text
    assert text.count("| 2 | d1 |") == 4
    assert "- d1: 1 cells, no method of ours stands for it\n" in text
    assert text.endswith("Scale lite.\n")


def test_reasons_of_a_study():
    deviations = {"a": [], "b": ["Half of the rows.", "Shuffled."]}
    assert unlike(["a", "b"], "", deviations) == {"b": "other data: Half of the rows. Shuffled."}
    assert unlike(["a", "b"], "", deviations, {"b": "They do not matter."}) == {}
    both = unlike(["a", "b"], "3 repeats at most", deviations)
    assert both["a"] == "capped: 3 repeats at most"
    assert both["b"] == "capped: 3 repeats at most; other data: Half of the rows. Shuffled."


def test_a_rounded_print_is_less_sure():
    """A mean printed as 80 lies between 79.5 and 80.5: the variance of its error grows by 0.5^2 / 3."""
    rows = frame(fits([0.81, 0.82, 0.83, 0.84, 0.85]))
    line = comparison.compare(rows, printed([("mse", NOISES[0], 80.0, 2.0)], rounding=0.5), MAPPING).iloc[0]
    theirs, ours = 4 / 5 + 0.25 / 3, 2.5 / 5
    df = (theirs + ours) ** 2 / (theirs**2 / 4 + ours**2 / 4)
    assert line["p_holm"] == pytest.approx(2 * stats.t.sf(3 / np.sqrt(theirs + ours), df), rel=1e-9)
    rows = frame(fits([0.8049] * 5))
    verdicts = [
        comparison.compare(rows, printed([("mse", NOISES[0], 80.0, 0.01)], rounding=r), MAPPING)["verdict"].item()
        for r in (0.5, 0.05)
    ]
    assert verdicts == ["not rejected", "differs"]


def rmb_like():
    """Errors of two methods and the minimax risk of one of them, printed and ours."""
    rows = frame(
        row | {"error": 1 - row["accuracy"], "minimax_risk": 0.25}
        for method, values in (("a", [0.89, 0.89]), ("b", [0.79, 0.79]))
        for row in fits(values, method)
    )
    names = printed([("A", NOISES[0], 11, 2), ("B", NOISES[0], 21, 2), ("R", NOISES[0], 20, 2)], rounding=0.5)
    names["model"], names["table"] = ["classifier", "classifier", "risk"], ["3", "3", "3, risk"]
    return rows, names, {"classifier": {"A": "a", "B": "b"}, "risk": {"R": "b"}}


def test_of_errors_the_smallest_is_best():
    rows, names, mapping = rmb_like()
    metrics = {"classifier": "error", "risk": "minimax_risk"}
    best = comparison.summary(comparison.compare(rows, names, mapping, metrics=metrics)).set_index("table")
    assert best.loc["3", ["best_count", "best_settings"]].tolist() == [1, 1]
    rows["error"] = 1 - rows["error"]  # now b is best here, far from a
    other = comparison.summary(comparison.compare(rows, names, mapping, metrics=metrics)).set_index("table")
    assert other.loc["3", ["best_count", "best_settings"]].tolist() == [0, 1]


def test_rank_correlations_by_column():
    cells = [(m, n, v, 1) for n in NOISES for m, v in (("ane", 80), ("mse", 70), ("ce", 60))]
    ours = {"dt-ane": 0.8, "dt-gini": 0.7, "dt-entropy": 0.6}
    rows = [row for m, v in ours.items() for row in fits([v, v + 0.01], m, NOISES[0])]
    rows += [row for m, v in ours.items() for row in fits([1 - v, 1.01 - v], m, NOISES[1])]
    found = comparison.compare(frame(rows), printed(cells), MAPPING)
    table = comparison.correlations(found)
    assert table.loc[("2", "clean", "0"), "d1"] == 1 and table.loc[("2", "uniform", "0.2"), "d1"] == -1
    lines = comparison_page.by_setting(found).splitlines()
    assert lines[-2:] == ["| 2 | clean | 0 | 1.00 |", "| 2 | uniform | 0.2 | -1.00 |"]
    assert comparison_page.by_setting(found[found["method"] != "dt-ane"]) == ""  # two methods tell no order
