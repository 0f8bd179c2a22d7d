"""Leaderboard and win matrix against numbers by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures, tables
from ironbark.pipeline.results import records
from ironbark.pipeline.statistics import elo, ranks
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.rankings import board, normalised

#: Accuracy of good, fair and bad, by data set and noise.
FOUND = {
    ("d1", "clean"): (0.9, 0.8, 0.7),
    ("d1", "uniform-0.2"): (0.8, 0.8, 0.4),
    ("d2", "clean"): (0.6, 0.7, 0.5),
}
METHODS = ("good", "fair", "bad")


@pytest.fixture
def rows():
    about = {"task": "binary", "rate": "0", "fold": 0, "status": "ok", "tune_seconds": 0.0}
    return records.frame(
        [
            about
            | {"dataset": dataset, "noise": noise.split("-")[0], "noise_id": noise, "method": method, "repeat": repeat}
            | {"accuracy": value + (-0.01, 0.01)[repeat], "fit_seconds": seconds}
            for (dataset, noise), values in FOUND.items()
            for (method, seconds), value in zip(zip(METHODS, (4.0, 1.0, 1.0), strict=True), values, strict=True)
            for repeat in range(2)
        ]
    )


def test_numbers_by_hand(rows):
    complete, notes = ranks.compared(cells(rows), {})
    found = board(rows, complete, "accuracy")
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


def test_normalised_scores():
    scores = pd.DataFrame([[3.0, 1.0, 2.0], [5.0, 5.0, 5.0], [2.0, 2.5, 0.0]])
    assert normalised(scores).to_numpy().tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert normalised(pd.DataFrame([[4.0, 3.0, 1.0, 2.0]])).to_numpy().tolist() == [[1, 1 / 3, 0, 0]]


def test_the_table_shows_the_numbers_and_who_may_be_best(rows):
    table = tables.build(rows, {"kind": "leaderboard", "caption": "Board."}, {"good": "Good"}, {}, {})
    assert table.frame.index.tolist() == ["fair", "Good", "bad"]
    assert table.frame.loc["Good", "Average rank"] == "1.5" and table.frame.loc["bad", "Lost by noise"] == "20.00"
    assert not table.bold["Elo"].any(), "two data sets have no intervals"
    assert table.caption.startswith("Board. By test accuracy on 3 settings of 2 data sets")
    noisy = rows[rows["noise"] != "clean"]
    assert tables.build(noisy, {"kind": "leaderboard"}, {}, {}, {}).frame["Lost by noise"].tolist() == ["–"] * 3


def test_larger_errors_are_worse(rows):
    errors = rows.assign(error=1 - rows["accuracy"])
    best = board(errors, ranks.scores(cells(errors, "error"))[0], "error")
    same = board(rows, ranks.scores(cells(rows))[0], "accuracy")
    assert best["elo"].tolist() == pytest.approx(same["elo"].tolist()) and best.index.tolist() == same.index.tolist()
    assert best["lost"].tolist() == pytest.approx(same["lost"].tolist())


def test_win_matrix(rows):
    table = tables.build(rows, {"kind": "win-matrix"}, {}, {}, {})
    order = ["fair", "good", "bad"]
    assert table.frame.index.tolist() == order and table.frame.columns.tolist() == order
    assert table.frame.to_numpy().tolist() == [["", "62", "100"], ["38", "", "100"], ["0", "0", ""]]
    both = table.values.set_index(["method", "against"])["wins"]
    for first, second in itertools.combinations(order, 2):
        assert both[first, second] + both[second, first] == pytest.approx(1)
    assert table.bold.to_numpy().tolist() == [[False, True, True], [False, False, True], [False] * 3]


def test_settings_that_a_method_lacks_are_left_out(rows):
    short = rows[(rows["dataset"] != "d2") | (rows["method"] != "bad")]
    table = tables.build(short, {"kind": "leaderboard"}, {}, {}, {})
    assert table.notes == ["1 setting is left out, since some method has no finished fit there."]
    alone = rows[rows["method"] == "good"]
    for kind in ("leaderboard", "win-matrix"):
        with pytest.raises(InputError, match="needs two methods and a setting that both have finished"):
            tables.build(alone, {"kind": kind}, {}, {}, {})


def test_figure(rows, tmp_path):
    figure = figures.draw(rows, {"kind": "elo"}, {"good": "Good"}, {}, {}, caption_note="Lite.")
    axis = figure.axes[0]
    assert [text.get_text() for text in axis.get_yticklabels()] == ["fair", "Good", "bad"]
    drawn = [line.get_xdata()[0] for line in axis.lines if line.get_gid() == "rating"]
    assert drawn == pytest.approx(board(rows, ranks.scores(cells(rows))[0], "accuracy")["elo"].tolist())
    assert axis.get_ylim() == (2.5, -0.5) and "3 settings of 2 data sets" in figure.get_label()
    figures.save(figure, tmp_path / "elo")


def test_a_figure_of_the_best_rates_them_among_all(rows):
    every = figures.draw(rows, {"kind": "elo"}, {}, {}, {}).axes[0]
    some = figures.draw(rows, {"kind": "elo", "best": 2}, {}, {}, {})
    ratings = [
        [line.get_xdata()[0] for line in axis.lines if line.get_gid() == "rating"] for axis in (every, some.axes[0])
    ]
    assert ratings[1] == ratings[0][:2] and "The best 2 of 3 methods" in some.get_label()


@pytest.mark.parametrize("datasets", [1, 2, 5, 6, 20])
def test_intervals_are_those_of_enough_data_sets(datasets):
    scores = {"a": 0.9, "b": 0.8, "c": 0.7}
    frame = records.frame(
        {"dataset": f"d{i}", "task": "binary", "noise": "clean", "noise_id": "clean", "rate": "0", "method": method}
        | {"repeat": 0, "fold": 0, "status": "ok", "tune_seconds": 0.0, "fit_seconds": 1.0}
        | {"accuracy": value + (i % 3 == 0) * (method == "c") * 0.3}
        for i in range(datasets)
        for method, value in scores.items()
    )
    table = tables.build(frame, {"kind": "leaderboard", "id": "t"})
    few = datasets < elo.LEAST_DATASETS
    assert all(("[" in text) == (not few) for text in table.frame["Elo"])
    assert ("no intervals, which need 6 data sets" in table.caption) == few
    assert table.bold["Elo"].any() == (not few) and ("bold" in table.caption) == (not few)
    drawn = figures.draw(frame, {"kind": "elo", "id": "f"})
    lines = [line.get_gid() for line in drawn.axes[0].lines]
    assert lines.count("interval") == (0 if few else 3) and lines.count("rating") == 3
    assert ("no intervals" in drawn.get_label()) == few
