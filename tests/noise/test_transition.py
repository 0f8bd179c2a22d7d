"""Noise that looks at the label only: rates, bias and exact counts."""

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from ironbark.noise import apply

N = 60_000


def labels_of(n_classes, n=N):
    return np.random.default_rng(7).integers(0, n_classes, n)


def plausible(flips, n, rate):
    """Whether a number of flips lies within a 99.99 % binomial test of the rate."""
    return binomtest(int(flips), int(n), rate).pvalue > 1e-4


def test_clean_changes_nothing():
    y = labels_of(4)
    result = apply("clean", None, y, 4, None, np.random.default_rng(0))
    assert np.array_equal(result.labels, y) and result.labels is not y
    assert np.array_equal(result.transition, np.eye(4))


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("n_classes", "rate"), [(2, 0.3), (5, 0.1), (10, 0.8)])
def test_uniform_rate_and_targets(n_classes, rate, exact):
    y = labels_of(n_classes)
    result = apply("uniform", None, y, n_classes, rate, np.random.default_rng(3), exact=exact)
    matrix = np.where(np.eye(n_classes), 1 - rate, rate / (n_classes - 1))
    assert np.allclose(result.transition, matrix, rtol=0, atol=1e-15)
    flipped = result.labels != y
    assert flipped.sum() == round(rate * N) if exact else plausible(flipped.sum(), N, rate)
    for true in range(n_classes):
        of_class = flipped & (y == true)
        assert plausible(of_class.sum(), (y == true).sum(), rate)
        targets = np.bincount(result.labels[of_class], minlength=n_classes)
        assert targets[true] == 0
        if n_classes > 2:
            assert chisquare(np.delete(targets, true)).pvalue > 1e-4


def test_uniform_flips_samples_independently():
    y = labels_of(3)
    flipped = apply("uniform", None, y, 3, 0.3, np.random.default_rng(0)).labels != y
    assert plausible((flipped[1:] & flipped[:-1]).sum(), N - 1, 0.09)
    counts = flipped.reshape(600, 100).sum(axis=1)  # binomial, not exact: variance 100 * 0.3 * 0.7 = 21
    assert 17 < counts.var(ddof=1) < 25


@pytest.mark.parametrize(("n_classes", "last"), [(4, "wrap"), (4, "keep"), (2, "wrap")])
def test_pair_flip_counts_are_exact(n_classes, last):
    y = labels_of(n_classes, 997)
    result = apply("pair_flip", None, y, n_classes, 0.3, np.random.default_rng(2), last=last)
    for true in range(n_classes):
        n = int((y == true).sum())
        keeps = last == "keep" and true == n_classes - 1
        expected = np.zeros(n_classes, int)
        expected[(true + 1) % n_classes] = 0 if keeps else round(0.3 * n)
        expected[true] = n - expected.sum()
        assert np.bincount(result.labels[y == true], minlength=n_classes).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("name", "k", "rate", "params", "matrix"),
    [
        ("class_conditional", 2, (0.1, 0.4), {}, [[0.9, 0.1], [0.4, 0.6]]),
        ("pair_flip", 3, 0.3, {"last": "wrap"}, [[0.7, 0.3, 0], [0, 0.7, 0.3], [0.3, 0, 0.7]]),
        ("pair_flip", 3, 0.3, {"last": "keep"}, [[0.7, 0.3, 0], [0, 0.7, 0.3], [0, 0, 1]]),
    ],
)
def test_matrices_by_hand(name, k, rate, params, matrix):
    assert apply(name, None, labels_of(k, 9), k, rate, np.random.default_rng(0), **params).transition.tolist() == matrix


@pytest.mark.parametrize(
    ("name", "rate", "params"),
    [("pair_flip", 0.25, {}), ("balanced", 0.3, {}), ("matrix", None, {"matrix": [[0.7, 0.3], [0, 1]], "exact": True})],
)
def test_exact_counts_pick_every_sample_of_a_class_alike(name, rate, params):
    y, rng = np.repeat([0, 1], [30, 10]), np.random.default_rng(4)
    hits = sum((apply(name, None, y, 2, rate, rng, **params).labels != y).astype(int) for _ in range(3000))
    for of_class in (hits[:30], hits[30:]):
        assert not of_class.any() or chisquare(of_class).pvalue > 1e-4
    assert hits[:30].all()
