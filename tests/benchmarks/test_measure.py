"""Ratios, means and the line on the machine that head the tables of the benchmarks."""

import os
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def measure(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import measure

    return measure


def test_a_ratio_is_the_median_over_pairs(measure):
    assert measure.ratio([2.0, 6.0, 100.0], [1.0, 2.0, 1.0]) == 3.0


def test_pairs_must_be_complete(measure):
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
