"""Leaderboards that are shipped against the tables of the same selection, and by hand."""

import itertools

import numpy as np
import pytest

from ironbark.pipeline.analysis import collect
from ironbark.pipeline.analysis.statistics import elo, ranks
from ironbark.pipeline.analysis.tables.ranks import leaderboard
from ironbark.pipeline.results import records
from ironbark.pipeline.site.data import aggregates, boards, names

DATASETS, METHODS = [f"d{i}" for i in range(7)], list("abcd")
NOISES = {
    "clean": {"label": "0", "model": "clean"},
    "u2": {"label": "0.2", "model": "uniform", "rate": 0.2},
    "u4": {"label": "0.4", "model": "uniform", "rate": 0.4},
    "p2": {"label": "p", "model": "pair_flip", "rate": 0.2},
}


@pytest.fixture(scope="module")
def frame():
    rng, found = np.random.default_rng(0), []
    for dataset, noise, method, repeat in itertools.product(DATASETS, NOISES, METHODS, range(2)):
        about = {"dataset": dataset, "task": "binary", "noise_id": noise, "method": method, "repeat": repeat, "fold": 0}
        about |= {"noise": NOISES[noise]["model"], "rate": str(NOISES[noise].get("rate", 0)), "status": "ok"}
        accuracy = 0.9 - 0.05 * METHODS.index(method) + 0.05 * rng.normal()
        found.append(about | {"accuracy": accuracy, "fit_seconds": 1 + rng.random(), "tune_seconds": 0.0})
    return records.frame(found)


@pytest.fixture(scope="module")
def made(frame):
    cells = aggregates.of_task(frame).cells
    return boards.of_metric(cells, "accuracy", names.describe(NOISES), main=True)


def at(made, key):
    return made["boards"][made["places"][key]]


SELECTIONS = {"*|*": list(NOISES), "uniform|*": ["u2", "u4"], "*|20 %": ["u2", "p2"], "uniform|40 %": ["u4"]}


@pytest.mark.parametrize("key", SELECTIONS)
def test_the_same_as_the_table_of_the_selection(frame, made, key):
    found = at(made, f"*|{key}")
    part = frame[frame["noise_id"].isin(SELECTIONS[key])]
    complete, _ = ranks.scores(collect.cells(part))
    expected = leaderboard.board(part, complete, "accuracy")
    expected = expected.loc[found["methods"]]
    for mine, theirs in (("rank", "rank"), ("mean", "mean"), ("score", "score"), ("seconds", "seconds")):
        assert np.asarray(found[mine]) == pytest.approx(expected[theirs].to_numpy()), mine
    assert ("elo" in found) == (len(SELECTIONS[key]) > 1)
    for mine, theirs in () if "elo" not in found else (("elo", "elo"), ("elo_low", "low"), ("elo_high", "high")):
        assert np.asarray(found[mine]) == pytest.approx(expected[theirs].to_numpy(), abs=1e-6), mine
    assert found["settings"] == len(complete) and found["datasets"] == len(DATASETS) and found["dropped"] == 0
    order = list(ranks.average_ranks(complete).index)
    assert found["methods"] == order
    difference = ranks.critical_difference(len(METHODS), len(complete))
    assert found["difference"] == pytest.approx(difference)
    groups = ranks.groups(ranks.average_ranks(complete), difference)
    assert [order[first : last + 1] for first, last in found["groups"]] == groups
    if "elo" in found:
        share = elo.wins(complete[order]).mean(axis=0)
        assert found["wins"] == np.round(100 * share).astype(int).tolist()


def test_one_data_set_has_boards_of_several_noises_only(frame, made):
    assert "d0|*|*" in made["places"] and "d0|uniform|40 %" not in made["places"]
    found = at(made, "d0|uniform|*")
    part = frame[(frame["dataset"] == "d0") & frame["noise_id"].isin(["u2", "u4"])]
    means = part.groupby(["noise_id", "method"])["accuracy"].mean().unstack()
    assert dict(zip(found["methods"], found["mean"], strict=True)) == pytest.approx(means.mean().to_dict())
    assert "p" not in found and "elo" not in found


def test_settings_that_a_method_lacks_are_left_out(frame):
    part = frame[~((frame["dataset"] == "d1") & (frame["noise_id"] == "u2") & (frame["method"] == "b"))]
    cells = aggregates.of_task(part).cells
    found = boards.of_metric(cells, "accuracy", names.describe(NOISES), main=False)
    assert at(found, "*|*|*")["dropped"] == 1 and at(found, "*|*|*")["settings"] == len(DATASETS) * len(NOISES) - 1


def test_the_methods_of_a_figure_are_ranked_among_themselves(frame):
    cells = aggregates.of_task(frame).cells
    found = boards.Standing(cells, "accuracy", chosen={"method": ["b", "c"]}).board(main=True)
    means = frame.groupby(["dataset", "noise_id", "method"])["accuracy"].mean().unstack()[["b", "c"]]
    expected = means.rank(axis=1, ascending=False).mean()
    assert dict(zip(found["methods"], found["rank"], strict=True)) == pytest.approx(expected.to_dict())


def test_a_single_method_has_no_board(frame):
    cells = aggregates.of_task(frame[frame["method"] == "a"]).cells
    assert boards.of_metric(cells, "accuracy", names.describe(NOISES), main=True) == {"boards": [], "places": {}}
