"""Leaderboard, win matrix, costs, differences of pairs, and places among packs and published filters."""

import itertools

import numpy as np
import pack_files
import pandas as pd
import pytest
from result_rows import result_rows

from ironbark.errors import InputError
from ironbark.pipeline import figures, tables
from ironbark.pipeline.results import records
from ironbark.pipeline.statistics import elo, ranks
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.filter_places import _rivals
from ironbark.pipeline.tables.rankings import board, normalised, rows_of_pack, seconds

#: Accuracy of good, fair and bad, by data set and noise.
FOUND = {("d1", "clean"): (0.9, 0.8, 0.7), ("d1", "uniform-0.2"): (0.8, 0.8, 0.4), ("d2", "clean"): (0.6, 0.7, 0.5)}
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
    complete, notes = ranks.compared(cells(board_rows), {}, {})
    found = board(board_rows, complete, "accuracy")
    assert (complete.shape, notes) == ((3, 3), [])
    by_hand = {  # each data set counts once: d1 has two settings, d2 one, which says nothing of noise
        "good": (((1.0 + 1.5) / 2 + 2.0) / 2, ((0.9 + 0.8) / 2 + 0.6) / 2, 0.9 - 0.8, 4.0),
        "fair": (((2.0 + 1.5) / 2 + 1.0) / 2, (0.8 + 0.7) / 2, 0.8 - 0.8, 1.0),
        "bad": (3.0, ((0.7 + 0.4) / 2 + 0.5) / 2, 0.7 - 0.4, 1.0),
    }
    for method, numbers in by_hand.items():
        assert found.loc[method, ["rank", "mean", "lost", "seconds"]].tolist() == pytest.approx(numbers), method
    wins = np.array([[0, 0.75 + 0, 2], [0.25 + 1, 0, 2], [0, 0, 0]])
    at = found.loc[list(METHODS), "elo"]
    assert at.tolist() == pytest.approx(elo.ratings(wins).tolist())
    assert found.index.tolist() == ["fair", "good", "bad"] and found[["low", "high"]].isna().all(axis=None)


def test_normalised_scores_and_costs_by_hand():
    scores = pd.DataFrame([[3.0, 1.0, 2.0], [5.0, 5.0, 5.0], [2.0, 2.5, 0.0]])
    assert normalised(scores).to_numpy().tolist() == [[1, 0, 0], [1, 1, 1], [0, 1, 0]]
    assert normalised(pd.DataFrame([[4.0, 3.0, 1.0, 2.0]])).to_numpy().tolist() == [[1, 1 / 3, 0, 0]]
    assert normalised(pd.DataFrame([[4.0, 4.0, 1.0]])).to_numpy().tolist() == [[1, 1, 0]]
    frame = result_rows({(dataset, "clean", method): [0.9] * len(fits) for (dataset, method), fits in SPENT.items()})
    frame[["fit_seconds", "tune_seconds"]] = list(itertools.chain(*SPENT.values()))
    found = seconds(frame, ranks.scores(cells(frame, "accuracy"))[0])
    assert found["x"] == pytest.approx(np.sqrt(3.0 * 12.0))  # mean of 1 and 5, then 12; the last is not complete
    assert found["y"] == pytest.approx(np.sqrt(1.0 * 1e-4))  # a clock that says 0


def test_leaderboard(board_rows):
    table = tables.build(board_rows, {"kind": "leaderboard"}, {"good": "Good"}, {}, {})
    assert table.frame.index.tolist() == ["fair", "Good", "bad"]
    assert table.frame.loc["Good", "Average rank"] == "1.6" and table.frame.loc["bad", "Lost by noise"] == "30.00"
    noisy = tables.build(board_rows[board_rows["noise"] != "clean"], {"kind": "leaderboard"}, {}, {}, {})
    assert noisy.frame["Lost by noise"].tolist() == ["–"] * 3
    short = board_rows[(board_rows["dataset"] != "d2") | (board_rows["method"] != "bad")]
    table = tables.build(short, {"kind": "leaderboard"}, {}, {}, {})
    assert table.notes[-1] == "1 setting is left out, since some method has no finished fit there."
    both, spec = board_rows.assign(error=1 - board_rows["accuracy"]), {"kind": "leaderboard"}
    by_accuracy, by_error = (tables.build(both, spec | {"metric": metric}) for metric in ("accuracy", "error"))
    same = ["Elo", "Average rank", "Normalised score", "Lost by noise"]
    assert by_error.frame[same].equals(by_accuracy.frame[same])
    assert by_error.frame["Test error (percent)"].to_dict() == {"fair": "25.00", "good": "27.50", "bad": "47.50"}


