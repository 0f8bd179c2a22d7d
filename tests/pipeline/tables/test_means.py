"""Cells, and tables of means, errors, ranks and measures, and of significance, against scipy and by hand."""

import itertools
import math
import statistics
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows
from scipy import stats

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.statistics.significance import win_tie_loss
from ironbark.pipeline.tables import collect
from ironbark.pipeline.tables import means as error_table


def test_cells_equal_a_naive_loop():
    rng = np.random.default_rng(0)
    keys = itertools.product(("d2", "d1"), ["uniform-0.2"], ("b", "a"))
    rows = result_rows({key: rng.random(60) for key in keys}, folds=2)
    result = collect.cells(rows)
    assert result.equals(collect.cells(rows.sample(frac=1, random_state=0))), "the order of rows does not matter"
    assert list(result["dataset"]) == ["d1", "d1", "d2", "d2"]
    for cell in result.itertuples():
        values = [r.accuracy for r in rows.itertuples() if (r.dataset, r.method) == (cell.dataset, cell.method)]
        assert cell.mean == pytest.approx(statistics.fmean(values))
        assert cell.sd == pytest.approx(statistics.stdev(values))
        assert (cell.n, cell.failed, cell.missing) == (60, 0, 0)
    rows = result_rows({("d1", "clean", "m1"): [0.4, np.nan, 0.6], ("d1", "clean", "m2"): [np.nan]})
    one, two = collect.cells(rows).itertuples(index=False)
    assert (one.mean, one.n, one.failed) == (pytest.approx(0.5), 2, 1)
    assert np.isnan(two.mean) and (two.n, two.failed) == (0, 1)


def test_a_mean_is_the_same_to_the_last_digit_whatever_fails_elsewhere():
    runs = {("d1", "clean", "m1"): [0.40, 0.42, 0.24, 0.38, 0.24]}
    alone = collect.cells(result_rows(runs))
    beside = collect.cells(result_rows(runs | {("d2", "clean", "m1"): [np.nan] * 5}))
    assert beside.iloc[:1].equals(alone)


ONE = result_rows({("d1", "uniform-0.2", "m1"): [0.5]})
EXPECTED = [["d1", "binary", ["uniform-0.2"], ["m1", "m2"]]], 3, 1  # blocks, repeats, folds


def test_holes_are_refused_or_counted():
    with pytest.raises(InputError, match=r"5 fits are missing \(d1, binary, uniform-0.2, m1, 1, 0; .*, \.\.\.\)"):
        collect.refuse_holes(ONE, *EXPECTED)
    holes = collect.refuse_holes(ONE, *EXPECTED, allow_holes=True)
    result = collect.cells(ONE, missing=holes).set_index("method")
    assert dict(result["missing"]) == {"m1": 2, "m2": 3}
    assert (result.loc["m2", "n"], result.loc["m2", "noise"], result.loc["m2", "rate"]) == (0, "uniform", "0.2")


NAMES = {"labels": {"a": "Alpha"}, "noise_labels": {"clean": "0 %"}, "dataset_labels": {"d1": "First"}}
TABLE_SPEC = {"kind": "accuracy", "datasets": ["d1"], "methods": ["b", "a"], "noises": ["clean", "uniform-0.2"]}


RUNS = {("d1", "clean", "a"): [0.90, 0.91, 0.92], ("d1", "clean", "b"): [0.70, 0.71, 0.75]}
ROWS = result_rows(RUNS | {("d1", "uniform-0.2", "a"): [0.60, np.nan, 0.62]})


def test_texts_of_cells():
    table = tables.build(ROWS, TABLE_SPEC, **NAMES)
    assert list(table.frame.index) == [("First", "b"), ("First", "Alpha")]
    assert list(table.frame.columns) == ["0 %", "uniform-0.2"]
    assert table.frame.to_numpy().tolist() == [["72.00 ± 5.29", "–"], ["91.00 ± 2.00", "61.00 ± 2.83 †1"]]
    assert table.bold.to_numpy().tolist() == [[False, False], [True, True]]
    table = tables.build(ROWS, {**TABLE_SPEC, "spread": "sd"}, **NAMES)
    assert table.frame.iloc[1, 0] == "91.00 ± 1.00"
    noises = ["clean", "uniform-0.2", "uniform-0.4", "class_conditional-0.1/0.3"]
    rows = result_rows({("d1", noise, "a"): [0.9] for noise in noises})
    table = tables.build(rows, {"kind": "accuracy", "noises": ["uniform-0.3", *noises]})  # the first did not run
    assert table.groups == ["Uniform"] * 3 + ["Class conditional"] and len(table.frame.columns) == 4
    assert tables.build(rows, {"kind": "accuracy", "noises": noises[:3]}).groups == [], "one for all"
    rows = result_rows({("d1", "clean", "a"): [0.9], ("d1", "clean", "b"): [np.nan, np.nan]})
    holes = collect.refuse_holes(rows, [["d1", "binary", ["clean"], list("abc")]], 2, 1, allow_holes=True)
    table = tables.build(rows, {"kind": "accuracy"}, missing=holes)
    assert table.frame["clean"].tolist() == ["90.00 ‡1", "– †2", "–"]
    rows = ROWS.assign(n_leaves=[10.0, 12.0, 14.0] * 3)
    table = tables.build(rows, {**TABLE_SPEC, "metric": "n_leaves", "methods": ["a"], "noises": ["clean"]})
    assert table.frame.iloc[0, 0] == "12.00 ± 4.00" and not table.bold.any(axis=None)


