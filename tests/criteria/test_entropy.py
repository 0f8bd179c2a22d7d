"""The fixed-point table of c ln c."""

import math

import numpy as np
import pytest

from ironbark.criteria.entropy import fixed_point_xlogx


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
    assert scale < 2**38
    assert 0 < 2 * int(table[n]) < 2**63
    assert (np.diff(table[1:1000]) > 0).all()
