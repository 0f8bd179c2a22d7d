"""Bounds of the RMBoost paper that hold with a probability: exact tails, and how large a bound is."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import binom
from theory.cases import at_most

ROOT = Path(__file__).parents[2]


def complexity(n):
    """Rademacher complexity of the rules 1 and -1: the expectation of the absolute mean of n random signs."""
    heads = np.arange(n + 1)
    return float(binom.pmf(heads, n, 0.5) @ np.abs(2 * heads / n - 1))


def tails(factor):
    """By how much the exact probability that n fair labels break a bound exceeds delta, relative to it, and the case.
    The bound is 2 complexity + factor sqrt(ln(2 / delta) / (2 n)).
    """
    for n in (20, 100, 1000, 10_000):
        for delta in (0.2, 0.05, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
            bound = 2 * complexity(n) + factor * math.sqrt(math.log(2 / delta) / (2 * n))
            chance = 2 * float(binom.cdf(math.ceil(n * (1 - bound) / 2) - 1, n, 0.5))  # that a mean is further from 0
            yield chance / delta - 1, f"rules 1 and -1, n = {n}, delta = {delta:g}: probability {chance:.1e}"


def test_as_published():
    """RMB, (13), refuted.
    e_est <= 2 Rademacher complexity + sqrt(ln(2 / delta) / (2 n)) with probability 1 - delta.
    """
    assert (complexity(1), complexity(2)) == (1, 0.5)
    excess, case = max(tails(1))
    assert excess > 10 and "delta = 1e-06" in case


@at_most()
def test_for_signed_values():
    """RMB, (13), last term doubled.
    As for values of y h(x) from -1 to 1.
    """
    return tails(2)


def test_vacuous():
    """RMB, (21) is vacuous on small data sets.
    The factor of |mu|_1 in e(delta) is above 1 for trees of 10 splits.
    """
    sizes = pd.read_csv(ROOT / "data/published/rmb_datasets.csv").query("n_samples < 2000")
    assert len(sizes) == 8
    for n, d in zip(round(0.9 * sizes["n_samples"]), sizes["n_features"], strict=True):
        dimension = (2 * 10 + 1) * math.log2(d + 2)
        assert 2 * math.sqrt(2 * dimension * math.log(3 * n / dimension) / n) > 1
