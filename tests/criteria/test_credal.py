"""The largest entropy under the imprecise Dirichlet model."""

import naive_criteria as naive
import numpy as np
import pytest
from criteria.splits import python_call, values
from scipy.optimize import minimize

from ironbark.criteria import credal
from ironbark.criteria.credal import build
from ironbark.criteria.entropy import summed as summed_table

functions = credal.high, credal.high_two, summed_table, credal.upper_entropy
high, high_two, summed, upper_entropy = map(python_call, functions)
COUNTS = [(3, 1, 0), (5, 0, 0, 0), (4, 2, 1, 1), (2, 2, 2), (1, 0), (7, 3), (9, 8, 2, 0, 0), (1, 1, 30)]


def largest_entropy(counts, s):
    """By numerical optimisation over where the mass s goes."""
    n_classes = len(counts)
    found = minimize(
        lambda mass: -naive.entropy((counts + mass) / (counts.sum() + s)),
        np.full(n_classes, s / n_classes),
        bounds=[(0, s)] * n_classes,
        constraints={"type": "eq", "fun": lambda mass: mass.sum() - s},
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return -found.fun


@pytest.mark.parametrize("s", [0.5, 1.0, 2.5, 20.0])
@pytest.mark.parametrize("counts", COUNTS)
def test_no_other_distribution_of_the_mass_has_a_larger_entropy(counts, s):
    counts = np.array(counts)
    optimum = largest_entropy(counts, s)
    assert upper_entropy(counts, counts, False, s) == pytest.approx(optimum, abs=1e-6)
    assert naive.upper_entropy(counts, s) == pytest.approx(optimum, abs=1e-6)
    if len(counts) == 2:
        n = int(counts.sum())
        criterion = build(n, 2, s)
        assert high_two(criterion, counts[1], n) / (n + s) / criterion.a == pytest.approx(optimum, abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("s", [0.0, 0.4, 1.0, 1.5, 3.0, 9.0])
def test_both_sides_match_the_twin_while_samples_move(s, n_classes):
    """What a scan keeps by differences, in any order of moves, absent classes and ties included."""
    rng = np.random.default_rng(n_classes)
    for seed in range(60):
        left, right = rng.integers(0, rng.choice([2, 3, 12]), (2, n_classes)) * (rng.random((2, n_classes)) < 0.7)
        if left.any() and right.any():
            n = int(left.sum() + right.sum())
            criterion = build(n, n_classes, s)
            v, v0 = values(criterion, left, right, True, seed)
            gain = (v - v0) / (criterion.a * (n + s))
            assert gain == pytest.approx(float(naive.credal(left, right, s)), abs=2e-11)
            for side in (left, right, left + right):
                size, absent = int(side.sum()), np.count_nonzero(side == 0)
                found, _ = high(criterion, size, summed(criterion.integers, side), absent, side, side, False)
                assert found / criterion.a / (size + s) == pytest.approx(float(naive.upper_entropy(side, s)), abs=2e-11)