def test_rank_table_by_hand():
    settings = list(itertools.product(("d1", "d2", "d3"), ("clean", "uniform-0.2")))
    rows = result_rows({(*key, m): [mean] for key in settings for m, mean in {"a": 0.9, "b": 0.7, "c": 0.5}.items()})
    table = tables.build(rows, {"kind": "ranks"}, **NAMES)
    assert list(table.frame.index) == ["Alpha", "b", "c"]
    assert table.frame.to_numpy().tolist() == [["1.00"] * 3, ["2.00"] * 3, ["3.00"] * 3]
    difference = ranks.critical_difference(3, 3)  # 1.91
    assert table.bold["All"].tolist() == [True, True, False]
    assert not table.bold.drop(columns="All").any(axis=None)
    assert f"critical difference {difference:.2f}" in table.caption
    assert "Friedman chi-square 6.00, p = 0.050" in table.caption  # N (k - 1) at full agreement, chi2 with 2 df
    assert dict(zip(table.values["noise_id"], table.values["settings"], strict=True))["all"] == 6
    rows["n_leaves"] = rows["method"].map({"a": 30.0, "b": 20.0, "c": 10.0})
    assert list(tables.build(rows, {"kind": "ranks", "metric": "n_leaves"}).frame.index) == ["c", "b", "a"]


ERROR_SPEC = {"kind": "errors", "id": "t", "methods": ["a", "b"], "risk_of": "b", "caption": "Three"}


def errors(failed=()):
    """Errors of a and b on two data sets, those of a smaller by 15 points under far noise."""
    values = {}
    for method, error in (("a", 0.22), ("b", 0.08)):
        for (dataset, shift), noise_id in itertools.product({"d1": 0.0, "d2": 0.149}.items(), ("clean", "far")):
            mean = error + shift - (0.15 if (method, noise_id) == ("a", "far") else 0)
            values[dataset, noise_id, method] = [mean, np.nan if (dataset, noise_id, method) in failed else mean + 0.02]
    rows = result_rows(values, "error")
    return rows.assign(minimax_risk=np.where(rows["method"] == "b", 0.3, np.nan))


@pytest.mark.parametrize(
    ("mean", "text"), [(0.0849, "8.5"), (0.0994, "9.9"), (0.0996, "10"), (0.2151, "22"), (0.5, "50"), (0.0, "0.0")]
)
def test_digits(mean, text):
    assert error_table.printed_text(mean) == text
    assert error_table.printed_text(mean, 0.0349) == f"{text} ± 3.5"


def test_methods_below_each_other():
    data = errors(failed=[("d1", "clean", "a")])
    failed = tables.build(data[(data["method"] != "b") | (data["dataset"] != "d2")], ERROR_SPEC).frame
    assert failed.loc[("clean", "a"), "d1"] == "22 †1" and failed.loc[("clean", "b"), "d2"] == "–"
    names = {"a": "A"}, {"clean": "0"}, {"d1": "One"}
    table = tables.build(errors(), ERROR_SPEC, *names)
    assert list(table.frame.columns) == ["One", "d2"]
    assert table.frame.index.tolist() == [(n, m) for n in ("0", "far") for m in ("A", "b", "Minimax risk")]
    assert table.frame.loc[("0", "A")].tolist() == ["23 ± 1.4", "38 ± 1.4"]
    assert table.frame.loc[("0", "b")].tolist() == ["9.0 ± 1.4", "24 ± 1.4"]
    assert table.frame.loc[("0", "Minimax risk")].tolist() == ["30 ± 0.0", "30 ± 0.0"]
    assert table.bold.iloc[:, 0].tolist() == table.bold.iloc[:, 1].tolist() == [False, True, False, True, False, False]
    tied = result_rows({("d", "clean", "a"): [0.3], ("d", "clean", "b"): [0.1 + 0.2]}, "error")  # but for the last bits
    assert tables.build(tied, {"kind": "errors", "id": "t"}).bold.all(axis=None)
    risk = table.values.query("method == 'minimax-risk'")
    assert len(risk) == 4 and (risk["mean"] == 0.3).all()


