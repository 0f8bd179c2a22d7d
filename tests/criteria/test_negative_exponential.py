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


def test_more_classes_gain_exactly_nothing_on_the_misclassification_branch(gain):
    for left, right in (([90, 3, 2], [80, 1, 4]), ([50, 1, 0], [70, 0, 2])):
        assert gain("negative_exponential", left, right, 0.5) == 0.0
    assert gain("negative_exponential", [90, 3, 2], [3, 90, 2], 0.5) > 0.1
