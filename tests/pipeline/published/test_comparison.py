import itertools

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.errors import InputError
from ironbark.pipeline.published import comparison, comparison_page
from ironbark.pipeline.statistics.significance import holm

MAPPING = {"DT": {"ane": "dt-ane", "mse": "dt-gini", "ce": "dt-entropy"}}
NOISES = [("clean", "0"), ("uniform", "0.2")]


def fits(values, method="dt-gini", noise=NOISES[0]):
    """Rows of one method, or of each method of a dict, at one noise."""
    values = values if isinstance(values, dict) else {method: values}
    return result_rows({("d1", "-".join(noise).replace("clean-0", "clean"), name): v for name, v in values.items()})


def printed(cells, table=2, rounding=0.005):
    """cells: (method, noise, mean, sd) in percent, as is half a unit of the last digit."""
    rows = [(table, "d1", "binary", "DT", m, *noise, mean / 100, sd / 100, 5) for m, noise, mean, sd in cells]
    names = ["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n"]
    return pd.DataFrame(rows, columns=names).assign(rounding=rounding / 100)


def test_verdicts_equal_welch_on_raw_values_with_holm_within_the_table():
    rng = np.random.default_rng(3)
    shift = {"ane": 0.0, "mse": 0.012, "ce": 0.03}
    theirs, ours, cells, p = {}, [], [], []
    for (method, delta), noise in itertools.product(shift.items(), NOISES):
        theirs[method, noise] = values = rng.normal(0.8, 0.01, 5)
        own = rng.normal(0.8 + delta, 0.01, 5)
        ours.append(fits(own, MAPPING["DT"][method], noise))
        cells.append((method, noise, 100 * values.mean(), 100 * values.std(ddof=1)))
        p.append(stats.ttest_ind(values, own, equal_var=False).pvalue)
    found = comparison.compare(pd.concat(ours), printed(cells, rounding=0), MAPPING)
    expected = np.where(holm(p) < 0.05, "differs", "not rejected")
    assert list(found["verdict"]) == list(expected)
    assert list(found["p_holm"]) == pytest.approx(list(multipletests(p, method="holm")[1]), rel=1e-6)
    assert any(np.where(np.array(p) < 0.05, "differs", "not rejected") != expected), "Holm's rule is seen to act"


def test_each_table_is_adjusted_by_itself():
    rows = fits({"dt-gini": [0.80, 0.81, 0.82, 0.805, 0.815], "dt-ane": [0.5, 0.51]})
    cells = [("mse", NOISES[0], 79.5, 0.8)]
    own = comparison.compare(rows, printed(cells), MAPPING)
    assert own["verdict"].item() == "differs"
    many, mapping = [f"ane-{i}" for i in range(9)], {"DT": {"mse": "dt-gini"}}
    mapping["DT"] |= dict.fromkeys(many, "dt-ane")
    crowd = [(name, NOISES[0], 50.5, 0.7) for name in many]
    for table, verdict in ((2, "not rejected"), (3, "differs"), ("2, risk", "not rejected")):
        other = pd.concat([printed(cells), printed(crowd, table=table)])
        assert comparison.compare(rows, other, mapping)["verdict"].iloc[0] == verdict
    with pytest.raises(InputError, match=r"the cell \(2, DT, mse, d1, binary, clean, 0\) twice"):
        comparison.compare(rows, printed(cells * 2), MAPPING)


def test_what_cannot_be_compared_is_said_so():
    rows = fits({"dt-gini": [0.9], "dt-ane": [0.9, 0.8], "dt-entropy": [np.nan]})
    cells = [("mse", NOISES[0], 90, 1), ("ane", NOISES[1], 90, 1), ("ranking", NOISES[0], 90, 1)]
    cells.append(("ce", NOISES[0], 90, 1))
    found = comparison.compare(rows, printed(cells), MAPPING)
    assert set(found["verdict"]) == {"not comparable"}
    assert list(found["method"]) == ["dt-gini", "dt-ane", "ranking", "dt-entropy"] and list(found["n"]) == [1, 0, 0, 0]
    reasons = ["fewer than two fits", "not run", "no method of ours stands for it", "all fits failed"]
    assert list(found["reason"]) == reasons
    assert found["p_holm"].isna().all()


def test_by_hand():
    """Ours 81, 82, 83, 84, 85: mean 83, variance 2.5; printed 80 with sd 2, five fits.

    t = 3 / sqrt(4 / 5 + 2.5 / 5) = 2.6312, df = 1.3^2 / (0.8^2 / 4 + 0.5^2 / 4) = 7.596.
    """
    rows = fits([0.81, 0.82, 0.83, 0.84, 0.85])
    found = comparison.compare(rows, printed([("mse", NOISES[0], 80.0, 2.0)], rounding=0), MAPPING)
    line = found.iloc[0]
    assert line["p_holm"] == pytest.approx(2 * stats.t.sf(3 / np.sqrt(1.3), 1.3**2 / (0.64 / 4 + 0.25 / 4)), rel=1e-9)
    assert (line["method"], line["n"], line["verdict"], line["within_margin"]) == ("dt-gini", 5, "differs", False)
    numbers = ["mean", "spread", "published_mean", "published_spread", "difference"]
    assert line[numbers].tolist() == pytest.approx([83, np.sqrt(2.5), 80, 2, 3])
    # a mean printed as 80 lies between 79.5 and 80.5: the variance of its error grows by 0.5^2 / 3
    line = comparison.compare(rows, printed([("mse", NOISES[0], 80.0, 2.0)], rounding=0.5), MAPPING).iloc[0]
    theirs, ours = 4 / 5 + 0.25 / 3, 2.5 / 5
    df = (theirs + ours) ** 2 / (theirs**2 / 4 + ours**2 / 4)
    assert line["p_holm"] == pytest.approx(2 * stats.t.sf(3 / np.sqrt(theirs + ours), df), rel=1e-9)


