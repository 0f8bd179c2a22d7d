"""How gains scale when labels flip in fixed proportions, in expectation (counts divisible by 10 keep them exact)."""

import numpy as np
import pytest

SPLITS = [([60, 10], [20, 40]), ([10, 90], [70, 30]), ([50, 40], [0, 30]), ([20, 10], [30, 40])]
SPLITS_3 = [([60, 10, 20], [20, 40, 10]), ([0, 50, 10], [30, 0, 70]), ([10, 20, 90], [50, 10, 10])]


def flipped(counts, tau0, tau1):
    """Expected counts of two classes after flips with probability tau0 in class 0, tau1 in class 1."""
    to_one, to_zero = round(tau0 * counts[0]), round(tau1 * counts[1])
    return counts + np.array([to_zero - to_one, to_one - to_zero])


def uniform(counts, eta):
    """Expected counts after flips with probability eta to any other class."""
    return np.rint((1 - eta) * counts + eta / (len(counts) - 1) * (counts.sum() - counts)).astype(np.int64)


@pytest.mark.parametrize(("name", "power"), [("pairwise_gain", 1), ("gini", 2), ("twoing", 2)])
def test_class_conditional_noise_keeps_the_order_of_splits(name, power, gain):
    """Yang, Gao and Li (2019), Theorem 1; Gini and twoing scale by the square of the same factor."""
    for left, right in map(np.array, SPLITS):
        noisy = gain(name, flipped(left, 0.1, 0.3), flipped(right, 0.1, 0.3))
        assert noisy == pytest.approx(0.6**power * gain(name, left, right), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("entropy", None), ("sqrt_gini", None), ("negative_exponential", 0.5), ("misclassification", None)],
)
def test_class_conditional_noise_does_not_scale_other_gains(name, parameter, gain):
    ratios = [
        gain(name, flipped(left, 0.1, 0.3), flipped(right, 0.1, 0.3), parameter) / gain(name, left, right, parameter)
        for left, right in map(np.array, SPLITS[:3])
    ]
    assert np.ptp(ratios) > 0.01


@pytest.mark.parametrize(("name", "power"), [("gini", 2), ("twoing", 2), ("misclassification", 1)])
def test_uniform_noise_of_three_classes_scales_gains(name, power, gain):
    for left, right in map(np.array, SPLITS_3):
        factor = 1 - 3 * 0.2 / 2
        noisy = gain(name, uniform(left, 0.2), uniform(right, 0.2))
        assert noisy == pytest.approx(factor**power * gain(name, left, right), rel=1e-12)


@pytest.mark.parametrize(("name", "parameter"), [("entropy", None), ("generalized_cross_entropy", 0.7)])
def test_uniform_noise_does_not_scale_other_gains(name, parameter, gain):
    ratios = [
        gain(name, uniform(left, 0.2), uniform(right, 0.2), parameter) / gain(name, left, right, parameter)
        for left, right in map(np.array, SPLITS_3)
    ]
    assert np.ptp(ratios) > 0.01
