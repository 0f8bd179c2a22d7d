"""Noise whose rates depend on which class is the smaller one: by_size, balanced and rare_class."""

import numpy as np
import pytest
from scipy.stats import chisquare

from ironbark.noise import apply, corrupt


@pytest.mark.parametrize("smaller", [0, 1])
def test_the_rates_belong_to_the_sizes_whatever_the_labels(smaller):
    y = np.where(np.arange(40_000) % 4 == 0, smaller, 1 - smaller)
    result = apply("class_conditional_by_size", None, y, 2, (0.1, 0.3), np.random.default_rng(0))
    flipped = result.labels != y
    assert flipped[y == smaller].mean() == pytest.approx(0.1, abs=0.01)
    assert flipped[y != smaller].mean() == pytest.approx(0.3, abs=0.01)
    assert result.transition[smaller].tolist() == pytest.approx([0.9, 0.1] if smaller == 0 else [0.1, 0.9])


def test_class_1_is_the_smaller_one_at_equal_counts():
    y = np.repeat([0, 1], 500)
    found = apply("class_conditional_by_size", None, y, 2, (0.0, 0.5), np.random.default_rng(0)).labels
    assert (found[y == 1] == 1).all() and (found[y == 0] == 1).any()


def test_it_draws_as_class_conditional_noise_does():
    y = ["no"] * 30 + ["yes"] * 70
    by_size = corrupt("class_conditional_by_size", None, y, rate=(0.1, 0.4), random_state=3)
    assert by_size.tolist() == corrupt("class_conditional", None, y, rate=(0.1, 0.4), random_state=3).tolist()
    other = corrupt("class_conditional_by_size", None, ["yes"] * 30 + ["no"] * 70, rate=(0.1, 0.4), random_state=3)
    assert other.tolist() != by_size.tolist() and other.tolist().count("yes") != 30


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


def test_class_1_is_the_minority():
    y = np.repeat([0, 1], 10)
    rng = np.random.default_rng(0)
    flipped = [*rng.permutation(np.arange(10, 20))[:3], *rng.permutation(np.arange(10))[:3]]  # minority first
    labels = apply("balanced", None, y, 2, 0.3, np.random.default_rng(0)).labels
    assert np.flatnonzero(labels != y).tolist() == sorted(flipped)


@pytest.mark.parametrize(("sizes", "rarest"), [([50, 20, 30], 1), ([20, 50, 20], 2), ([0, 30, 40], 1), ([9, 9], 1)])
def test_exactly_the_rarest_class_that_occurs_loses_labels(sizes, rarest):
    y = np.repeat(np.arange(len(sizes)), sizes)
    labels = apply("rare_class", None, y, len(sizes), 0.5, np.random.default_rng(0), exact=True).labels
    assert set(y[labels != y]) == {rarest}
    assert (labels != y).sum() == round(0.5 * sizes[rarest])
    assert set(labels) <= set(np.flatnonzero(sizes))  # no label of a class that does not occur


def test_labels_go_to_the_others_by_their_sizes():
    y = np.repeat([0, 1, 2], [30_000, 6_000, 10_000])
    result = apply("rare_class", None, y, 3, 0.4, np.random.default_rng(0))
    np.testing.assert_allclose(result.transition, [[1, 0, 0], [0.3, 0.6, 0.1], [0, 0, 1]], atol=1e-12)
    assert chisquare(np.bincount(result.labels[y == 1]), [1800, 3600, 600]).pvalue > 1e-4