@pytest.mark.parametrize(
    ("values", "mean", "sd", "verdict", "equivalent", "within_two_sd"),
    [
        ([1.0, 1.0, 1.0], 100.0, 0.0, "not rejected", True, True),
        ([1.0, 1.0, 1.0], 99.995, 0.0, "not rejected", True, None),  # without any spread the rounding decides
        ([1.0, 1.0, 1.0], 99.98, 0.0, "differs", True, None),
        ([0.80, 0.92], 90.0, 0.5, "not rejected", False, False),  # few repeats with a large spread
        ([0.81, 0.83], 80.0, 0.1, "not rejected", False, False),  # Welch t = 2.0 with 1 df; pooled p = 0.01
        ([0.9050, 0.9051, 0.9049, 0.9050, 0.9050], 90.0, 0.05, "differs", True, False),  # small but certain
        ([0.919, 0.919, 0.919], 90.0, 1.0, "differs", None, True),  # 2 sd of single runs, not of the mean
        ([0.921, 0.921, 0.921], 90.0, 1.0, "differs", None, False),
        ([0.9, 0.91], 90.5, np.nan, "not comparable", None, None),
    ],
)
def test_criteria_of_a_cell(values, mean, sd, verdict, equivalent, within_two_sd):
    line = comparison.compare(fits(values), printed([("mse", NOISES[0], mean, sd)]), MAPPING).iloc[0]
    assert line["verdict"] == verdict and (equivalent is None or line["equivalent"] == equivalent)
    assert within_two_sd is None or line["within_two_sd"] == within_two_sd
    if np.isnan(sd):
        assert line["reason"] == "published without a standard deviation" and line["within_margin"]


def test_summary_by_hand_and_files(tmp_path):
    means = {"dt-ane": (0.90, 0.80), "dt-gini": (0.85, 0.70), "dt-entropy": (0.80, 0.75)}
    found = [(mean, method, noise) for method, pair in means.items() for mean, noise in zip(pair, NOISES, strict=True)]
    ours = [fits([mean - 0.001, mean, mean + 0.001], *about) for mean, *about in found]
    cells = [("ane", NOISES[0], 90.0, 0.1), ("mse", NOISES[0], 86.5, 0.1), ("ce", NOISES[0], 79.5, 2.0)]
    cells += [("ane", NOISES[1], 70.0, 0.1), ("mse", NOISES[1], 75.0, 0.1), ("ce", NOISES[1], 80.0, 0.1)]
    cells += [("ranking", NOISES[1], 60.0, 0.1)]
    compared = comparison.compare(pd.concat(ours), printed(cells), MAPPING)
    line = comparison.summary(compared).iloc[0]
    counts = ["table", "cells", "comparable", "not_rejected"]
    assert list(line[counts]) == [2, 7, 6, 2]
    assert line["mean_absolute_difference"] == pytest.approx((0 + 1.5 + 0.5 + 10 + 5 + 5) / 6)
    # clean: same order, 1; uniform: published 1 2 3 against ours 3 1 2, 1 - 6 (4 + 1 + 1) / 24 = -0.5
    assert line["rho"] == pytest.approx(0.25) and (line["methods"], line["settings"]) == (3, 2)
    assert (line["best_count"], line["best_settings"]) == (1, 2)  # ane at clean, not ce at 0.2
    assert line["best_by_chance"] == pytest.approx(2 / 3)
    # differences of 0 (sd 0.1) and 0.5 (sd 2); only the first is known to be small, only the second within 2 sd too
    assert (line["equivalent"], line["within_two_sd"]) == (1, 2)
    comparison_page.write(compared, tmp_path / "ane", "Scale lite.")
    back = pd.read_csv(tmp_path / "ane.csv", dtype={"rate": "str", "reason": "str"}).fillna({"reason": ""})
    pd.testing.assert_frame_equal(back, compared[comparison.COLUMNS], check_dtype=False, atol=1e-6)
    text = (tmp_path / "ane.md").read_text(encoding="utf-8")
    assert "| 2 | 6 of 7 | 2 of 6 | 1 of 6 | 2 of 6 | " in text
    assert "| 2 | d1 | dt-ane | uniform | 0.2 | 70.00 | 0.10 | 80.00 | 0.10 | 10.00 | < 0.001 |" in text
    assert text.count("| 2 | d1 |") == 4 and "- d1: 1 cells, no method of ours stands for it\n" in text
