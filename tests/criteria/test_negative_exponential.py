"""The two branches of the negative exponential loss."""

import itertools
import math

import numpy as np
import pytest

from ironbark.criteria.base import fields
from ironbark.criteria.misclassification import Misclassification
from ironbark.criteria.negative_exponential import NegativeExponential

SIDES = {k: [np.array(c) for c in itertools.product(range(0, 9, 9 // k), repeat=k) if sum(c)] for k in (2, 3)}


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("general", [False, True])
def test_lambda_one_is_misclassification(n_classes, general, values):
    """1 - m <= sqrt((K-1)/K (1 - sum p^2)), so the formula itself gives the other branch, not only the shortcut."""
    formula = NegativeExponential(*fields(a=math.sqrt((n_classes - 1) / n_classes), b=1.0))
    for left, right in itertools.product(SIDES[n_classes], repeat=2):
        v, v0 = values(formula, left, right, general)
        w, w0 = values(Misclassification(*fields()), left, right, general)
        assert v - v0 == pytest.approx(w - w0, abs=1e-12)


def test_two_classes_have_the_binary_formula(gain):
    def phi(c, lam):
        p = c[1] / c.sum()
        return c.sum() * min(p, 1 - p, lam * math.sqrt(p * (1 - p)))

    for (left, right), lam in itertools.product(itertools.product(SIDES[2], repeat=2), (0.25, 0.5, 0.75)):
        n = left.sum() + right.sum()
        expected = (phi(left + right, lam) - phi(left, lam) - phi(right, lam)) / n
        assert gain("negative_exponential", left, right, lam, general=True) == pytest.approx(expected, abs=1e-14)
        assert gain("negative_exponential", left, right, lam) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("lam", [0.25, 0.5, 0.75])
def test_two_classes_gain_nothing_in_the_linear_zone_or_from_equal_shares(lam, gain):
    """The misclassification branch holds up to a minority share of lambda^2 / (1 + lambda^2)."""
    zone = lam**2 / (1 + lam**2)
    sides = [np.array(c) for c in itertools.product(range(12), repeat=2) if sum(c)]
    n_zero = 0
    for left, right in itertools.combinations(sides, 2):
        in_zone = max(left.min() / left.sum(), right.min() / right.sum()) <= zone + 1e-12
        same_majority = bool(((left == left.max()) & (right == right.max())).any())
        no_gain = (in_zone and same_majority) or left[0] * right[1] == left[1] * right[0]
        assert (abs(gain("negative_exponential", left, right, lam)) < 1e-12) == no_gain
        n_zero += no_gain
    assert 100 < n_zero < len(sides) ** 2 / 4


def test_more_classes_gain_exactly_nothing_on_the_misclassification_branch(gain):
    for left, right in (([90, 3, 2], [80, 1, 4]), ([50, 1, 0], [70, 0, 2])):
        assert gain("negative_exponential", left, right, 0.5) == 0.0
    assert gain("negative_exponential", [90, 3, 2], [3, 90, 2], 0.5) > 0.1