#: (data set, noise) -> method -> accuracy, log loss and seconds.
FOUND = {
    ("d1", "clean"): {"a": (0.9, 0.2, 1.0), "b": (0.7, math.nan, 2.0)},
    ("d1", "far"): {"a": (0.7, 0.4, 1.0), "b": (0.5, math.nan, 2.0)},
    ("d2", "clean"): {"a": (0.5, 0.6, 4.0), "b": (0.9, math.nan, 2.0)},
}


def test_means_by_hand():
    cells = {(*key, method): values for key, found in FOUND.items() for method, values in found.items()}
    rows = result_rows({key: values[:1] for key, values in cells.items()})
    rows[["log_loss", "fit_seconds"]] = [values[1:] for values in cells.values()]
    spec = {"kind": "measures", "id": "t", "metrics": ["accuracy", "log_loss", "fit_seconds"]}
    found = tables.build(rows, spec, {"a": "A"}, {}, {})
    assert list(found.frame.columns) == ["Test accuracy (percent)", "Test log loss", "CPU time of a fit (seconds)"]
    assert found.frame.loc["b"].tolist() == ["75.00", "–", "2"]  # (60 + 90) / 2
    assert found.frame.loc["A"].tolist() == ["65.00", "0.45", "2.5"]  # (80 + 50) / 2, (0.3 + 0.6) / 2, (1 + 4) / 2
    assert list(found.frame.index) == ["b", "A"]
    assert found.bold.loc["b"].tolist() == [True, False, True] and found.bold.loc["A"].tolist() == [False, True, False]
    assert found.values.set_index(["method", "metric"])["mean"]["a", "log_loss"] == pytest.approx(0.45)


FILE = Path(__file__).parents[3] / "data" / "published" / "pg_accuracy.csv"
SPEC = {"id": "t", "kind": "significance", "methods": ["m", "r", "s"], "caption": "Forests."}
TWO_NOISES = ["a", "b"]


def runs(shifts, repeats=10, folds=5, datasets=("d", "e")):
    """Rows of methods whose mean accuracies differ by `shifts`: method -> (shift, spread of the difference)."""
    found = {}
    for i, dataset in enumerate(datasets):
        for j, noise in enumerate(TWO_NOISES):
            rng = np.random.default_rng([i, j])
            base = rng.normal(0.8, 0.05, repeats * folds)
            for method, (shift, spread) in shifts.items():
                found[dataset, noise, method] = base + shift + rng.normal(0, spread, base.shape)
    return result_rows(found, folds=folds)


FOREST_ROWS = runs({"m": (0.0, 0.001), "r": (-0.02, 0.01), "s": (0.03, 0.01)})


def values_of(rows, dataset, noise, method):
    own = rows.query("dataset == @dataset and noise_id == @noise and method == @method")
    return own.sort_values(["repeat", "fold"])["accuracy"].to_numpy().reshape(10, 5)


def test_marks_and_counts():
    table = tables.build(FOREST_ROWS, SPEC, {"m": "Ours", "r": "Gini", "s": "IG"}, {"a": "(.1, .3)"}, {"d": "D"})
    assert list(table.frame.columns) == ["Ours", "Gini", "IG"]
    assert list(table.frame.index)[:4] == [("D", "(.1, .3)"), ("D", "b"), ("e", "(.1, .3)"), ("e", "b")]
    first = table.frame.iloc[0]
    own = values_of(FOREST_ROWS, "d", "a", "m")
    assert first["Ours"] == f"{100 * own.mean():.2f} ± {100 * own.std(ddof=1):.2f}"
    assert first["Gini"].endswith(" •") and first["IG"].endswith(" ◦")
    assert [tuple(line) for line in table.frame.iloc[4:].to_numpy()] == [("", "4/0/0", "0/0/4")] * 3
    assert [name for name, _ in table.frame.index[4:]] == ["Win/tie/loss"] * 3
    broken = FOREST_ROWS.copy()
    broken.loc[broken.query("dataset == 'd' and noise_id == 'a' and method == 'r'").index[0], "status"] = "failed"
    table = tables.build(broken, SPEC)
    assert table.frame.loc[("d", "a"), "r"].endswith("†1") and table.frame.iloc[4].tolist() == ["", "3/0/0", "0/0/4"]
    broken.loc[broken["method"] == "r", "accuracy"] = np.nan
    assert tables.build(broken, SPEC).frame.iloc[4]["r"] == "0/0/0", "no value, no test"
    once = tables.build(FOREST_ROWS[FOREST_ROWS["repeat"] == 0], SPEC).frame
    assert [name for _, name in once.index[4:]] == ["paired", "corrected"], "means of one repeat cannot be tested"
    table = tables.build(runs({"m": (0, 0.01), "r": (-0.3, 0.01)}, 1, 1), {**SPEC, "methods": ["m", "r"]})
    assert "4 of 4 comparisons have a single run and cannot be judged; add repeats." in table.notes
    assert not table.frame["r"].str.contains("[•◦]").any() and table.values["p_paired"].isna().all()
    assert not any("cannot be judged" in note for note in tables.build(FOREST_ROWS, SPEC).notes)


