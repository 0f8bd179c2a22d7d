import numpy as np

from ironbark.pipeline import tables
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.tables import collect

NAMES = {"labels": {"a": "Alpha"}, "noise_labels": {"clean": "0 %"}, "dataset_labels": {"d1": "First"}}
SPEC = {"kind": "accuracy", "datasets": ["d1"], "methods": ["b", "a"], "noises": ["clean", "uniform-0.2"]}


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
    table = tables.build(ROWS, SPEC, **NAMES)
    assert list(table.frame.index) == [("First", "b"), ("First", "Alpha")]
    assert list(table.frame.columns) == ["0 %", "uniform-0.2"]
    assert table.frame.to_numpy().tolist() == [["72.00 ± 5.29", "–"], ["91.00 ± 2.00", "61.00 ± 2.83 †1"]]
    assert table.bold.to_numpy().tolist() == [[False, False], [True, True]]
    assert table.notes == [
        "†k: k fits of the cell failed and are not in its mean; 1 of 9 fits failed.",
        "–: not run.",
    ]


def test_spread_of_one_standard_deviation_and_no_highlight():
    table = tables.build(ROWS, {**SPEC, "spread": "sd", "highlight": False})
    assert table.frame.iloc[1, 0] == "91.00 ± 1.00"
    assert not table.bold.any(axis=None)
    assert not table.values["highlighted"].any()
    assert "one standard deviation" in table.caption and "bold" not in table.caption


def test_all_failed_and_never_run_are_told_apart():
    rows = frame([*fits([0.9], "a"), *fits([np.nan, np.nan], "b")])
    expected = [("d1", "binary", "clean", method, repeat, 0) for method in "abc" for repeat in range(2)]
    rows["fold"] = 0
    holes = collect.refuse_holes(rows, expected, allow_holes=True)
    table = tables.build(rows, {"kind": "accuracy"}, missing=holes)
    assert table.frame["clean"].tolist() == ["90.00 ‡1", "– †2", "–"]
    assert "‡k: k fits of the cell were not run; 3 in all." in table.notes


def test_a_metric_that_is_no_share_is_shown_as_it_is_and_never_bold():
    rows = ROWS.assign(n_leaves=[10.0, 12.0, 14.0] * 3)
    table = tables.build(rows, {**SPEC, "metric": "n_leaves", "methods": ["a"], "noises": ["clean"]})
    assert table.frame.iloc[0, 0] == "12.00 ± 4.00"
    assert not table.bold.any(axis=None)
    assert table.caption == "Number of leaves, mean of 3 fits ± two standard deviations."


def rank_rows():
    rng = np.random.default_rng(0)
    skill = {"a": 0.9, "b": 0.7, "c": 0.5}
    for dataset in ("d1", "d2", "d3"):
        for noise in ("clean", "uniform-0.2"):
            for method, mean in skill.items():
                yield from fits(rng.normal(mean, 0.01, 2), method, noise, dataset)


def test_rank_table_by_hand():
    table = tables.build(frame(rank_rows()), {"kind": "ranks"}, **NAMES, caption_note="Scale smoke.")
    assert list(table.frame.index) == ["Alpha", "b", "c"]
    assert table.frame.to_numpy().tolist() == [["1.00"] * 3, ["2.00"] * 3, ["3.00"] * 3]
    difference = ranks.critical_difference(3, 6)  # 1.35
    assert table.bold["All"].tolist() == [True, True, False]
    assert not table.bold.drop(columns="All").any(axis=None)
    assert f"critical difference {difference:.2f}" in table.caption
    assert "Friedman chi-square 12.00, p = 0.002" in table.caption  # N (k - 1) at full agreement, chi2 with 2 df
    assert table.caption.endswith("Scale smoke.")
    assert dict(zip(table.values["noise_id"], table.values["settings"], strict=True))["all"] == 6


def test_ranks_put_the_smaller_tree_first_where_smaller_is_better():
    rows = frame(rank_rows())
    rows["n_leaves"] = rows["method"].map({"a": 30.0, "b": 20.0, "c": 10.0})
    assert list(tables.build(rows, {"kind": "ranks", "metric": "n_leaves"}).frame.index) == ["c", "b", "a"]
