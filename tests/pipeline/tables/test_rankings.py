"""Leaderboard, win matrix, slopes and training cost against numbers by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows

from ironbark.pipeline import figures, tables
from ironbark.pipeline.statistics import elo, ranks
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.rankings import board, normalised, seconds, slopes

#: Accuracy of good, fair and bad, by data set and noise.
FOUND = {
    ("d1", "clean"): (0.9, 0.8, 0.7),
    ("d1", "uniform-0.2"): (0.8, 0.8, 0.4),
    ("d2", "clean"): (0.6, 0.7, 0.5),
}
METHODS = ("good", "fair", "bad")


@pytest.fixture
def board_rows():
    values = {
        (*setting, method): [mean - 0.01, mean + 0.01]
        for setting, means in FOUND.items()
        for method, mean in zip(METHODS, means, strict=True)
    }
    rows = result_rows(values, tune_seconds=0.0)
    return rows.assign(fit_seconds=rows["method"].map({"good": 4.0, "fair": 1.0, "bad": 1.0}))


def test_numbers_by_hand(board_rows):
    complete, notes = ranks.compared(cells(board_rows), {})
    found = board(board_rows, complete, "accuracy")
    assert (complete.shape, notes) == ((3, 3), [])
    by_hand = {  # data sets count once: d1 has two settings, d2 one
        "good": ((1.0 + 1.5 + 2.0) / 3, ((0.9 + 0.8) / 2 + 0.6) / 2, (0.9 + 0.6) / 2 - 0.8, 4.0),
        "fair": ((2.0 + 1.5 + 1.0) / 3, (0.8 + 0.7) / 2, (0.8 + 0.7) / 2 - 0.8, 1.0),
        "bad": (3.0, ((0.7 + 0.4) / 2 + 0.5) / 2, (0.7 + 0.5) / 2 - 0.4, 1.0),
    }
    for method, numbers in by_hand.items():
        assert found.loc[method, ["rank", "mean", "lost", "seconds"]].tolist() == pytest.approx(numbers), method
    wins = np.array([[0, 0.75 + 0, 2], [0.25 + 1, 0, 2], [0, 0, 0]])
    at = found.loc[list(METHODS), "elo"]
    assert at.tolist() == pytest.approx(elo.ratings(wins).tolist())
    assert found.index.tolist() == ["fair", "good", "bad"] and found[["low", "high"]].isna().all(axis=None)


def test_normalised_scores_and_costs_by_hand():
    scores = pd.DataFrame([[3.0, 1.0, 2.0], [5.0, 5.0, 5.0], [2.0, 2.5, 0.0]])
    assert normalised(scores).to_numpy().tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert normalised(pd.DataFrame([[4.0, 3.0, 1.0, 2.0]])).to_numpy().tolist() == [[1, 1 / 3, 0, 0]]
    frame = result_rows({(dataset, "clean", method): [0.9] * len(fits) for (dataset, method), fits in SPENT.items()})
    frame[["fit_seconds", "tune_seconds"]] = list(itertools.chain(*SPENT.values()))
    found = seconds(frame, ranks.scores(cells(frame, "accuracy"))[0])
    assert found["x"] == pytest.approx(np.sqrt(3.0 * 12.0))  # mean of 1 and 5, then 12; the last is not complete
    assert found["y"] == pytest.approx(np.sqrt(1.0 * 1e-4))  # a clock that says 0


def test_leaderboard_and_win_matrix(board_rows):
    table = tables.build(board_rows, {"kind": "win-matrix"}, {}, {}, {})
    order = ["fair", "good", "bad"]
    assert table.frame.index.tolist() == order and table.frame.columns.tolist() == order
    assert table.frame.to_numpy().tolist() == [["", "62", "100"], ["38", "", "100"], ["0", "0", ""]]
    both = table.values.set_index(["method", "against"])["wins"]
    for first, second in itertools.combinations(order, 2):
        assert both[first, second] + both[second, first] == pytest.approx(1)
    assert table.bold.to_numpy().tolist() == [[False, True, True], [False, False, True], [False] * 3]
    table = tables.build(board_rows, {"kind": "leaderboard"}, {"good": "Good"}, {}, {})
    assert table.frame.index.tolist() == ["fair", "Good", "bad"]
    assert table.frame.loc["Good", "Average rank"] == "1.5" and table.frame.loc["bad", "Lost by noise"] == "20.00"
    noisy = tables.build(board_rows[board_rows["noise"] != "clean"], {"kind": "leaderboard"}, {}, {}, {})
    assert noisy.frame["Lost by noise"].tolist() == ["–"] * 3
    short = board_rows[(board_rows["dataset"] != "d2") | (board_rows["method"] != "bad")]
    table = tables.build(short, {"kind": "leaderboard"}, {}, {}, {})
    assert table.notes[-1] == "1 setting is left out, since some method has no finished fit there."
    by_accuracy, by_error = (
        tables.build(board_rows.assign(error=1 - board_rows["accuracy"]), {"kind": "leaderboard", "metric": metric})
        for metric in ("accuracy", "error")
    )
    same = ["Elo", "Average rank", "Normalised score", "Lost by noise"]
    assert by_error.frame[same].equals(by_accuracy.frame[same])
    assert by_error.frame["Test error (percent)"].to_dict() == {"fair": "25.00", "good": "27.50", "bad": "47.50"}


@pytest.mark.parametrize("datasets", [1, 5, 6])
def test_intervals_are_those_of_enough_data_sets(datasets):
    values = {
        (f"d{i}", "clean", method): [mean + 0.3 * (i % 3 == 0 and method == "c")]
        for i in range(datasets)
        for method, mean in {"a": 0.9, "b": 0.8, "c": 0.7}.items()
    }
    frame = result_rows(values, tune_seconds=0.0, fit_seconds=1.0)
    table = tables.build(frame, {"kind": "leaderboard", "id": "t"})
    few = datasets < elo.LEAST_DATASETS
    assert all(("[" in text) == (not few) for text in table.frame["Elo"])
    assert table.bold["Elo"].any() == (not few)
    [axis] = figures.draw(frame, {"kind": "elo", "id": "f"}).axes
    widths = [np.ptp(bar.get_segments()[0][:, 0]) for bar in axis.collections]
    assert len(axis.lines) == len(widths) == 3 and all((width > 0) == (not few) for width in widths)


NOISES = ["clean", "uniform-0.1", "uniform-0.3", "balanced-0.2", "class_conditional-0.1/0.3", "mahalanobis"]


def slope_rows(repeats=2):
    rng = np.random.default_rng(0)
    return result_rows({key: rng.random(repeats) for key in itertools.product("ab", NOISES, "xy")})


def test_slopes_are_those_of_numpys_fit():
    gathered = cells(slope_rows())
    found = slopes(gathered)
    assert len(found) == 8 and set(found["noise"]) == {"uniform", "balanced"}
    for line in found.itertuples():
        mine = gathered[(gathered["dataset"] == line.dataset) & (gathered["method"] == line.method)]
        mine = mine[mine["noise"].isin(["clean", line.noise])]
        expected = np.polyfit(mine["rate"].astype(float), mine["mean"], 1)[0] / 10
        assert line.slope == pytest.approx(expected) and line.rates == len(mine)
    frame = slope_rows()
    gap = (frame["dataset"] == "b") & (frame["method"] == "y") & (frame["noise_id"] == "uniform-0.3")
    found = slopes(cells(frame[~gap]))
    assert set(found[found["noise"] == "uniform"]["dataset"]) == {"a"}
    assert set(found[found["noise"] == "balanced"]["dataset"]) == {"a", "b"}


def test_the_table_by_hand():
    values = {("x", "0"): 0.9, ("x", "0.1"): 0.8, ("x", "0.3"): 0.6} | {
        ("y", rate): 0.9 for rate in ("0", "0.1", "0.3")
    }
    frame = slope_rows(repeats=1)
    frame = frame[frame["noise"].isin(["clean", "uniform"])]
    keys = zip(frame["method"], frame["rate"], strict=True)
    table = tables.build(
        frame.assign(accuracy=[values[key] for key in keys]), {"kind": "slopes", "id": "t"}, {"x": "X"}
    )
    assert table.frame["uniform"].to_dict() == {"y": "+0.00 ± 0.00", "X": "-10.00 ± 0.00"}
    assert table.bold["All"].to_dict() == {"y": True, "X": False}
    errors = frame.assign(error=[1 - values[key] for key in zip(frame["method"], frame["rate"], strict=True)])
    table = tables.build(errors, {"kind": "slopes", "metric": "error"})
    assert list(table.frame.index) == ["y", "x"] and table.bold["uniform"].tolist() == [True, False]


#: (data set, method) -> seconds of fit and tuning of each repeat.
SPENT = {
    ("a", "x"): [(1.0, 0.0), (3.0, 2.0)],
    ("b", "x"): [(12.0, 0.0), (12.0, 0.0)],
    ("a", "y"): [(1.0, float("nan")), (1.0, 0.0)],
    ("b", "y"): [(0.0, 0.0), (0.0, 0.0)],
    ("only x has this", "x"): [(1e6, 0.0)],
}