@pytest.mark.parametrize("test", ["paired", "trial-means", "corrected"])
def test_each_test_by_hand(test):
    rows = runs({"m": (0.0, 0.02), "r": (-0.04, 0.02), "s": (0.0, 0.02)})
    table = tables.build(rows, SPEC)
    found = table.values.set_index(["dataset", "noise", "method"])
    verdicts = []
    for dataset, noise, rival in [(d, n, r) for d in "de" for n in "ab" for r in "rs"]:
        ours, theirs = values_of(rows, dataset, noise, "m"), values_of(rows, dataset, noise, rival)
        if test == "trial-means":
            t, p = stats.ttest_rel(ours.mean(axis=1), theirs.mean(axis=1))
        else:
            difference = (ours - theirs).ravel()
            factor = 1 / 50 + (1 / 4 if test == "corrected" else 0)
            t = difference.mean() / np.sqrt(factor * difference.var(ddof=1))
            p = 2 * stats.t.sf(abs(t), 49)
        cell = found.loc[(dataset, noise, rival)]
        assert (cell[f"t_{test}"], cell[f"p_{test}"]) == pytest.approx((t, p))
        verdict = "tie" if p >= 0.05 else "win" if t > 0 else "loss"
        assert cell[f"verdict_{test}"] == verdict
        verdicts.append(verdict)
        shown = table.frame.loc[(dataset, noise), rival]
        if test != "paired":  # which the marks are of
            continue
        assert shown[-1] == {"win": "•", "loss": "◦", "tie": f"{100 * theirs.std(ddof=1):.2f}"[-1]}[verdict]
    assert len(set(verdicts)) > 1  # else the marks would not be put to the test
    errors = tables.build(rows.assign(error=1 - rows["accuracy"]), SPEC | {"metric": "error"}).values
    assert errors[f"verdict_{test}"].equals(table.values[f"verdict_{test}"])
    np.testing.assert_allclose(errors[f"t_{test}"], -table.values[f"t_{test}"], rtol=1e-9)


def test_the_printed_marks_add_up_to_the_printed_totals():
    marks = pd.read_csv(FILE).query("method != 'pairwise'").rename(columns={"method": "rival"})
    words = {"better": "win", "worse": "loss", "none": "tie"}
    counts = win_tie_loss(marks.assign(verdict=marks["mark"].map(words)))
    assert counts.loc["gini"].tolist() == [35, 27, 2] and counts.loc["entropy"].tolist() == [35, 25, 4]


@pytest.mark.parametrize("seed", range(3))
def test_no_bold_cell_of_another_table_is_called_worse(seed):
    """Bold is a statement on pairs too, whichever method the significance table tests."""
    rng = np.random.default_rng(seed)
    shifts = {name: (rng.normal(0, 0.01), rng.choice([0.001, 0.01, 0.04])) for name in "mrst"}
    rows = runs(shifts, *((5, 1), (4, 3), (10, 5))[seed % 3], datasets=("d",))
    bold = tables.build(rows, {"kind": "accuracy"}).values.query("highlighted")
    assert len(bold) >= 2, "the best of each noise"
    by_intervals = tables.build(rows, {"kind": "accuracy", "bold": "intervals"})
    assert set(bold.index) <= set(by_intervals.values.query("highlighted").index)
    assert "paired" not in by_intervals.notes[0]
    for first in shifts:
        methods = [first, *(name for name in shifts if name != first)]
        found = tables.build(rows, SPEC | {"methods": methods}).values
        found = found.merge(bold, on=["dataset", "noise", "rate", "method"])
        assert "win" not in set(found["verdict_paired"])
