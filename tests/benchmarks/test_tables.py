"""Ratios, means, cells and the line on the machine in the tables of the benchmarks."""

import os

import numpy as np
import pytest


@pytest.fixture
def measure():
    import measure

    return measure


def test_a_ratio_is_the_median_over_complete_pairs(measure):
    assert measure.ratio([2.0, 6.0, 100.0], [1.0, 2.0, 1.0]) == 3.0
    with pytest.raises(ValueError, match="shorter"):
        measure.ratio([1.0, 2.0], [1.0])


def test_the_geometric_mean_of_inverse_ratios_is_the_inverse(measure):
    ratios = [0.5, 3.0, 7.0]
    assert measure.geometric_mean(ratios) == pytest.approx(np.exp(np.mean(np.log(ratios))))
    assert measure.geometric_mean([1 / ratio for ratio in ratios]) == pytest.approx(1 / measure.geometric_mean(ratios))


def test_the_machine_names_what_is_installed_only(measure):
    line = measure.machine("pytest", "no-such-distribution")
    assert f"{os.cpu_count()} cores" in line and f"pytest {pytest.__version__}" in line
    assert "no-such-distribution" not in line


@pytest.fixture
def trees():
    import trees

    return trees


def rounds(prepared, array):
    return {"prepared": prepared, "array": array, "accuracy": [0.5, 0.7], "nodes": [11, 2001]}


FOUND = {
    ("a", 0.0, "tree", "gini", "plain"): {
        "ironbark": rounds([1.0, 2.0], [2.0, 4.0]),
        "baseline": rounds([0.9, 1.8], [2.0, 4.0]),
        "scikit-learn": rounds([8.0, 16.0], [8.0, 16.0]),
    },
    ("b", 0.4, "tree", "gini", "plain"): {
        "ironbark": rounds([1.0, 1.0], [1.0, 1.0]),
        "baseline": rounds([1.0, 1.0], [1.0, 1.0]),
        "scikit-learn": rounds([2.0, 2.0], [9.0, 9.0]),
    },
}


def test_cells_have_ratios_to_ours_and_a_gap_for_who_took_no_part(trees):
    found = trees.cells(FOUND["a", 0.0, "tree", "gini", "plain"], ["ironbark", "baseline", "scikit-learn", "YDF"])
    assert list(found) == [
        "1.5 (3)",
        "0.900 [0.900, 0.900] (1.000)",
        "8.0 (4.0)",
        "",
        "0.600 / 0.600 / 0.600 / –",
        "1,006 / 1,006 / 1,006 / –",
    ]


def test_the_summary_has_geometric_means_and_the_worst_ratio_to_the_baseline(trees):
    lines = list(trees.summary(FOUND, ["ironbark", "baseline", "scikit-learn"]))
    assert "- tree, gini, plain: scikit-learn / ironbark 4.00 (6.00), geometric mean of 2 rows" in lines
    assert "- worst baseline / ironbark, prepared: 0.900 (a, 0.0, tree, gini, plain)" in lines


def test_peers_that_are_not_installed_are_named(trees, monkeypatch, capsys):
    from contextlib import ExitStack

    monkeypatch.setattr(trees, "version", lambda distribution: None)
    monkeypatch.setattr(trees, "Worker", lambda *arguments: ExitStack())
    with ExitStack() as stack:
        assert list(trees.workers(stack, ["YDF"], None)) == ["ironbark"]
    assert "YDF: not installed, left out (pip install ydf)" in capsys.readouterr().out
