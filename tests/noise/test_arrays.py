"""Drawing from a transition matrix or from probabilities of samples, and counting what was drawn."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binomtest

from ironbark.errors import InputError
from ironbark.noise.arrays import chosen, reaching
from ironbark.noise.base import draw


def test_draw_never_gives_a_class_of_probability_zero():
    class Extremes:
        """Uniform numbers at both ends of [0, 1)."""

        def random(self, n):
            return np.resize([0.0, np.nextafter(1, 0)], n)

    tenths = np.full(10, 0.1)  # their cumulative sum falls short of 1
    transition = np.zeros((12, 12))
    transition[:, 1:11] = tenths
    assert draw(transition, np.zeros(2, int), Extremes()).tolist() == [1, 10]


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_the_factor_against_a_root_finder(rate, seed):
    weights = np.random.default_rng(seed).exponential(size=80) ** 2 * (np.arange(80) > 3)
    found = reaching("x", weights, rate, exact=False)
    factor = brentq(lambda c: np.minimum(1, c * weights).mean() - rate, 0, 1e9, xtol=1e-14, rtol=1e-14)
    np.testing.assert_allclose(found, np.minimum(1, factor * weights), atol=1e-9)
    assert found.mean() == pytest.approx(rate, abs=1e-12)


def test_all_that_can_change_may_change():
    weights = np.repeat([0.0, 1.0], [93, 7])  # 0.07 * 100 is a little more than 7
    assert reaching("x", weights, 0.07, exact=False).tolist() == weights.tolist()
    with pytest.raises(InputError, match="noise 'x' can change at most 0.07 of these labels, but the rate is 0.08"):
        reaching("x", weights, 0.08, exact=False)


@pytest.mark.parametrize("exact", [False, True])
def test_every_sample_is_drawn_with_its_probability(exact):
    probabilities = np.array([0.0, 0.1, 0.25, 0.5, 0.9, 1.0, 0.25, 1.0])
    rng, draws = np.random.default_rng(0), 6000
    found = [chosen(probabilities, rng, exact) for _ in range(draws)]
    hits = np.bincount(np.concatenate(found), minlength=8)
    assert hits[0] == 0 and hits[5] == hits[7] == draws
    for count, probability in zip(hits[1:5], probabilities[1:5], strict=True):
        assert binomtest(int(count), draws, probability).pvalue > 1e-4
    sizes = {len(rows) for rows in found}
    assert sizes == {4} if exact else len(sizes) > 3
    assert all(len(set(rows)) == len(rows) and np.array_equal(rows, np.sort(rows)) for rows in found)


def test_pairs_of_samples_are_drawn_together_in_the_exact_draw():
    rng = np.random.default_rng(1)  # in a fixed order neighbours of probability 0.5 would exclude each other
    together = sum({0, 1} <= set(chosen(np.full(10, 0.5), rng, exact=True)) for _ in range(3000))
    assert together > 400
