"""Drawing from a transition matrix, and counting what was drawn."""

import numpy as np
import pytest
from scipy.stats import chisquare

from ironbark.noise.base import draw, frequencies, pick, rounded


def test_draw_against_a_loop_over_samples():
    transition = np.array([[0.7, 0.1, 0.2], [0.0, 1.0, 0.0], [0.25, 0.5, 0.25]])
    y = np.random.default_rng(1).integers(0, 3, 500)
    expected = []
    for true, u in zip(y, np.random.default_rng(2).random(500), strict=True):
        below = 0.0
        for label in range(3):
            below += transition[true, label]
            if u < below:
                break
        expected.append(label)
    assert draw(transition, y, np.random.default_rng(2)).tolist() == expected


def test_draw_never_gives_a_class_of_probability_zero():
    class Extremes:
        """Uniform numbers at both ends of [0, 1)."""

        def random(self, n):
            return np.resize([0.0, np.nextafter(1, 0)], n)

    tenths = np.full(10, 0.1)  # their cumulative sum falls short of 1
    transition = np.zeros((12, 12))
    transition[:, 1:11] = tenths
    assert draw(transition, np.zeros(2, int), Extremes()).tolist() == [1, 10]


def test_frequencies_by_hand():
    y, labels = np.array([0, 0, 0, 0, 2, 2]), np.array([0, 0, 0, 1, 2, 0])
    expected = [[0.75, 0.25, 0], [0, 1, 0], [0.5, 0, 0.5]]
    assert frequencies(y, labels, 3).tolist() == expected


@pytest.mark.parametrize(("rate", "n", "count"), [(0.1, 25, 2), (0.3, 5, 2), (0.5, 3, 2), (0.26, 10, 3), (0.4, 0, 0)])
def test_rounded(rate, n, count):
    assert rounded(rate, n) == count


def test_pick_is_without_replacement_and_uniform():
    rng = np.random.default_rng(0)
    picked = np.array([pick(np.arange(10, 20), 3, rng) for _ in range(4000)])
    assert all(len(set(row)) == 3 for row in picked)
    assert chisquare(np.bincount(picked.ravel() - 10, minlength=10)).pvalue > 1e-4
    assert len(pick(np.array([], int), 0, rng)) == 0
