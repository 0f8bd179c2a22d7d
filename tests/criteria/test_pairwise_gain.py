"""Identities of two classes: pairwise gain, Gini and twoing are functions of the same difference of shares."""

import itertools

import numpy as np
import pytest

SIDES = [np.array(c) for c in itertools.product((0, 1, 3, 8, 20), repeat=2) if sum(c)]


@pytest.mark.parametrize("general", [False, True])
def test_gains_of_two_classes_are_functions_of_the_difference_of_shares(general, gain):
    for left, right in itertools.product(SIDES, repeat=2):
        n_left, n_right, n = left.sum(), right.sum(), left.sum() + right.sum()
        difference = abs(left[1] / n_left - right[1] / n_right)
        pairwise, gini, twoing = (gain(c, left, right, general=general) for c in ("pairwise_gain", "gini", "twoing"))
        assert pairwise == pytest.approx(0.5 * n_left * n_right * difference)
        assert gini == pytest.approx(2 * n_left * n_right / n**2 * difference**2, abs=1e-15)
        assert twoing == pytest.approx(gini / 2, abs=1e-15)


def test_pairwise_gain_is_the_area_that_a_threshold_wins(gain):
    """0.5 N+ N- |TPR - FPR|."""
    for left, right in itertools.product(SIDES, repeat=2):
        negative, positive = left + right
        if negative and positive:
            expected = 0.5 * positive * negative * abs(left[1] / positive - left[0] / negative)
            assert gain("pairwise_gain", left, right) == pytest.approx(expected)


def test_pairwise_gain_does_not_see_the_rest_of_the_tree(gain):
    assert gain("pairwise_gain", [5, 1], [2, 6], n_root=14) == gain("pairwise_gain", [5, 1], [2, 6], n_root=1400) == 14
