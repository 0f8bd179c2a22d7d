"""Labels of a matrix that is given, random matrices of given trace, and labels that were observed."""

import numpy as np
import pytest
from scipy.stats import kstest

from ironbark.noise import apply, corrupt
from ironbark.noise.base import draw

T = np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])


def test_labels_are_drawn_from_the_rows():
    y = np.random.default_rng(0).integers(0, 3, 300)
    result = apply("matrix", None, y, 3, None, np.random.default_rng(4), matrix=T.tolist())
    assert np.array_equal(result.labels, draw(T, y, np.random.default_rng(4)))
    np.testing.assert_allclose(result.transition, T, atol=1e-15)


def test_a_matrix_of_uniform_noise_gives_the_labels_of_uniform_noise():
    y = np.random.default_rng(0).integers(0, 4, 200)
    matrix = np.where(np.eye(4), 0.7, 0.1)
    found = corrupt("matrix", None, y, matrix=matrix, random_state=2)
    assert np.array_equal(found, corrupt("uniform", None, y, rate=0.3, random_state=2))


def test_observed_labels_are_those_given_and_the_matrix_counts_them():
    y, given = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 1, 0])
    result = apply("observed", None, y, 4, None, None, given=given)
    assert result.labels.tolist() == given.tolist() and not np.shares_memory(result.labels, given)
    np.testing.assert_allclose(result.transition, [[2 / 3, 1 / 3, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])


def test_exact_counts_by_hand():
    """7 labels of row 0: 4.9, 1.4 and 0.7 become 5, 1 and 1. 2 of row 2: 0.5, 0.5 and 1 become 1, 0 and 1."""
    y = np.repeat([0, 1, 2], [7, 3, 2])
    labels = apply("matrix", None, y, 3, None, np.random.default_rng(0), matrix=T, exact=True).labels
    counts = [np.bincount(labels[y == true], minlength=3).tolist() for true in range(3)]
    assert counts == [[5, 1, 1], [0, 3, 0], [1, 0, 1]]


@pytest.mark.parametrize("n_classes", [2, 3, 10])
@pytest.mark.parametrize(("rate", "spread"), [(0.1, 0.5), (0.3, 1.0), (0.45, 0.0)])
def test_random_matrices_have_the_trace(n_classes, rate, spread):
    y = np.zeros(1, int)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        transition = apply("random_matrix", None, y, n_classes, rate, rng, spread=spread).transition
        assert (transition >= 0).all() and np.allclose(transition.sum(axis=1), 1, atol=1e-14)
        assert np.trace(transition) == pytest.approx(n_classes * (1 - rate))
        furthest = np.abs(1 - rate - np.diag(transition)).max()
        assert furthest == pytest.approx(spread * rate)


def test_random_matrices_spread_the_noise_uniformly_on_the_simplex():
    """A coordinate of a uniform point on the simplex of 4 classes has the distribution function 1 - (1 - x)^3."""
    rng, shares = np.random.default_rng(0), []
    for _ in range(400):
        row = apply("random_matrix", None, np.zeros(1, int), 5, 0.3, rng).transition[0]
        shares.append(row[1] / row[1:].sum())
    assert kstest(shares, lambda x: 1 - (1 - x) ** 3).pvalue > 1e-4
