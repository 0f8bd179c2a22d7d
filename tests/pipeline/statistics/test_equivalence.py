"""Welch's test, TOST and the needed difference against statsmodels and scipy."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_ind

from ironbark.pipeline.statistics import significance


def measures(one, two):
    return one.std(axis=-1, ddof=1), one.shape[-1], two.std(axis=-1, ddof=1), two.shape[-1]


@pytest.mark.parametrize(
    ("sizes", "shift", "sds"), [((5, 5), 0.0, (1, 1)), ((50, 10), 0.4, (1, 3)), ((5, 2), -2.0, (0.2, 2))]
)
def test_same_as_statsmodels_and_scipy_on_raw_values(sizes, shift, sds):
    rng = np.random.default_rng(0)
    one, two = rng.normal(0, sds[0], sizes[0]), rng.normal(shift, sds[1], sizes[1])
    se, df = significance.standard_error(*measures(one, two))
    difference = two.mean() - one.mean()
    p = stats.ttest_ind(one, two, equal_var=False).pvalue
    assert significance.p_different(difference, se, df) == pytest.approx(p, rel=1e-9)
    for margin in (0.5, 1.0, 3.0):
        expected = ttost_ind(two, one, -margin, margin, usevar="unequal")[0]
        assert significance.p_equivalent(difference, se, df, margin) == pytest.approx(expected, rel=1e-9)


def test_where_nothing_varies_the_rounding_decides():
    se, df = significance.standard_error([0.0] * 3, 5, [0.0] * 3, 5)
    difference = np.array([0.004, 0.6, 1.2])
    assert significance.p_different(difference, se, df, 0.005).tolist() == [1, 0, 0]
    assert significance.p_equivalent(difference, se, df, 1.0, 0.005).tolist() == [0, 0, 1]
    assert significance.p_equivalent(difference, se, df, 1.0, 0.5).tolist() == [0, 1, 1]  # 0.6 + 0.5 is beyond 1
    p = significance.p_different(difference, se, df, 0.005)
    assert significance.needed_to_reject(p, se, df, 0.05, 0.005).tolist() == [0.005] * 3


def test_levels_are_those_at_which_holm_rejects():
    """Each p-value moved just below its level is rejected, just above it is not, with the others as they are."""
    rng = np.random.default_rng(2)
    for _ in range(2):
        p = rng.uniform(0, 1, 5) ** rng.integers(1, 9, 5)
        for i, level in enumerate(significance.holm_levels(p, 0.05)):
            for factor, rejected in ((0.999, True), (1.001, False)):
                moved = p.copy()
                moved[i] = level * factor
                assert multipletests(moved, 0.05, method="holm")[0][i] == rejected


def test_the_needed_difference_by_hand():
    """One test of two means with sd 1 and five runs each: t of 8 degrees of freedom at 0.025 times sqrt(0.4)."""
    se, df = significance.standard_error([1.0], 5, [1.0], 5)
    needed = significance.needed_to_reject([0.5], se, df, 0.05)
    assert df == pytest.approx(8) and needed == pytest.approx(stats.t.isf(0.025, 8) * np.sqrt(0.4))
