"""Statuses of planned and published cells."""

import pandas as pd
import pytest

from ironbark.pipeline.analysis.published import coverage
from ironbark.pipeline.analysis.published.coverage import DIFFERENT, FULL, LOWER, NO_DATA, NOT_RUN


def cell(dataset, method="m", noise="clean", task="binary", **further):
    return {"dataset": dataset, "task": task, "noise_id": noise, "method": method, **further}


def result(dataset, n, capped=False, metric="accuracy", **further):
    return cell(dataset, n=n, capped=capped, metric=metric, **further)


def frame(*lines):
    return pd.DataFrame(lines)


def statuses(results, datasets, **about):
    about = {"unavailable": (), "replaced": {}, "different": ()} | about
    cells = frame(*(cell(name, asked=5) for name in datasets))
    found = coverage.status(cells, coverage.best(frame(*results)), **about)
    assert list(found["dataset"]) == datasets
    return list(zip(found["ran"], found["status"], strict=True))


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([result("a", 5)], FULL),
        ([result("a", 6)], FULL),
        ([result("a", 4)], LOWER),
        ([result("a", 5, capped=True)], LOWER),
        ([result("a", 5, capped=True), result("a", 5)], FULL),
        ([result("a", 3), result("a", 5)], FULL),
        ([result("b", 5)], NOT_RUN),
        ([result("a", 5, method="other")], NOT_RUN),
        ([result("a", 5, noise="other")], NOT_RUN),
        ([result("a", 5, metric="minimax_risk")], NOT_RUN),
    ],
)
def test_a_cell(results, expected):
    assert statuses(results, ["a"]) == [(expected, expected)]


def test_data_that_differ_are_not_comparable_once_they_have_run():
    results = [result("a", 5), result("b", 2)]
    found = statuses(results, ["a", "b", "c"], different=("a", "b", "c"))
    assert found == [(FULL, DIFFERENT), (LOWER, DIFFERENT), (NOT_RUN, NOT_RUN)]


def test_without_data_unless_another_data_set_replaces_it():
    about = {"unavailable": {"a": "why", "b": "why", "c": "why"}, "replaced": {"b": "b2", "c": "c2"}}
    found = statuses([result("b2", 5)], ["a", "b", "c"], **about)
    assert found == [(NO_DATA, NO_DATA), (FULL, DIFFERENT), (NOT_RUN, NOT_RUN)]


def test_the_best_result_is_uncapped_and_has_the_most_fits():
    lines = [result("a", 9, capped=True), result("a", 2), result("a", 4), result("a", 1, metric="f1")]
    found = coverage.best(frame(*lines))
    assert list(zip(found["metric"], found["n"], strict=True)) == [("accuracy", 4), ("f1", 1)]


def test_published_cells_are_found_by_method_and_noise():
    planned = frame(
        *(
            cell("a", method=method, noise=noise, ran=FULL, status=FULL)
            for method in ("x", "y")
            for noise in ("clean", "u-0.1")
        )
    )
    published = frame(
        {"dataset": "a", "task": "binary", "model": "M", "method": "X", "noise": "uniform", "rate": "0.1"},
        {"dataset": "a", "task": "binary", "model": "M", "method": "X", "noise": "uniform", "rate": "0.2"},
        {"dataset": "a", "task": "binary", "model": "N", "method": "X", "noise": "clean", "rate": "0"},
        {"dataset": "a", "task": "binary", "model": "M", "method": "Z", "noise": "clean", "rate": "0"},
    )
    rates = {"clean": ("clean", "0"), "u-0.1": ("uniform", "0.1")}
    found = coverage.located(published, planned, {"M": {"X": "x"}, "N": {"X": "y"}}, rates)
    assert list(zip(found["own"], found["noise_id"], strict=True)) == [("x", "u-0.1"), ("y", "clean")]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([FULL, FULL], FULL),
        ([FULL, LOWER], LOWER),
        ([FULL, NOT_RUN], LOWER),
        ([LOWER, NOT_RUN], LOWER),
        ([DIFFERENT, NOT_RUN], DIFFERENT),
        ([NOT_RUN, NOT_RUN], NOT_RUN),
        ([NO_DATA, NO_DATA], NO_DATA),
    ],
)
def test_a_rank_needs_all_cells_of_its_data_set(cells, expected):
    planned = frame(*(cell("a", noise=str(i), ran=status, status=status) for i, status in enumerate(cells)))
    ranks = pd.DataFrame({"task": "binary", "dataset": "a", "method": ["x", "y"], "average_rank": [1.5, float("nan")]})
    dash = expected if expected in (NOT_RUN, NO_DATA) else DIFFERENT
    assert list(coverage.of_ranks(ranks, planned)["status"]) == [expected, dash]
