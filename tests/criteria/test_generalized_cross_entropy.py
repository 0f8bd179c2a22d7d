"""Limits of generalized cross entropy."""

import itertools
import math

import numpy as np
import pytest

from ironbark.criteria import build

SIDES = [np.array(c) for c in itertools.product((0, 1, 4, 15), repeat=3) if sum(c)]


@pytest.mark.parametrize("q", [1e-3, 1e-2])
def test_small_q_is_nearly_entropy(q, gain):
    """|phi_q - entropy| <= 3 q, and a gain is a difference of three of them with weights that sum to two."""
    for left, right in itertools.product(SIDES[::3], SIDES[::2]):
        near, limit = gain("generalized_cross_entropy", left, right, q), gain("entropy", left, right)
        assert abs(near - limit) <= 6 * q


def test_q_0_and_q_from_1_on_are_entropy_and_misclassification(gain):
    for left, right in itertools.product(SIDES[::3], repeat=2):
        assert gain("generalized_cross_entropy", left, right, 0) == gain("entropy", left, right)
        for q in (1, 1.7):
            assert gain("generalized_cross_entropy", left, right, q) == gain("misclassification", left, right)


def test_q_near_1_is_nearly_misclassification(gain):
    for left, right in itertools.product(SIDES[::3], SIDES[::2]):
        near = gain("generalized_cross_entropy", left, right, 0.99)
        assert abs(near - gain("misclassification", left, right)) < 0.04


def test_one_half_has_a_closed_form(gain):
    """q = 1/2 gives r = 2: phi = 2 (1 - |p|_2)."""
    for left, right in itertools.product(SIDES[::3], SIDES[::2]):
        n = left.sum() + right.sum()
        expected = 2 * (math.hypot(*left) + math.hypot(*right) - math.hypot(*(left + right))) / n
        found = gain("generalized_cross_entropy", left, right, 0.5)
        assert found == pytest.approx(expected, rel=1e-10, abs=1e-13)


def test_powers_that_would_underflow_are_refused():
    assert np.isfinite(build("generalized_cross_entropy", 440_000, 3, {"q": 0.99}).floats).all()
    with pytest.raises(ValueError, match="too close to 1"):
        build("generalized_cross_entropy", 5000, 3, {"q": 0.9999})
