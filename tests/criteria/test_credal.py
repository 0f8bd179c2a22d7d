"""The upper entropy against water-filling by bisection, compiled."""

import numpy as np
import pytest
from scipy.optimize import brentq

from ironbark.criteria.credal import upper_entropy, upper_entropy_two


def reference(counts, s):
    """Entropy after the mass s has been poured over the lowest counts."""
    level = brentq(lambda x: np.maximum(x - counts, 0).sum() - s, counts.min(), counts.max() + s, xtol=1e-13)
    share = np.maximum(counts, level) / (counts.sum() + s)
    share = share[share > 0]
    return -(share * np.log(share)).sum()


@pytest.mark.parametrize("s", [0.25, 1.0, 2.5, 7.0])
def test_upper_entropy_is_water_filling(s):
    rng = np.random.default_rng(0)
    for _ in range(300):
        counts = rng.integers(0, rng.choice([2, 5, 50]), rng.integers(2, 9))
        expected = reference(counts.astype(float), s)
        assert upper_entropy(counts, counts, False, s) == pytest.approx(expected, abs=1e-9)
        total = counts + rng.integers(0, 9, len(counts))
        assert upper_entropy(total, total - counts, True, s) == pytest.approx(expected, abs=1e-9)
        if len(counts) == 2:
            assert upper_entropy_two(counts[1], counts.sum(), s) == pytest.approx(expected, abs=1e-9)


def test_uniform_counts_have_the_entropy_of_the_uniform_distribution():
    assert upper_entropy(np.full(5, 7), np.full(5, 7), False, 1.0) == pytest.approx(np.log(5))


def test_without_mass_it_is_the_plain_entropy():
    counts = np.array([1, 2, 5])
    share = counts / 8
    assert upper_entropy(counts, counts, False, 0.0) == pytest.approx(-(share * np.log(share)).sum())
