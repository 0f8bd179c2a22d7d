"""Cells, and tables of accuracies, errors, ranks and several measures."""

import math
import statistics

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.results import records
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.tables import collect
from ironbark.pipeline.tables import means as error_table


def fit(method="m1", repeat=0, accuracy=0.5, **changes):
    row = {"dataset": "d1", "task": "binary", "noise": "uniform", "rate": "0.2", "noise_id": "uniform-0.2"}
    row |= {"method": method, "repeat": repeat, "fold": 0, "status": "ok", "accuracy": accuracy}
    return row | changes


def failed(**changes):
    return fit(accuracy=float("nan"), status=FAILED, **changes)


def test_cells_equal_a_naive_loop():
    rng = np.random.default_rng(0)
    rows = frame(
        fit(method, repeat, rng.random(), dataset=dataset, fold=fold)
        for dataset in ("d2", "d1")
        for method in ("b", "a")
        for repeat in range(3)
        for fold in range(2)
    )
    result = collect.cells(rows)
    assert result.equals(collect.cells(rows.sample(frac=1, random_state=0))), "the order of rows does not matter"
    assert list(result["dataset"]) == ["d1", "d1", "d2", "d2"]
    for cell in result.itertuples():
        values = [r.accuracy for r in rows.itertuples() if (r.dataset, r.method) == (cell.dataset, cell.method)]
        assert cell.mean == pytest.approx(statistics.fmean(values))
        assert cell.sd == pytest.approx(statistics.stdev(values))
        assert (cell.n, cell.failed, cell.missing) == (6, 0, 0)


def test_failed_fits_are_counted_and_not_averaged():
    rows = frame([fit(repeat=0, accuracy=0.4), failed(repeat=1), fit(repeat=2, accuracy=0.6), failed(method="m2")])
    one, two = collect.cells(rows).itertuples(index=False)
    assert (one.mean, one.n, one.failed) == (pytest.approx(0.5), 2, 1)
    assert np.isnan(two.mean) and (two.n, two.failed) == (0, 1)


EXPECTED = [["d1", "binary", ["uniform-0.2"], ["m1", "m2"]]], 3, 1  # blocks, repeats, folds


def test_holes_are_refused_with_the_first_ones_named():
    with pytest.raises(InputError, match=r"5 fits are missing \(d1, binary, uniform-0.2, m1, 1, 0; .*, \.\.\.\)"):
        collect.refuse_holes(frame([fit()]), *EXPECTED)


def test_allowed_holes_are_counted_in_the_cells():
    rows = frame([fit(repeat=0)])
    holes = collect.refuse_holes(rows, *EXPECTED, allow_holes=True)
    result = collect.cells(rows, missing=holes).set_index("method")
    assert dict(result["missing"]) == {"m1": 2, "m2": 3}
    assert (result.loc["m2", "n"], result.loc["m2", "noise"], result.loc["m2", "rate"]) == (0, "uniform", "0.2")


NAMES = {"labels": {"a": "Alpha"}, "noise_labels": {"clean": "0 %"}, "dataset_labels": {"d1": "First"}}
TABLE_SPEC = {"kind": "accuracy", "datasets": ["d1"], "methods": ["b", "a"], "noises": ["clean", "uniform-0.2"]}


def fits(values, method, noise="clean", dataset="d1", task="binary"):
    for repeat, value in enumerate(values):
        failed = np.isnan(value)
        yield {"dataset": dataset, "task": task, "method": method, "noise": noise.split("-")[0], "noise_id": noise} | {
            "rate": noise.partition("-")[2] or "0",
            "repeat": repeat,
            "status": FAILED if failed else "ok",
            "accuracy": value,
        }


ROWS = frame(
    [
        *fits([0.90, 0.91, 0.92], "a"),
        *fits([0.70, 0.71, 0.75], "b"),
        *fits([0.60, np.nan, 0.62], "a", "uniform-0.2"),
    ]
)


def test_cells_read_mean_and_two_standard_deviations_in_percent():
    table = tables.build(ROWS, TABLE_SPEC, **NAMES)
    assert list(table.frame.index) == [("First", "b"), ("First", "Alpha")]
    assert list(table.frame.columns) == ["0 %", "uniform-0.2"]
    assert table.frame.to_numpy().tolist() == [["72.00 ± 5.29", "–"], ["91.00 ± 2.00", "61.00 ± 2.83 †1"]]
    assert table.bold.to_numpy().tolist() == [[False, False], [True, True]]
    table = tables.build(ROWS, {**TABLE_SPEC, "spread": "sd", "highlight": False}, **NAMES)
    assert table.frame.iloc[1, 0] == "91.00 ± 1.00" and not table.bold.any(axis=None)


def test_all_failed_and_never_run_are_told_apart():
    rows = frame([*fits([0.9], "a"), *fits([np.nan, np.nan], "b")])
    rows["fold"] = 0
    holes = collect.refuse_holes(rows, [["d1", "binary", ["clean"], list("abc")]], 2, 1, allow_holes=True)
    table = tables.build(rows, {"kind": "accuracy"}, missing=holes)
    assert table.frame["clean"].tolist() == ["90.00 ‡1", "– †2", "–"]


def test_a_metric_that_is_no_share_is_shown_as_it_is_and_never_bold():
    rows = ROWS.assign(n_leaves=[10.0, 12.0, 14.0] * 3)
    table = tables.build(rows, {**TABLE_SPEC, "metric": "n_leaves", "methods": ["a"], "noises": ["clean"]})
    assert table.frame.iloc[0, 0] == "12.00 ± 4.00"
    assert not table.bold.any(axis=None)