@pytest.mark.parametrize("datasets", [1, 5, 6])
def test_intervals_are_those_of_enough_data_sets(datasets):
    runs = [{"a": 0.9, "b": 0.8, "c": 1.0 if i % 3 == 0 else 0.7} for i in range(datasets)]
    values = {(f"d{i}", "clean", method): [mean] for i, found in enumerate(runs) for method, mean in found.items()}
    frame = result_rows(values, tune_seconds=0.0, fit_seconds=1.0)
    table = tables.build(frame, {"kind": "leaderboard", "id": "t"})
    few = datasets < elo.LEAST_DATASETS
    assert all(("[" in text) == (not few) for text in table.frame["Elo"])
    assert table.bold["Elo"].any() == (not few)
    [axis] = figures.draw(frame, {"kind": "elo", "id": "f"}).axes
    widths = [np.ptp(bar.get_segments()[0][:, 0]) for bar in axis.collections]
    assert len(axis.lines) == len(widths) == 3 and all((width > 0) == (not few) for width in widths)


#: (data set, method) -> seconds of fit and tuning of each repeat.
SPENT = {
    ("a", "x"): [(1.0, 0.0), (3.0, 2.0)],
    ("b", "x"): [(12.0, 0.0), (12.0, 0.0)],
    ("a", "y"): [(1.0, float("nan"))] * 2,
    ("b", "y"): [(0.0, 0.0), (0.0, 0.0)],
    ("only x has this", "x"): [(1e6, 0.0)],
}


PAIR_SPEC = {"kind": "pairs", "id": "t", "pairs": [["a", "b"], ["c", "a"]], "caption": "Audit"}


def pair_values():
    """Fits of a and b in all settings, of c in one."""
    settings = [(dataset, noise_id) for dataset in ("d1", "d2") for noise_id in ("clean", "far")]
    runs = {"a": [0.80, 0.85, 0.90], "b": [0.70, 0.77, 0.84]}
    found = {(*setting, method): own for method, own in runs.items() for setting in settings}
    return found | {("d1", "clean", "c"): runs["a"]}


def build_pairs(data, **changes):
    return tables.build(data, PAIR_SPEC | changes, {"a": "A"}, {"clean": "0"}, {"d1": "One"}, caption_note="Note.")


def test_differences_are_paired_or_pooled():
    table = build_pairs(result_rows(pair_values()))
    assert list(table.frame.columns) == ["0", "far"]
    assert table.frame.index.tolist() == [("One", "A − b"), ("One", "c − A"), ("d2", "A − b")]
    assert table.frame.loc[("One", "A − b"), "0"] == "+8.00 ± 2.00"  # 10, 8 and 6 points
    assert table.frame.loc[("One", "c − A")].tolist() == ["+0.00 ± 0.00", "–"]
    [mean] = table.values.query("method == 'a' and dataset == 'd1' and noise_id == 'clean'")["mean"]
    assert mean == pytest.approx(0.08)
    failed = {("d1", noise_id, "a"): [0.80, 0.85, np.nan] for noise_id in ("clean", "far")}
    table = build_pairs(result_rows(pair_values() | failed))  # failed fits do not count; a note has their number
    assert table.frame.loc[("One", "A − b"), "0"].startswith("+9.00") and "Fits that failed: 2;" in table.notes[0]
    data = result_rows(pair_values())
    data.loc[(data["method"] == "b") & (data["dataset"] == "d2"), "accuracy"] -= 0.04
    table = build_pairs(data, pool=True, datasets=["d1", "d2"])
    assert table.frame.index.tolist() == [("2 data sets", "A − b"), ("1 data set", "c − A")]
    assert table.frame.loc[("2 data sets", "A − b"), "0"] == "+10.00 ± 2.83"  # means of 8 and 12 points
    assert table.frame.loc[("1 data set", "c − A")].tolist() == ["+0.00", "–"]
    assert table.values["n"].tolist() == [2, 2, 1]


def test_packs_of_predictions_are_refused(tmp_path):
    pack_files.write(tmp_path / "a.pack")
    with pytest.raises(InputError, match=r"a.pack has no fits, or fits without scores; .* pack_content=scores"):
        rows_of_pack(tmp_path / "a.pack")


