"""Tables and limits of single criteria: entropy, generalized cross entropy, negative exponential."""

import math

import numpy as np
import pytest
from criteria.splits import gain, operations, python_call

from ironbark.criteria import build, generalized_cross_entropy
from ironbark.criteria.entropy import fixed_point_xlogx

root_above = python_call(generalized_cross_entropy.root_above)


@pytest.mark.parametrize("n", [1, 2, 10, 464_809])
def test_the_table_is_c_ln_c_to_half_a_unit(n):
    table, scale = fixed_point_xlogx(n)
    assert (table[0], table[1]) == (0, 0)
    for c in {1, (n + 1) // 2, n}:
        assert abs(int(table[c]) - c * math.log(c) * scale) <= 0.5 + 1e-15 * table[c]
    assert math.log2(scale) == int(math.log2(scale)) <= 38


def test_sums_of_large_nodes_fit_63_bits():
    n = 6_000_000
    table, scale = fixed_point_xlogx(n)
    assert scale < 2**38 and 0 < 2 * int(table[n]) < 2**63 and (np.diff(table[1:1000]) > 0).all()


@pytest.mark.parametrize(("q", "n"), [(0.01, 50), (0.3, 3000), (0.7, 100_000), (0.95, 5000), (0.99, 440_000)])
def test_the_bound_of_the_root_is_one_and_is_near(q, n):
    criterion = build("generalized_cross_entropy", n, 3, {"q": q})
    low, high = criterion.floats[1], criterion.floats[n]
    between = np.exp(np.linspace(np.log(low), np.log(high), 2000))
    for x in between:
        assert 1 - 1e-14 <= root_above(criterion, x) / x ** (1 - q) <= 1 + 1 / 30_000
    for x in (0.0, -1e-20 * low, low / 1e6, high * 1e6):  # sums kept by differences, and beyond the table
        assert root_above(criterion, x) >= (1 - 1e-14) * max(x, 0.0) ** (1 - q) - 1e-9 * low ** (1 - q)


@pytest.mark.parametrize(("q", "n"), [(0.01, 50), (0.3, 3000), (0.7, 100_000), (0.95, 5000)])
def test_only_splits_of_two_classes_that_are_worse_than_the_best_are_skipped(q, n):
    criterion, rng = build("generalized_cross_entropy", n, 2, {"q": q}), np.random.default_rng(0)
    for n_moved, t1 in zip(rng.integers(1, n, 200), rng.integers(1, n, 200), strict=True):
        split = int(rng.integers(max(0, n_moved + t1 - n), min(n_moved, t1) + 1)), int(n_moved), int(t1), n
        v = operations.score_two(criterion, *split, -np.inf)
        assert operations.score_two(criterion, *split, v * (1 - 1e-12)) == v
        assert operations.score_two(criterion, *split, v * (1 + 1e-4)) == -np.inf


def test_tiny_parameters_are_their_limits_and_powers_that_would_underflow_are_refused():
    for name, limit in (("generalized_cross_entropy", "entropy"), ("negative_exponential", "sqrt_gini")):
        assert gain(name, [90, 3], [3, 90], 1e-14) == gain(limit, [90, 3], [3, 90])
    assert np.isfinite(build("generalized_cross_entropy", 440_000, 3, {"q": 0.99}).floats).all()
    with pytest.raises(ValueError, match="too close to 1"):
        build("generalized_cross_entropy", 5000, 3, {"q": 0.9999})


def test_more_classes_gain_exactly_nothing_on_the_misclassification_branch():
    for left, right in (([90, 3, 2], [80, 1, 4]), ([50, 1, 0], [70, 0, 2])):
        assert gain("negative_exponential", left, right, 0.5) == 0.0
    assert gain("negative_exponential", [90, 3, 2], [3, 90, 2], 0.5) > 0.1
