"""Rates of the smaller and of the larger class."""

import numpy as np
import pytest

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