def rows_of(f1, sizes=(1000,)):
    """Fits of a method, one for each F1 (draw) and size, at two rates."""
    fits = [
        {"dataset": "misla-magic", "task": "binary", "noise_id": f"n-{rate}", "noise": "uniform", "rate": rate}
        | {"method": "a", "repeat": draw, "fold": fold, "status": "ok", "n_train": n, "fit_seconds": 2.0}
        | {"called_f1": value + shift}
        for draw, value in enumerate(f1)
        for fold, n in enumerate(sizes)
        for rate, shift in (("0.1", -0.1), ("0.2", 0.1))
    ]
    return records.frame(fits, ["called_f1"])


def filters(**means):
    """Published lines of filters at two rates, of 10 runs with the sd 0.01."""
    lines = [
        {"dataset": "misla-magic", "noise": "uniform", "rate": rate, "n": 1000, "filter": name, "f1": mean}
        | {"f1_sd": 0.01, "runs": 10, "seconds": 3.0}
        for name, mean in means.items()
        for rate in ("0.1", "0.2")
    ]
    return pd.DataFrame(lines)


def build_places(rows, printed, **spec):
    spec = {"kind": "filter-places", "metric": "called_f1", **spec}
    return tables.build(rows, spec, {"a": "A"}, {}, {"misla-magic": "Magic"}, printed=printed)


@pytest.mark.parametrize(
    ("f1", "text", "sure"),
    [
        ([0.79, 0.8, 0.81], "0.800 ± 0.025; 1 (1–1) of 4; 2 s", "first beyond chance on 1 of 1 lines"),
        ([0.59, 0.6, 0.61], "0.600 ± 0.025; 1 (1–2) of 4; 2 s", "on 0 of 1 lines, not first beyond chance on 0."),
        ([0.29, 0.3, 0.31], "0.300 ± 0.025; 4 (4–4) of 4; 2 s", "not first beyond chance on 1."),
        ([0.6], "0.600; 1 (1–4) of 4; 2 s", "not first beyond chance on 0"),
    ],
)
def test_places_come_out_both_ways(f1, text, sure):
    table = build_places(rows_of(f1), filters(best=0.595, middle=0.5, last=0.4))
    assert table.frame.iloc[0].tolist() == ["best 0.595; 3 s", text] and sure in table.notes[0]
    assert "small sample" in table.caption and table.values["draws"].max() == len(f1)


def test_the_variance_of_a_filters_mean_is_that_of_independent_cells():
    printed = filters(a=0.5).assign(runs=[10, 4], f1_sd=[0.01, 0.02])
    found = _rivals(printed, 2).loc["a"]
    assert found["variance"] == pytest.approx((0.01**2 / 10 + 0.02**2 / 4) / 4) and found["runs"] == 4


def test_lines_of_published_filters():
    printed = filters(best=0.595, middle=0.5)
    table = build_places(rows_of([0.6, 0.62]), printed[(printed["filter"] != "best") | (printed["rate"] == "0.1")])
    assert table.frame.iloc[0, 0] == "middle 0.500; 3 s" and table.values["of"].max() == 2
    other = rows_of([0.3, 0.32]).assign(dataset="misla-rna0")
    rows, printed = pd.concat([rows_of([0.6, 0.62], (100, 1000)), other]), filters(best=0.5, last=0.4)
    printed = pd.concat([printed, printed.assign(n=100), printed.assign(dataset="misla-rna0", f1=0.2)])
    lines = [("Magic", "100"), ("Magic", "1,000"), ("misla-rna0", "1,000")]
    assert list(build_places(rows, printed).frame.index.droplevel("Noise")) == lines
    pooled = build_places(rows, printed, pool=True).values.set_index(["n", "method"])["f1"]
    assert pooled[1000].to_dict() == pytest.approx({"Best filter": 0.35, "a": 0.46})
    few = pd.concat([rows, rows[rows["dataset"] == "misla-magic"].assign(method="b")])  # b failed on a table
    assert set(build_places(few, printed, pool=True).values.query("n == 1000")["method"]) == {"Best filter", "a"}
    table = build_places(rows_of([0.6, 0.62]).iloc[1:], filters(best=0.5), methods=["a", "plain"])
    assert table.values["draws"].max() == 1  # whole draws
    assert len(table.notes) == 2 and table.notes[1] == "–: no detector, or fits failed or are missing."


@pytest.mark.parametrize(
    ("n", "spec", "words"), [(1000, {"metric": "accuracy"}, "metric: called_f1"), (300, {}, "no published filter")]
)
def test_what_cannot_be_compared_is_refused(n, spec, words):
    with pytest.raises(InputError, match=words):
        build_places(rows_of([0.6, 0.62], (n,)), filters(best=0.5), **spec)