def rank_rows():
    rng = np.random.default_rng(0)
    skill = {"a": 0.9, "b": 0.7, "c": 0.5}
    for dataset in ("d1", "d2", "d3"):
        for noise in ("clean", "uniform-0.2"):
            for method, mean in skill.items():
                yield from fits(rng.normal(mean, 0.01, 2), method, noise, dataset)


def test_rank_table_by_hand():
    rows = frame(rank_rows())
    table = tables.build(rows, {"kind": "ranks"}, **NAMES)
    assert list(table.frame.index) == ["Alpha", "b", "c"]
    assert table.frame.to_numpy().tolist() == [["1.00"] * 3, ["2.00"] * 3, ["3.00"] * 3]
    difference = ranks.critical_difference(3, 6)  # 1.35
    assert table.bold["All"].tolist() == [True, True, False]
    assert not table.bold.drop(columns="All").any(axis=None)
    assert f"critical difference {difference:.2f}" in table.caption
    assert "Friedman chi-square 12.00, p = 0.002" in table.caption  # N (k - 1) at full agreement, chi2 with 2 df
    assert dict(zip(table.values["noise_id"], table.values["settings"], strict=True))["all"] == 6
    rows["n_leaves"] = rows["method"].map({"a": 30.0, "b": 20.0, "c": 10.0})
    assert list(tables.build(rows, {"kind": "ranks", "metric": "n_leaves"}).frame.index) == ["c", "b", "a"]


ERROR_SPEC = {"kind": "errors", "id": "t", "methods": ["a", "b"], "risk_of": "b", "caption": "Three"}


def rows():
    for method, error in (("a", 0.22), ("b", 0.08)):
        for dataset, shift in (("d1", 0.0), ("d2", 0.149)):
            for noise_id in ("clean", "far"):
                for repeat in range(2):
                    value = error + shift + 0.02 * repeat - (0.15 if (method, noise_id) == ("a", "far") else 0)
                    yield {"dataset": dataset, "task": "binary", "method": method, "noise_id": noise_id} | {
                        "repeat": repeat,
                        "status": "ok",
                        "error": value,
                        "minimax_risk": 0.3 if method == "b" else np.nan,
                    }


@pytest.mark.parametrize(
    ("mean", "text"), [(0.0849, "8.5"), (0.0994, "9.9"), (0.0996, "10"), (0.2151, "22"), (0.5, "50"), (0.0, "0.0")]
)
def test_digits(mean, text):
    assert error_table.printed_text(mean) == text
    assert error_table.printed_text(mean, 0.0349) == f"{text} ± 3.5"


def test_methods_below_each_other():
    data = frame(rows())
    lost = (data["method"] == "a") & (data["repeat"] == 1) & (data["dataset"] == "d1") & (data["noise_id"] == "clean")
    data.loc[lost, "status"] = FAILED
    failed = tables.build(data[(data["method"] != "b") | (data["dataset"] != "d2")], ERROR_SPEC).frame
    assert failed.loc[("clean", "a"), "d1"] == "22 †1" and failed.loc[("clean", "b"), "d2"] == "–"
    names = {"a": "A"}, {"clean": "0"}, {"d1": "One"}
    table = tables.build(frame(rows()), ERROR_SPEC, *names)
    assert list(table.frame.columns) == ["One", "d2"]
    assert table.frame.index.tolist() == [(n, m) for n in ("0", "far") for m in ("A", "b", "Minimax risk")]
    assert table.frame.loc[("0", "A")].tolist() == ["23 ± 1.4", "38 ± 1.4"]
    assert table.frame.loc[("0", "b")].tolist() == ["9.0 ± 1.4", "24 ± 1.4"]
    assert table.frame.loc[("0", "Minimax risk")].tolist() == ["30 ± 0.0", "30 ± 0.0"]
    assert table.bold.iloc[:, 0].tolist() == table.bold.iloc[:, 1].tolist() == [False, True, False, True, False, False]
    risk = table.values.query("method == 'minimax-risk'")
    assert len(risk) == 4 and (risk["mean"] == 0.3).all()


#: (data set, noise) -> method -> accuracy, log loss and seconds.
FOUND = {
    ("d1", "clean"): {"a": (0.9, 0.2, 1.0), "b": (0.7, math.nan, 2.0)},
    ("d1", "far"): {"a": (0.7, 0.4, 1.0), "b": (0.5, math.nan, 2.0)},
    ("d2", "clean"): {"a": (0.5, 0.6, 4.0), "b": (0.9, math.nan, 2.0)},
}


def test_means_by_hand():
    about = {"task": "binary", "rate": "0", "repeat": 0, "fold": 0, "status": "ok"}
    lines = [
        about | {"dataset": dataset, "noise": noise, "noise_id": noise, "method": method}
        | dict(zip(("accuracy", "log_loss", "fit_seconds"), values, strict=True))
        for (dataset, noise), methods in FOUND.items()
        for method, values in methods.items()
    ]  # fmt: skip
    spec = {"kind": "measures", "id": "t", "metrics": ["accuracy", "log_loss", "fit_seconds"]}
    found = tables.build(records.frame(lines, ["log_loss"]), spec, {"a": "A"}, {}, {})
    assert list(found.frame.columns) == ["Test accuracy (percent)", "Test log loss", "CPU time of a fit (seconds)"]
    assert found.frame.loc["b"].tolist() == ["75.00", "–", "2"]  # (60 + 90) / 2
    assert found.frame.loc["A"].tolist() == ["65.00", "0.45", "2.5"]  # (80 + 50) / 2, (0.3 + 0.6) / 2, (1 + 4) / 2
    assert list(found.frame.index) == ["b", "A"]
    assert found.bold.loc["b"].tolist() == [True, False, True] and found.bold.loc["A"].tolist() == [False, True, False]
    assert found.values.set_index(["method", "metric"])["mean"]["a", "log_loss"] == pytest.approx(0.45)
