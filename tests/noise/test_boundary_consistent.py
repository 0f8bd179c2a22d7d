"""The noises of MisLaBenchmark: symmetric is exact uniform noise, asymmetric is boundary-consistent noise."""

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from ironbark.noise import corrupt


def clouds(n, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    return rng.normal(y[:, None], 1.0, (n, 2)), y


@pytest.mark.parametrize("n", [100, 300, 1000])
def test_rounded_counts_are_those_of_the_benchmark_which_cuts_off(n):
    X, y = clouds(n, 3)
    for rate in (0.05, 0.1, 0.2, 0.3, 0.4):
        noisy = corrupt("boundary_consistent", X, y, rate=rate, random_state=n)
        assert (noisy != y).sum() == round(rate * n) == int(rate * n)


@pytest.mark.parametrize(("name", "options"), [("uniform", {"exact": True}), ("boundary_consistent", {})])
def test_each_other_class_is_as_likely(name, options):
    X, y = clouds(6000, 4)
    noisy = corrupt(name, X, y, rate=0.4, random_state=0, **options)
    assert (noisy != y).sum() == 2400
    steps = (noisy - y)[noisy != y] % 4
    assert np.abs(np.bincount(steps, minlength=4)[1:] / len(steps) - 1 / 3).max() < 4 * np.sqrt(2 / 9 / len(steps))
    if name == "uniform":  # whatever the class
        shares = np.bincount(y[noisy != y], minlength=4) / np.bincount(y, minlength=4)
        assert np.abs(shares - 0.4).max() < 4 * np.sqrt(0.24 / 1400)


def naive(X, y, rate, rng):
    """Rows of the definition: one after another, by the entropy of a linear discriminant analysis, none twice."""
    proportions = LinearDiscriminantAnalysis().fit(X, y).predict_proba(X)
    weights, rows = entropy(proportions, axis=1) + 0.01, []
    for _ in range(int(rate * len(y))):
        weights[rows] = 0.0
        rows.append(np.searchsorted(np.cumsum(weights), rng.random() * weights.sum(), side="right"))
    return rows


def test_samples_are_drawn_as_the_definition_says():
    X, y = clouds(20, 2)
    rng, draws, (ours, theirs) = np.random.default_rng(1), 300, np.zeros((2, 20))
    for draw in range(draws):
        ours += corrupt("boundary_consistent", X, y, rate=0.3, random_state=draw) != y
        theirs[naive(X, y, 0.3, rng)] += 1
    assert theirs.max() > 3 * theirs.min()  # the classes overlap, but not everywhere
    assert np.abs(ours - theirs).max() / draws < 4.5 * np.sqrt(2 * 0.25 / draws)
