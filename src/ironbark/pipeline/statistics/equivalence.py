"""Welch's test and the equivalence of two means, from means, standard deviations and counts.

All functions take arrays. The standard error of a difference and its degrees of freedom are those of Welch (1947); a
standard error of zero means that neither side varies, so any difference beyond rounding is a real one.
"""

import numpy as np
from scipy import stats

EPS = 1e-9


def standard_error(sd1, n1, sd2, n2) -> np.ndarray:
    """Standard error of the difference of two means, and Welch's degrees of freedom."""
    one, two = np.asarray(sd1, float) ** 2 / n1, np.asarray(sd2, float) ** 2 / n2
    total = one + two
    weight = one**2 / (np.asarray(n1, float) - 1) + two**2 / (np.asarray(n2, float) - 1)
    return np.sqrt(total), np.divide(total**2, weight, out=np.ones(np.shape(total)), where=weight > 0)


def p_different(difference, se, df, rounding=0.0):
    """Two-sided p-value of Welch's test of equal means.

    Where nothing varies it is 1 for differences up to `rounding`, else 0.
    """
    distance = np.abs(difference)
    p = 2 * stats.t.sf(_over(distance, se), df)
    return np.where(np.asarray(se) > 0, p, (distance <= rounding + EPS).astype(float))


def p_equivalent(difference, se, df, margin, rounding=0.0) -> np.ndarray:
    """P-value of the two one-sided tests (TOST) of a difference of at least `margin`."""
    distance = np.abs(difference)
    p = stats.t.sf(_over(margin - distance, se), df)
    return np.where(np.asarray(se) > 0, p, (distance + rounding > margin + EPS).astype(float))


def needed_to_reject(p, se, df, alpha: float, rounding=0.0) -> np.ndarray:
    """Smallest difference that Welch's test after Holm's rule rejects, all other p-values being as they are."""
    gap = stats.t.isf(holm_levels(p, alpha) / 2, df) * se
    return np.maximum(gap, rounding)


def holm_levels(p, alpha):
    """The level at which Holm's rule tests each p-value, all others being as they are.

    A p-value is rejected if it is at most this level. With r other tests of m that are rejected even where this one is
    not, the level is alpha / (m - r).
    """
    p = np.asarray(p, float)
    steps = alpha / (len(p) - np.arange(len(p) - 1))  # levels of the smallest p-value, the second smallest, ...
    rejected = [np.cumprod(np.sort(np.delete(p, i)) <= steps).sum() for i in range(len(p))]
    return alpha / (len(p) - np.array(rejected, dtype=float))


def _over(distance, se):
    return np.divide(distance, se, out=np.zeros(np.shape(distance)), where=np.asarray(se) > 0)
