"""Swaps between minority and majority."""

import numpy as np
import pytest
from scipy.stats import chisquare

from ironbark.noise import apply


@pytest.mark.parametrize("minority", [0, 1])
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.4, 0.49])
def test_counts(minority, rate):
    y = np.where(np.arange(700) % 7 < 2, minority, 1 - minority)  # 200 of 700
    result = apply("balanced", None, y, 2, rate, np.random.default_rng(0))
    k = round(rate * 200)
    assert np.array_equal(np.bincount(result.labels), np.bincount(y))
    assert (result.labels[y == minority] != minority).sum() == k
    assert (result.labels[y != minority] == minority).sum() == k
    expected = np.array([[1 - k / 200, k / 200], [k / 500, 1 - k / 500]])
    assert np.allclose(result.transition, expected if minority == 0 else expected[::-1, ::-1], atol=1e-15)


def test_every_sample_of_a_class_is_picked_alike():
    y = np.repeat([0, 1], [30, 10])
    rng = np.random.default_rng(4)
    hits = sum((apply("balanced", None, y, 2, 0.3, rng).labels != y).astype(int) for _ in range(3000))
    assert chisquare(hits[:30]).pvalue > 1e-4 and chisquare(hits[30:]).pvalue > 1e-4


def test_one_class_alone_stays_as_it_is():
    y = np.ones(10, int)
    assert np.array_equal(apply("balanced", None, y, 2, 0.4, np.random.default_rng(0)).labels, y)


def test_class_1_is_the_minority_at_equal_counts():
    y = np.repeat([0, 1], 10)
    rng = np.random.default_rng(0)
    flipped = [*rng.permutation(np.arange(10, 20))[:3], *rng.permutation(np.arange(10))[:3]]  # minority first
    labels = apply("balanced", None, y, 2, 0.3, np.random.default_rng(0)).labels
    assert np.flatnonzero(labels != y).tolist() == sorted(flipped)
