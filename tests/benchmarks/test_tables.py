"""Ratios and means in the tables of the benchmarks."""

import pytest


@pytest.fixture
def measure():
    import measure

    return measure


def test_a_ratio_is_the_median_over_complete_pairs(measure):
    assert measure.ratio([2.0, 6.0, 100.0], [1.0, 2.0, 1.0]) == 3.0
    with pytest.raises(ValueError, match="shorter"):
        measure.ratio([1.0, 2.0], [1.0])


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


def test_the_summary_has_geometric_means_and_the_worst_ratio_to_the_baseline(trees):
    lines = list(trees.summary(FOUND, ["ironbark", "baseline", "scikit-learn"]))
    assert "- tree, gini, plain: scikit-learn / ironbark 4.00 (6.00), geometric mean of 2 rows" in lines
    assert "- worst baseline / ironbark, prepared: 0.900 (a, 0.0, tree, gini, plain)" in lines
